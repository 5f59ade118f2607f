import type { PriceChange } from "../../../catalogue/price_history.ts";
import type { ObservationDocument } from "../../../observations/observation.ts";
import type { PricePoint, PriceSeries } from "../../parts/chart/price_chart.tsx";

/** A change of the own price as far as a chart is concerned. */
type Change = Pick<PriceChange, "at" | "toCents" | "currency">;
type Seen = Pick<
  ObservationDocument,
  "competitorId" | "competitor" | "price" | "currency" | "observedAt"
>;

/** Our line first, then a line per competitor, lowest price last seen first; only one currency. */
export function priceSeries(
  us: string,
  changes: readonly Change[],
  seen: readonly Seen[],
  currency: string,
  nowMs: number,
): PriceSeries[] {
  const own = changes.filter((change) => change.currency === currency)
    .map(({ at, toCents }) => ({ atMs: Date.parse(at), cents: toCents }));
  const fitting = seen.filter((one) => one.currency === currency);
  const others = Map.groupBy(fitting, ({ competitorId }) => competitorId);
  const lines = [...others].map(([key, observations]) => ({
    key,
    label: observations[0]?.competitor ?? key,
    points: upTo(
      nowMs,
      observations.map(({ observedAt, price }) => ({
        atMs: Date.parse(observedAt),
        cents: price,
      })),
    ),
  }));
  const byLast = lines.toSorted((a, b) =>
    (a.points.at(-1)?.cents ?? 0) - (b.points.at(-1)?.cents ?? 0)
  );
  return [{ key: "own", label: us, points: upTo(nowMs, own) }, ...byLast];
}

/** Oldest first, each instant once; what holds now holds until now. */
function upTo(nowMs: number, points: readonly PricePoint[]): readonly PricePoint[] {
  const byTime = new Map(points.toReversed().map((point) => [point.atMs, point]));
  const sorted = [...byTime.values()].toSorted((a, b) => a.atMs - b.atMs);
  const last = sorted.at(-1);
  return last && last.atMs < nowMs ? [...sorted, { atMs: nowMs, cents: last.cents }] : sorted;
}
