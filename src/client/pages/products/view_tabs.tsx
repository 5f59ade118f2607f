import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { Button } from "../../parts/button.tsx";
import { useProductCount } from "../../parts/use_product_count.ts";
import { sameQuery } from "./market_query.ts";
import { ViewDialog } from "./view_dialog.tsx";
import { addressOfView, type ViewTerms } from "./view_terms.ts";

/** So many say how much is in them; more would ask the service for every one of them. */
const COUNTED_MAX = 12;

interface TabsProps {
  /** The id of the view that the list was opened from; empty for none. */
  readonly current: string;
  /** The list's current terms, for a view to store. */
  readonly terms: ViewTerms;
}

/** Saved views as tabs: each is an address, with its number of products. */
export function ViewTabs({ current, terms }: TabsProps) {
  const { words, may, user } = useApp();
  const [dialog, setDialog] = useState<"new" | "change" | null>(null);
  const { data } = useDocument({ key: ["views"], read: (api) => api.GET("/api/views") });
  const views = data?.items ?? [];
  const active = views.find(({ id }) => id === current) ?? null;
  const deviates = active !== null && (sameQuery(active.query) !== terms.query ||
    active.columns.length > 0 && active.columns.join() !== terms.columns.join());
  const mayChange = active !== null &&
    (active.isShared ? may("manager") : active.createdBy === user.value?.id);
  return (
    <nav class="views" aria-label={words.views.label}>
      <Tab text={words.views.all} href="/products" query="" isCurrent={active === null} isCounted />
      {views.map((view, at) => (
        <Tab
          key={view.id}
          text={view.name}
          href={addressOfView(view)}
          query={view.query}
          isCurrent={view.id === current}
          isCounted={at < COUNTED_MAX}
          {...(view.isShared && { note: words.views.isShared })}
        />
      ))}
      {active && deviates && <span class="soft view-note">{words.views.deviates}</span>}
      {mayChange && (
        <Button kind="quiet" onClick={() => setDialog("change")}>{words.views.change}</Button>
      )}
      <Button kind="quiet" icon="plus" onClick={() => setDialog("new")}>{words.views.save}</Button>
      {dialog !== null && (
        <ViewDialog
          view={dialog === "change" ? active : null}
          terms={terms}
          onClose={() => setDialog(null)}
        />
      )}
    </nav>
  );
}

interface TabProps {
  readonly text: string;
  readonly href: string;
  readonly query: string;
  readonly isCurrent: boolean;
  readonly isCounted: boolean;
  /** Said to those who point at it. */
  readonly note?: string;
}

function Tab({ text, href, query, isCurrent, isCounted, note }: TabProps) {
  return (
    <a href={href} title={note} aria-current={isCurrent ? "page" : undefined}>
      {text}
      {isCounted && <TabCount query={query} />}
    </a>
  );
}

function TabCount({ query }: { query: string }) {
  const { show } = useApp();
  const { sort: _sort, order: _order, ...filter } = Object.fromEntries(new URLSearchParams(query));
  const count = useProductCount(filter);
  return count === null ? null : <span class="chip-count">{show.number(count)}</span>;
}
