/**
 * Gives the sections of a product's page the product, its compared offers, our position among them,
 * and actions. Ranks and gaps compare prices per piece. If the workspace compares delivered
 * prices, our price includes shipping.
 */
import { createContext } from "preact";
import { useMemo, useState } from "preact/hooks";
import {
  compareFractions,
  decimal,
  divide,
  type Fraction,
  marginPct,
  roundOf,
  subtract,
  whole,
} from "../../../base/fraction.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import type { PriceHistoryEntry } from "../../../catalogue/prices/price_rows.ts";
import { byId, byPath, get } from "../../api/call.ts";
import { useApp, useChange, useList, useRequired } from "../../app/app.ts";
import { ErrorNote } from "../../parts/page.tsx";
import { parcelCents } from "../../parts/price_figures.tsx";
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import { RunProgress } from "../../parts/shop/read_again.tsx";
import { type UndoableChange, useUndoQueue } from "../../parts/undo_queue.ts";
import { heldUntilOf, marginTermsOf, type OneProduct } from "./one_product.tsx";

type ProductState = ReturnType<typeof useProductState>;

export const ProductContext = createContext<ProductState | null>(null);

export const useProduct = () => useRequired(ProductContext);

export function useProductState(product: OneProduct) {
  const { workspace: { value: workspace }, may } = useApp();
  const { id, deletedAt, market, ourPriceCents } = product;
  const includeDeleted = deletedAt ? true : undefined;
  const changes =
    useList<PriceHistoryEntry, object>((page) =>
      get("/api/products/{id}/price-history", byPath({ id }, { includeDeleted, ...page }))
    ).rows;
  // Read the clock again when data change, so that no price change is later than `nowMs`.
  const nowMs = useMemo(() => Date.now(), [product, changes]);
  const rivals = rivalsOf(product.competitorOffers ?? []);
  const ourCents = market?.comparedCents ?? ourPriceCents;
  return {
    ...{ product, changes, nowMs, rivals, includeDeleted },
    isActive: deletedAt === null,
    mayChange: may("manager") && deletedAt === null,
    ourCents,
    position: ourCents === null ? null : positionAt(ourCents, rivals),
    comparedOf: (cents: number) => cents + parcelCents(product, workspace),
    marginAt: (cents: number | null) =>
      workspace && marginPct(cents, marginTermsOf(product, workspace)),
    held: heldUntilOf(product, nowMs),
    doing: useDoing(id),
    scrape: useScrapeNow(id),
  };
}

const WATCH_MS = 700;
const READ_AGAIN = ["matches", "products", "scrape-runs", "competitors"] as const;

function useScrapeNow(productId: string) {
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

export function ScrapeProgress() {
  const { run, error, again } = useProduct().scrape;
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

const TOUCHED = ["products", "proposals", "matches", "rules", "overview", "audit-logs"] as const;

function useDoing(productId: string) {
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

export interface Rival {
  readonly offer: MarketOffer;
  readonly unit: Fraction;
  readonly cents: number;
}

export function rivalsOf(offers: readonly MarketOffer[]): readonly Rival[] {
  return offers.flatMap((offer): Rival[] => {
    const unit = offer.counts ? unitOf(offer) : null;
    return unit === null ? [] : [{ offer, unit, cents: roundOf(unit) }];
  }).sort((a, b) => compareFractions(a.unit, b.unit));
}

/** Exact price per piece, or the service's rounded price if VAT was converted. */
export function unitOf(
  { priceCents, shippingCents, packFactor, unitCents }: MarketOffer,
): Fraction | null {
  if (unitCents === null || priceCents === null) return null;
  const candidates = [priceCents, priceCents + (shippingCents ?? 0)]
    .map((cents) => divide(whole(cents), decimal(packFactor)));
  return candidates.find((exact) => roundOf(exact) === unitCents) ?? whole(unitCents);
}

export type PricePosition = NonNullable<ReturnType<typeof positionAt>>;

/** Returns null without rivals, or if `ourCents` is 0 (no price). */
export function positionAt(ourCents: number, rivals: readonly Rival[]) {
  const [cheapest] = rivals;
  if (!cheapest || ourCents === 0) return null;
  const ours = whole(ourCents);
  const cheaper = rivals.filter(({ unit }) => compareFractions(unit, ours) < 0);
  return {
    rank: cheaper.length + 1,
    of: rivals.length + 1,
    cheapest,
    gapCents: roundOf(subtract(ours, cheapest.unit)),
    tied: rivals.find(({ unit }) => compareFractions(unit, ours) === 0) ?? null,
  };
}
