import { useState } from "preact/hooks";
import { useApp } from "../app/app.ts";
import { Button } from "./controls.tsx";

interface CopyProps {
  readonly text: string;
  readonly label: string;
}

export function CopyText({ text, label }: CopyProps) {
  const { words } = useApp();
  const { isCopied, copy } = useClipboard(text);
  return (
    <span class="copy-text">
      <span class="soft">{label}</span>
      <code>{text}</code>
      <Button
        kind="quiet"
        icon={isCopied ? "check" : "copy"}
        label={isCopied ? words.copied : words.copy(label)}
        onClick={copy}
      />
    </span>
  );
}

export function CopyBlock({ text, label }: CopyProps) {
  const { words } = useApp();
  const { isCopied, copy } = useClipboard(text);
  return (
    <figure class="copy-block">
      <figcaption class="row spread soft">
        {label}
        <Button kind="quiet" icon={isCopied ? "check" : "copy"} onClick={copy}>
          {isCopied ? words.copied : words.copyIt}
        </Button>
      </figcaption>
      <pre tabIndex={0}><code>{text}</code></pre>
    </figure>
  );
}

function useClipboard(text: string): { isCopied: boolean; copy(): void } {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      // Browsers have no clipboard API without HTTPS, but the person can select the text.
      setCopied(null);
    }
  };
  return { isCopied: copied === text, copy: () => void copy() };
}
