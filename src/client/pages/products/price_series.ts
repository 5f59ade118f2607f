import { unitPriceCents } from "../../../base/money.ts";
import type { PriceChange } from "../../../catalogue/prices/price_history.ts";
import type { ObservationDocument } from "../../../observations/observation.ts";
import type { PricePoint, PriceSeries } from "../../parts/chart/price_points.ts";

interface SeriesInput {
  /** What our own line is called. */
  readonly us: string;
  readonly changes: readonly Pick<PriceChange, "at" | "toCents" | "currency">[];
  readonly seen: readonly Pick<
    ObservationDocument,
    "competitorProductId" | "competitor" | "price" | "currency" | "observedAt"
  >[];
  /** How many of ours a match sells for its price; 1 for those that are not in it. */
  readonly packFactors: ReadonlyMap<string, number>;
  /** Prices in others are left out: they cannot stand on one axis. */
  readonly currency: string;
  readonly nowMs: number;
}

/** Our line first, then one per match, the cheapest now first; prices are per piece of ours. */
export function priceSeries(input: SeriesInput): PriceSeries[] {
  const { us, changes, seen, packFactors, currency, nowMs } = input;
  const own = changes.filter((change) => change.currency === currency)
    .map(({ at, toCents }) => ({ atMs: Date.parse(at), cents: toCents }));
  const fitting = seen.filter((one) => one.currency === currency);
  const byMatch = Map.groupBy(fitting, ({ competitorProductId }) => competitorProductId);
  const lines = [...byMatch].map(([key, observations]) => {
    const factor = packFactors.get(key) ?? 1;
    const points = observations.map(({ observedAt, price }) => ({
      atMs: Date.parse(observedAt),
      cents: unitPriceCents(price, factor),
    }));
    return { key, label: observations[0]?.competitor ?? key, points: upTo(nowMs, points) };
  });
  const lastCents = ({ points }: PriceSeries) => points.at(-1)?.cents ?? 0;
  const others = lines.toSorted((a, b) => lastCents(a) - lastCents(b));
  return [{ key: "own", label: us, points: upTo(nowMs, own) }, ...others];
}

/** From newest first to oldest first, each instant once; what holds now holds until now. */
function upTo(nowMs: number, points: readonly PricePoint[]): readonly PricePoint[] {
  const byTime = new Map(points.toReversed().map((point) => [point.atMs, point]));
  const sorted = [...byTime.values()].toSorted((a, b) => a.atMs - b.atMs);
  const last = sorted.at(-1);
  return last && last.atMs < nowMs ? [...sorted, { atMs: nowMs, cents: last.cents }] : sorted;
}
