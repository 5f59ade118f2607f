import type { ComponentChildren } from "preact";

/** A row of figures, each under its name. */
export function Figures({ children }: { children: ComponentChildren }) {
  return <dl class="figures">{children}</dl>;
}

interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly tone?: "bad" | "warn" | "broad";
}

export function Figure({ label, value, note, tone }: FigureProps) {
  return (
    <div class={tone ? `figure ${tone}` : "figure"}>
      <dt>{label}</dt>
      <dd>
        <strong>{value}</strong>
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
