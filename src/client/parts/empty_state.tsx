import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do next. */
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** What a list says while there is nothing in it. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div class="empty-actions">{children}</div>}
    </div>
  );
}
