import type { ComponentChildren } from "preact";

export type Tone = "plain" | "good" | "warn" | "bad" | "busy";

/** A state in one word; the colour only underlines it. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
