import type { ComponentChildren } from "preact";

interface SectionProps {
  /** Where a link to it leads. */
  readonly id?: string;
  readonly title: string;
  readonly note?: ComponentChildren;
  /** The section's actions. */
  readonly actions?: ComponentChildren;
  /** On a card of its own, as on pages with several columns. */
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

/** A part of a page under its own heading. */
export function Section({ id, title, note, actions, isCard = false, children }: SectionProps) {
  return (
    <section class={isCard ? "section sheet" : "section"} id={id}>
      <header>
        <h2>{title}</h2>
        {note && <span class="soft">{note}</span>}
        {actions && <div class="section-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
