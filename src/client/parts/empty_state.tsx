import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** The next step for the person. */
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** The content of an empty list. */
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
