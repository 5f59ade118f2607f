/**
 * What the sections of a product's page share: its data, its margin at another price, and a run
 * that the person starts.
 */
import type { Workspace } from "../../../accounts/workspace.ts";
import { marginPct } from "../../../base/percent.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import type { SingleProduct } from "../../../catalogue/products/product_answer.ts";
import type { z } from "zod";
import { byId, byPath, type Call, get, where } from "../../api/call.ts";
import { useEffect, useState } from "preact/hooks";
import type { Run } from "../../../scraping/runs/run.ts";
import { useApp, useChange, useDocument, useRefresh } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { ErrorNote } from "../../parts/page.tsx";
import { isRunning, RunProgress } from "../../parts/run/run_state.tsx";
import type { Selection } from "../../parts/table/table.tsx";
import { filterQuery, type ProductFilter } from "./market_query.ts";
import type { MarketProduct, ProductPage } from "./product.ts";

export type OneProduct = z.infer<typeof SingleProduct> & {
  /** Present if the request asked for offers. */
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

/** In percent; null while cost or VAT rate is missing. */
export function marginAt(cents: number | null, product: OneProduct, workspace: Workspace | null) {
  return workspace === null ? null : marginPct(cents, marginTermsOf(product, workspace));
}

const WATCH_MS = 700;
const TOUCHED = ["matches", "products", "runs", "competitors"] as const;

interface ScrapeNow {
  /** True from the click until the run ends, or until reading the run's state fails. */
  readonly isBusy: boolean;
  readonly run: Run | null;
  readonly error: unknown;
  start(): void;
  again(): void;
}

export function useScrapeNow(productId: string): ScrapeNow {
  const refresh = useRefresh(...TOUCHED);
  const [runId, setRunId] = useState<string | null>(null);
  const starting = useChange({
    ask: (api) => api.POST("/api/products/{id}/scrape-now", byId(productId)),
    touches: ["runs"],
    onDone: (started) => setRunId(started.runId),
  });
  const found = useDocument(get("/api/scrape-runs/{runId}", byPath({ runId: runId ?? "" })), {
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

export function ScrapeProgress({ scrape: { run, error, again } }: { scrape: ScrapeNow }) {
  const { words: { runs: texts }, show } = useApp();
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

/** Maximum page size that the service accepts. */
const ROWS_AT_ONCE = 200;

/** The filter of a bulk change, which never affects deleted products. */
export function bodyFilter({ values }: ProductFilter): Readonly<Record<string, string>> {
  const { includeDeleted: _, ...wanted } = filterQuery(values);
  return wanted;
}

interface Marked<T> {
  readonly selection: Selection;
  readonly rows: readonly MarketProduct[];
  readonly query: Readonly<Record<string, string>>;
  /** Null omits the product. */
  keep(product: MarketProduct): T | null;
  /** Called after each page with the number of rows so far. */
  onRead?(count: number): void;
}

/**
 * If all products are marked, the products are read page by page. A product that moves to another
 * page meanwhile is returned only once.
 */
export async function markedProducts<T>(
  call: Call,
  { selection, rows, query, keep, onRead }: Marked<T>,
): Promise<T[]> {
  if (!selection.isAll) return rows.filter(({ id }) => selection.has(id)).flatMap(kept(keep));
  const seen = new Set<string>();
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: ProductPage = await call(
      get("/api/products", where({ ...query, limit: ROWS_AT_ONCE, cursor })),
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
