import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  type ChartPoint,
  observedLine,
  POINTS_MAX,
  steppedLine,
  usualMs,
} from "../../../src/market/past/product_chart.ts";

const WINDOW = { fromMs: 100, toMs: 200 };
const lineOf = (...observations: ChartPoint[]) => observedLine(observations, WINDOW, () => 20);

Deno.test("a line of observations has a step per new price, and gaps where none was made for too long", () => {
  assertEquals(lineOf(), { points: [], gaps: [] });
  assertEquals(lineOf([210, 5]), { points: [], gaps: [] });
  assertEquals(lineOf([120, 5], [130, 5], [140, 4], [150, 5], [165, 5], [180, 5]), {
    points: [[120, 5], [140, 4], [150, 5]],
    gaps: [],
  });
  // An observation before the window counts inside it until it is too old.
  assertEquals(lineOf([90, 5]), { points: [[100, 5]], gaps: [[110, 200]] });
  assertEquals(lineOf([60, 5]), { points: [], gaps: [[100, 200]] });
  assertEquals(lineOf([60, 5], [150, 5], [190, 5]), {
    points: [[150, 5], [190, 5]],
    gaps: [[100, 150], [170, 190]],
  });
  // The limit of 20 is inclusive.
  assertEquals(lineOf([180, 5]), { points: [[180, 5]], gaps: [] });
});

Deno.test("our own price holds until it changes, whenever that was", () => {
  assertEquals(steppedLine([[10, 5], [20, 6], [150, null], [190, 7], [210, 8]], WINDOW), [
    [100, 6],
    [150, null],
    [190, 7],
  ]);
  assertEquals(steppedLine([[150, 5]], WINDOW), [[150, 5]]);
  assertEquals(steppedLine([], WINDOW), []);
});

const observationsArbitrary = fc.uniqueArray(
  fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 4 })),
  {
    selector: ([atMs]) => atMs,
    maxLength: 40,
  },
).map((observations): ChartPoint[] => observations.sort((a, b) => a[0] - b[0]));

Deno.test("at each moment a line has the last observation that still counts, and else a gap", () => {
  fc.assert(
    fc.property(
      observationsArbitrary,
      fc.integer({ min: 1, max: 60 }),
      (observations, countsMs) => {
        const { points, gaps } = observedLine(observations, WINDOW, () => countsMs);
        const first = observations[0]?.[0] ?? Infinity;
        // Lines change only at whole milliseconds, so checking the middles covers every moment.
        for (let atMs = WINDOW.fromMs + 0.5; atMs < WINDOW.toMs; atMs++) {
          const seen = observations.findLast(([seenMs]) => seenMs <= atMs);
          const known = seen && atMs - seen[0] <= countsMs ? seen[1] : null;
          const isGap = gaps.some(([fromMs, toMs]) => fromMs <= atMs && atMs < toMs);
          const drawn = isGap ? null : points.findLast(([pointMs]) => pointMs <= atMs)?.[1] ?? null;
          assertEquals(drawn, known, `at ${atMs}`);
          assertEquals(isGap, known === null && first <= atMs, `gap at ${atMs}`);
        }
      },
    ),
  );
});

Deno.test("a line of many steps keeps at most 400 points, and the highest and lowest price", () => {
  const steps = fc.array(fc.integer({ min: 1, max: 1_000_000 }), {
    minLength: 401,
    maxLength: 3_000,
  });
  fc.assert(
    fc.property(steps, (prices) => {
      const observations = prices.map((cents, at): ChartPoint => [at * 7, cents]);
      const window = { fromMs: 0, toMs: prices.length * 7 };
      const { points } = observedLine(observations, window, () => 100);
      ok(points.length <= POINTS_MAX);
      const drawn = points.map(([, cents]) => cents);
      assertEquals([Math.min(...drawn), Math.max(...drawn)], [
        Math.min(...prices),
        Math.max(...prices),
      ]);
      const steps = prices.filter((cents, at) => cents !== prices[at - 1]);
      if (steps.length > POINTS_MAX) assertEquals(points.at(-1)?.[1], prices.at(-1));
      assertEquals(
        points.map(([atMs]) => atMs),
        points.map(([atMs]) => atMs).sort((a, b) => a - b),
      );
      for (const [atMs, cents] of points) assertEquals(prices[atMs / 7], cents);
    }),
    { numRuns: 30 },
  );
});

Deno.test("a line has at most 400 gaps, the longest", () => {
  const observations = Array.from(
    { length: 1_000 },
    (_, at): ChartPoint => [at * 100 + at % 50, 5],
  );
  const { gaps } = observedLine(observations, { fromMs: 0, toMs: 100_000 }, () => 10);
  assertEquals(gaps.length, POINTS_MAX);
  ok(gaps.every(([fromMs, toMs]) => toMs - fromMs >= 90));
  ok(gaps.every(([fromMs], at) => at === 0 || fromMs >= gaps[at - 1]![1]));
});

Deno.test("usualMs() is the median time between observations, of at least five", () => {
  const at = (...times: number[]) => times.map((atMs): ChartPoint => [atMs, 1]);
  assertEquals(usualMs(at(0, 10, 20, 30)), 0);
  assertEquals(usualMs(at(0, 10, 20, 30, 100)), 10);
});
