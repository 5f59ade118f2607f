/**
 * Data and actions that the sections of a product's page share. Bulk actions of the product list
 * get the selected products from `markedProducts`.
 */
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import type { Workspace } from "../../../accounts/workspace.ts";
import { marginPct } from "../../../base/fraction.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import type { SingleProduct } from "../../../catalogue/lists/find_product.ts";
import { byId, byPath, type Call, get, PAGE_SIZE_MAX, pagesOf, where } from "../../api/call.ts";
import type { z } from "zod";
import { useState } from "preact/hooks";
import { useApp, useChange } from "../../app/app.ts";
import { ErrorNote } from "../../parts/page.tsx";
import { RunProgress } from "../../parts/run/run_state.tsx";
import type { Selection } from "../../parts/table/table.tsx";
import { type UndoableChange, useUndoQueue } from "../../parts/undo_queue.ts";
import { filterQuery, type MarketProduct, type ProductFilter } from "./product.ts";

export type OneProduct = z.infer<typeof SingleProduct> & {
  readonly competitorOffers?: readonly MarketOffer[];
};

export function marginTermsOf(
  product: Pick<OneProduct, "costPriceCents" | "vatRatePct">,
  workspace: Workspace | null,
) {
  return {
    costPriceCents: product.costPriceCents,
    pricesIncludeVat: workspace?.pricesIncludeVat ?? true,
    vatRatePct: product.vatRatePct ?? workspace?.vatRatePct ?? null,
  };
}

/** Returns the margin in percent, or null if a value for its computation is unknown. */
export function marginAt(cents: number | null, product: OneProduct, workspace: Workspace | null) {
  return workspace === null ? null : marginPct(cents, marginTermsOf(product, workspace));
}

const WATCH_MS = 700;
const READ_AGAIN = ["matches", "products", "scrape-runs", "competitors"] as const;

type ScrapeNow = ReturnType<typeof useScrapeNow>;

export function useScrapeNow(productId: string) {
  const [runId, setRunId] = useState<string | null>(null);
  const starting = useChange({
    ask: (api) => api.POST("/api/products/{id}/scrape-now", byId(productId)),
    touches: ["scrape-runs"],
    onDone: (started) => setRunId(started.runId),
  });
  const asked = runId === null ? null : get("/api/scrape-runs/{runId}", byPath({ runId }));
  const { hasEnded, ...found } = useJob(asked, WATCH_MS, READ_AGAIN);
  const error = hasEnded ? null : found.error;
  return {
    isBusy: starting.isPending || (runId !== null && !hasEnded && error === null),
    run: found.data ?? null,
    error,
    start: () => starting.mutate(undefined),
    again: () => void found.refetch(),
  };
}

export function ScrapeProgress({ scrape: { run, error, again } }: { scrape: ScrapeNow }) {
  const texts = useApp().words.runs;
  if (error !== null) return <ErrorNote error={error} onAgain={again} />;
  if (run === null) return null;
  if (isUnderWay(run)) return <RunProgress run={run} />;
  const { ok, targets } = run.counts;
  return (
    <p class={run.hasErrors ? "note warn" : "note info"} role="status">
      {targets === 0 ? texts.noTargets : texts.finished(ok, targets)}{" "}
      <a href={`/runs/${run.id}`}>{texts.details}</a>
    </p>
  );
}

/** A bulk change never affects deleted products, so the filter for deleted products is removed. */
export function bodyFilter({ values }: ProductFilter): Readonly<Record<string, string>> {
  const { includeDeleted: _, ...wanted } = filterQuery(values);
  return wanted;
}

interface Marked<T> {
  readonly selection: Selection;
  readonly rows: readonly MarketProduct[];
  readonly query: Readonly<Record<string, string>>;
  keep(product: MarketProduct): T | null;
  onRead?(count: number): void;
}

/**
 * If all products are selected, the products are read page by page. A product that moves to another
 * page of the list meanwhile is returned only once.
 */
export async function markedProducts<T>(
  call: Call,
  { selection, rows, query, keep, onRead }: Marked<T>,
): Promise<T[]> {
  const kept = (some: readonly MarketProduct[]) => some.map(keep).filter((one) => one !== null);
  if (!selection.isAll) return kept(rows.filter(({ id }) => selection.has(id)));
  const seen = new Set<string>();
  const found: T[] = [];
  const pages = pagesOf((cursor) =>
    call(get("/api/products", where({ ...query, limit: PAGE_SIZE_MAX, cursor })))
  );
  for await (const { items } of pages) {
    const fresh = items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...kept(fresh));
    onRead?.(seen.size);
  }
  return found;
}

export type Doing = ReturnType<typeof useDoing>;

const TOUCHED = ["products", "proposals", "matches", "rules", "overview", "audit-logs"] as const;

export function useDoing(productId: string) {
  const { isBusy, act, read, undo } = useUndoQueue(`product ${productId}`, TOUCHED);
  return {
    isBusy,
    undo,
    act: async <Output,>(change: UndoableChange<Output>): Promise<boolean> => {
      const isDone = await act(change);
      await read();
      return isDone;
    },
  };
}
