import { useApp } from "../../app/app.ts";
import { useProductCount, useSuggestionCounts } from "../shared_queries.ts";

type LinkTab = "open" | "coverage" | "accepted" | "rejected";

export function LinkTabs({ current }: { current: LinkTab }) {
  const { words: { review: texts }, show } = useApp();
  const open = useSuggestionCounts()?.open ?? null;
  const noLinks = useProductCount({ state: "no_links" });
  const soldOut = useProductCount({ state: "sold_out" });
  const tab = (href: string, text: string, own: LinkTab | null, count: number | null = null) => (
    <a href={href} aria-current={own === current ? "page" : undefined}>
      {text}
      {count !== null && <span class="chip-count">{show.number(count)}</span>}
    </a>
  );
  return (
    <nav class="tabs views" aria-label={texts.tabs}>
      {tab("/links", texts.open, "open", open)}
      {tab("/links/coverage", texts.coverage, "coverage")}
      {tab("/products?state=no_links", texts.noLinks, null, noLinks)}
      {tab("/products?state=sold_out", texts.soldOut, null, soldOut)}
      {tab("/links?status=accepted", texts.accepted, "accepted")}
      {tab("/links?status=rejected", texts.rejected, "rejected")}
    </nav>
  );
}
