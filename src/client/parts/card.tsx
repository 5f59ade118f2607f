import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  /** At the end of the head. */
  readonly beside?: ComponentChildren;
  /** Links to what it counts. */
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page in a frame of its own, one of several side by side. */
export function Card({ title, note, beside, foot, children }: CardProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span class="soft">{note}</span>}
        {beside && <span class="end">{beside}</span>}
      </header>
      <div class="panel-body">{children}</div>
      {foot && <footer>{foot}</footer>}
    </section>
  );
}
