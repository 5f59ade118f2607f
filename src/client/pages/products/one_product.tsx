import type { Workspace } from "../../../accounts/workspace.ts";
import { marginPct } from "../../../base/percent.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import type { SingleProduct } from "../../../catalogue/products/product_answer.ts";
import type { z } from "zod";
import { byId, type Call } from "../../api/call.ts";
import { useEffect, useState } from "preact/hooks";
import type { Run } from "../../../scraping/runs/run.ts";
import { useChange, useDocument, useRefresh } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { ErrorNote } from "../../parts/page.tsx";
import { isRunning, RunProgress } from "../../parts/run/run_state.tsx";
import type { Selection } from "../../parts/table/table.tsx";
import { filterQuery, type ProductFilter } from "./market_query.ts";
import type { MarketProduct, ProductPage } from "./product.ts";

/** A product as its page reads it: with its place in the market, and the offers that it comes from. */
export type OneProduct = z.infer<typeof SingleProduct> & {
  /** Where they were asked for. */
  readonly competitorOffers?: readonly MarketOffer[];
};

/** The inputs of the product's margins. */
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

/** The margin that a price would have, in percent; null while cost or VAT rate is missing. */
export function marginAt(cents: number | null, product: OneProduct, workspace: Workspace | null) {
  return workspace === null ? null : marginPct(cents, marginTermsOf(product, workspace));
}

const WATCH_MS = 700;
/** The areas that a run may change. */
const TOUCHED = ["matches", "products", "observations", "runs", "competitors"];

interface ScrapeNow {
  /** True from the click until the run has ended, or cannot be followed any more. */
  readonly isBusy: boolean;
  /** The last run that was started here. */
  readonly run: Run | null;
  /** Why it cannot be followed; null while it can, and once it has ended. */
  readonly error: unknown;
  start(): void;
  /** Follows the run once more. */
  again(): void;
}

/** Visits the pages of a product now, and follows the run to its end. */
export function useScrapeNow(productId: string): ScrapeNow {
  const refresh = useRefresh(...TOUCHED);
  const [runId, setRunId] = useState<string | null>(null);
  const starting = useChange({
    ask: (api) => api.POST("/api/products/{id}/scrape-now", byId(productId)),
    touches: ["runs"],
    onDone: (started) => setRunId(started.runId),
  });
  const found = useDocument({
    key: ["runs", runId],
    read: (api) =>
      api.GET("/api/scrape-runs/{runId}", { params: { path: { runId: runId ?? "" } } }),
    isWanted: runId !== null,
    everyMs: (run, error) => error !== null || (run && !isRunning(run)) ? false : WATCH_MS,
  });
  const run = runId === null ? null : found.data ?? null;
  const hasEnded = run !== null && !isRunning(run);
  const error = hasEnded ? null : found.error;
  useEffect(() => {
    if (!hasEnded) return;
    void refresh();
  }, [runId, hasEnded]);
  return {
    isBusy: starting.isPending || (runId !== null && !hasEnded && error === null),
    run,
    error,
    start: () => starting.mutate(undefined),
    again: () => void found.refetch(),
  };
}

export function ScrapeButton({ scrape }: { scrape: ScrapeNow }) {
  const { words } = useApp();
  return <Button icon="runs" isBusy={scrape.isBusy} onClick={scrape.start}>{words.runs.now}
  </Button>;
}

/** The progress of the run, or the reason why it is unknown; then its result. */
export function ScrapeProgress({ scrape: { run, error, again } }: { scrape: ScrapeNow }) {
  const { words, show } = useApp();
  const texts = words.runs;
  if (error !== null) return <ErrorNote error={error} onAgain={again} />;
  if (run === null) return null;
  if (isRunning(run)) return <RunProgress run={run} />;
  const { ok, targets } = run.counts;
  return (
    <p class={run.hasErrors ? "note warn" : "note info"} role="status">
      {targets === 0 ? texts.noTargets : texts.finished(show.number(ok), show.number(targets))}{" "}
      <a href={`/runs/${run.id}`}>{texts.details}</a>
    </p>
  );
}

/** Rows per page: as many as the service gives at once. */
const ROWS_AT_ONCE = 200;

/** The filter in the form that changes take: without what is empty or only about the list. */
export function bodyFilter({ values }: ProductFilter): Readonly<Record<string, string>> {
  const { includeDeleted: _, ...wanted } = filterQuery(values);
  return wanted;
}

interface Marked<T> {
  readonly selection: Selection;
  readonly rows: readonly MarketProduct[];
  readonly query: Readonly<Record<string, string>>;
  /** Maps each item; null omits it. */
  keep(product: MarketProduct): T | null;
  /** Called after each page with the number of rows read. */
  onRead?(count: number): void;
}

/** Page after page where all that fit are marked; a product that moves meanwhile comes once. */
export async function markedProducts<T>(
  call: Call,
  { selection, rows, query, keep, onRead }: Marked<T>,
): Promise<T[]> {
  if (!selection.isAll) return rows.filter(({ id }) => selection.has(id)).flatMap(kept(keep));
  const seen = new Set<string>();
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: ProductPage = await call((api) =>
      api.GET("/api/products", { params: { query: { ...query, limit: ROWS_AT_ONCE, cursor } } })
    );
    const fresh = page.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...fresh.flatMap(kept(keep)));
    onRead?.(seen.size);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

const kept = <T,>(keep: (product: MarketProduct) => T | null) => (product: MarketProduct): T[] => {
  const one = keep(product);
  return one === null ? [] : [one];
};
