import { useApp } from "../app/app.ts";
import { Button } from "./button.tsx";
import { useClipboard } from "./use_clipboard.ts";

interface CopyProps {
  readonly text: string;
  readonly label: string;
}

/** A text that is needed elsewhere, with a button that copies it. */
export function CopyText({ text, label }: CopyProps) {
  const { words } = useApp();
  const { isCopied, copy } = useClipboard(text);
  return (
    <span class="copy-text">
      <span class="copy-label">{label}</span>
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

/** Lines to be pasted into a terminal. */
export function CopyBlock({ text, label }: CopyProps) {
  const { words } = useApp();
  const { isCopied, copy } = useClipboard(text);
  return (
    <figure class="copy-block">
      <figcaption>
        {label}
        <Button kind="quiet" icon={isCopied ? "check" : "copy"} onClick={copy}>
          {isCopied ? words.copied : words.copyIt}
        </Button>
      </figcaption>
      <pre tabIndex={0}><code>{text}</code></pre>
    </figure>
  );
}
