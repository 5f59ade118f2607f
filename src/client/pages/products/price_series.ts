import { unitPriceCents } from "../../../base/money.ts";
import type { PriceChange } from "../../../catalogue/prices/price_history.ts";
import type { ObservationDocument } from "../../../observations/observation.ts";
import type {
  Marker,
  MarkerKind,
  PricePoint,
  PriceSeries,
} from "../../parts/chart/price_points.ts";
import { badgeOf } from "../../parts/chart/shop_colours.ts";

interface SeriesInput {
  /** What our own line is called. */
  readonly us: string;
  readonly changes: readonly Pick<PriceChange, "at" | "toCents" | "currency">[];
  readonly seen: readonly Pick<
    ObservationDocument,
    "competitorProductId" | "competitorId" | "competitor" | "price" | "currency" | "observedAt"
  >[];
  /** How many of ours a match sells for its price; 1 for those that are not in it. */
  readonly packFactors: ReadonlyMap<string, number>;
  /** The number of each shop in the workspace. */
  readonly colours: ReadonlyMap<string, number>;
  /** A shop that was not seen for twice as long, nor for far longer than it usually was, is a gap. */
  readonly intervalHours: number;
  /** Prices in others are left out: they cannot stand on one axis. */
  readonly currency: string;
  readonly nowMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Prices that others send come in a rhythm of their own. */
const USUAL_FACTOR = 2.5;
const USUAL_LEAST = 5;

/** Our line first, then one per match, the cheapest now first; prices are per piece of ours. */
export function priceSeries(input: SeriesInput): PriceSeries[] {
  const { us, changes, seen, packFactors, colours, currency, nowMs } = input;
  // Older ones are thinned to one a day.
  const seenMs = 2 * Math.max(input.intervalHours, DAY_HOURS) * HOUR_MS;
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
    const [newest] = observations;
    const label = newest?.competitor ?? key;
    return {
      key,
      label,
      badge: badgeOf(label),
      colour: colours.get(newest?.competitorId ?? "") ?? 1,
      points: withGaps(upTo(nowMs, points), seenMs),
    };
  });
  const lastCents = ({ points }: PriceSeries) => points.findLast(({ cents }) => cents)?.cents ?? 0;
  const others = lines.toSorted((a, b) => lastCents(a) - lastCents(b));
  const ours = { key: "own", label: us, badge: us, colour: 0, points: upTo(nowMs, own) };
  return [ours, ...others];
}

/** From newest first to oldest first, each instant once; what holds now holds until now. */
function upTo(nowMs: number, points: readonly PricePoint[]): readonly PricePoint[] {
  const byTime = new Map(points.toReversed().map((point) => [point.atMs, point]));
  const sorted = [...byTime.values()].toSorted((a, b) => a.atMs - b.atMs);
  const last = sorted.at(-1);
  return last && last.atMs < nowMs ? [...sorted, { atMs: nowMs, cents: last.cents }] : sorted;
}

/** What was not seen again in time is not drawn through until it is. */
function withGaps(points: readonly PricePoint[], leastMs: number): readonly PricePoint[] {
  const seenMs = Math.max(leastMs, USUAL_FACTOR * usualMs(points));
  return points.flatMap((point, at) => {
    const next = points[at + 1];
    const endMs = point.atMs + seenMs;
    if (next === undefined || next.atMs <= endMs) return [point];
    return [point, { atMs: endMs, cents: null }];
  });
}

/** The time between two sights that half of all are below; 0 where there are not enough to say. */
function usualMs(points: readonly PricePoint[]): number {
  if (points.length < USUAL_LEAST) return 0;
  const times = points.slice(1).map(({ atMs }, at) => atMs - (points[at]?.atMs ?? atMs));
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

const MARKERS: Readonly<Record<PriceChange["source"], MarkerKind>> = {
  api: "person",
  import: "import",
  rule: "rule",
  proposal: "proposal",
  rollback: "person",
};

/** When our price was changed, and by what. */
export function priceMarkers(changes: readonly Pick<PriceChange, "at" | "source">[]): Marker[] {
  return changes.map(({ at, source }) => ({ atMs: Date.parse(at), kind: MARKERS[source] }));
}
