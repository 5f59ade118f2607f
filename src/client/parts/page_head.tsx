import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface PageHeadProps {
  readonly title: string;
  /** A figure or state next to the title. */
  readonly beside?: ComponentChildren;
  /** Where this page belongs. */
  readonly back?: { readonly href: string; readonly text: string };
  /** The page's actions. */
  readonly children?: ComponentChildren;
}

/** The head of a screen; names the browser's tab too. */
export function PageHead({ title, beside, back, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Kurant`;
  }, [title]);
  return (
    <header class="page-head">
      {back && (
        <a class="back" href={back.href}>
          <Icon name="left" />
          {back.text}
        </a>
      )}
      <div class="page-title">
        <h1>{title}</h1>
        {beside}
      </div>
      {children && <div class="page-actions">{children}</div>}
    </header>
  );
}
