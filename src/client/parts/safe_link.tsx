import type { ComponentChildren } from "preact";
import { Icon } from "./controls.tsx";

/** Addresses come from outside the service, so only web addresses become links. */
export function SafeLink({ url, children }: { url: string; children?: ComponentChildren }) {
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb) return <span>{children ?? url}</span>;
  return (
    <a class="outside" href={url} target="_blank" rel="noopener noreferrer">
      <span>{children ?? url}</span>
      <Icon name="open" />
    </a>
  );
}
