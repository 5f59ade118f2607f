/**
 * A price over time as a line of steps, computed by pure functions. Times are in milliseconds,
 * prices in minor units.
 */

/** A time and the price from then until the next point; null for no price. */
export type ChartPoint<Cents extends number | null = number> = readonly [
  atMs: number,
  cents: Cents,
];

type ChartGap = readonly [fromMs: number, toMs: number];

interface ChartLine {
  readonly points: readonly ChartPoint[];
  readonly gaps: readonly ChartGap[];
}

interface ChartWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Maximum number of points of a line; longer lines are thinned. */
export const POINTS_MAX = 400;
const BUCKETS = POINTS_MAX / 4;

/**
 * Builds the line of a price that is observed from time to time. An observation counts until the
 * next one, but for at most `countsMs(sight)`; then there is a gap until the next observation.
 * There is no gap before the first one. `sights` are in order and begin with the last one before
 * the window.
 */
export function sightedLine(
  observations: readonly ChartPoint[],
  { fromMs, toMs }: ChartWindow,
  countsMs: (atMs: number) => number,
): ChartLine {
  const [first] = observations;
  if (first === undefined || first[0] > toMs) return { points: [], gaps: [] };
  const points: ChartPoint[] = [];
  const gaps: ChartGap[] = [];
  let endMs = Math.max(first[0], fromMs);
  let drawn: number | null = null;
  for (const [at, [atMs, cents]] of observations.entries()) {
    const nextMs = observations[at + 1]?.[0] ?? toMs;
    const countedMs = Math.min(nextMs, atMs + countsMs(atMs), toMs);
    const beginMs = Math.max(atMs, fromMs);
    if (countedMs < beginMs) continue;
    if (beginMs > endMs) gaps.push([endMs, beginMs]);
    if (beginMs > endMs || drawn !== cents) points.push([beginMs, cents]);
    drawn = cents;
    endMs = countedMs;
  }
  if (endMs < toMs) gaps.push([endMs, toMs]);
  return { points: thinned(points, { fromMs, toMs }), gaps: longest(gaps) };
}

/** Keeps the longest gaps up to the maximum number; shorter ones are drawn as lines. */
function longest(gaps: readonly ChartGap[]): readonly ChartGap[] {
  if (gaps.length <= POINTS_MAX) return gaps;
  const lengthOf = ([fromMs, toMs]: ChartGap) => toMs - fromMs;
  const kept = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, POINTS_MAX);
  return kept.sort((a, b) => a[0] - b[0]);
}

/**
 * Builds the line of a price that is valid until it is changed. `changes` are in order and begin
 * with the last one before the window.
 */
export function steppedLine(
  changes: readonly ChartPoint<number | null>[],
  window: ChartWindow,
): ChartPoint<number | null>[] {
  const before = changes.findLast(([atMs]) => atMs <= window.fromMs);
  const inside = changes.filter(([atMs]) => atMs > window.fromMs && atMs <= window.toMs);
  const first: ChartPoint<number | null>[] = before ? [[window.fromMs, before[1]]] : [];
  return thinned([...first, ...inside], window);
}

/** Thins a line to `POINTS_MAX` points. Peaks and the first and last point of each section stay. */
function thinned<Cents extends number | null>(
  points: readonly ChartPoint<Cents>[],
  { fromMs, toMs }: ChartWindow,
): ChartPoint<Cents>[] {
  if (points.length <= POINTS_MAX) return [...points];
  const width = (toMs - fromMs) / BUCKETS;
  const bucketOf = ([atMs]: ChartPoint<Cents>) =>
    Math.min(BUCKETS - 1, Math.floor((atMs - fromMs) / width));
  return [...Map.groupBy(points, bucketOf).values()].flatMap((bucket) => {
    const priceOf = (point: ChartPoint<Cents>) => point[1] ?? 0;
    const kept = new Set([
      bucket[0],
      bucket.reduce((low, point) => priceOf(point) < priceOf(low) ? point : low),
      bucket.reduce((high, point) => priceOf(point) > priceOf(high) ? point : high),
      bucket.at(-1),
    ]);
    return bucket.filter((point) => kept.has(point));
  });
}

/** Returns the median time between two observations; 0 if there are too few. */
export function usualMs(observations: readonly ChartPoint[]): number {
  if (observations.length < USUAL_LEAST) return 0;
  const times = observations.slice(1).map(([atMs], at) => atMs - (observations[at]?.[0] ?? atMs));
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

const USUAL_LEAST = 5;
