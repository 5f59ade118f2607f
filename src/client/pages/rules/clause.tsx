import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface ClauseProps {
  /** The word that it begins with: when, for, then. */
  readonly lead: string;
  readonly children: ComponentChildren;
}

/** A part of the sentence that a rule is. */
export function Clause({ lead, children }: ClauseProps) {
  const id = useId();
  return (
    <div class="clause" role="group" aria-labelledby={id}>
      <span class="clause-lead" id={id}>{lead}</span>
      <div class="clause-body">{children}</div>
    </div>
  );
}
