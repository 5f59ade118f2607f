import { useState } from "preact/hooks";

/** Whether the text was copied, and the way to do it. */
export function useClipboard(text: string): { isCopied: boolean; copy(): void } {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      // Without https there is no clipboard: the text stands there to be marked by hand.
      setCopied(null);
    }
  };
  return { isCopied: copied === text, copy: () => void copy() };
}
