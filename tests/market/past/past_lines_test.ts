import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import {
  compareNewest,
  findMoves,
  mergeNewest,
  NEWEST,
} from "../../../src/market/past/timeline_item.ts";
import {
  type ChartPoint,
  observedLine,
  POINTS_MAX,
  steppedLine,
  usualMs,
} from "../../../src/market/past/product_chart.ts";
import { moveKindOf } from "../../../src/shops/observations/move_store.ts";
import type { PlacedObservation } from "../../../src/shops/observations/observation.ts";
import { anObservation } from "../../shops/observations/made_observations.ts";
import fc from "fast-check";

const WINDOW = { fromMs: 100, toMs: 200 };

Deno.test("our own price holds until it changes, whenever that was", () => {
  const line = steppedLine([[10, 5], [20, 6], [150, null], [190, 7], [210, 8]], WINDOW);
  assertEquals(line, [[100, 6], [150, null], [190, 7]]);
  assertEquals(steppedLine([[150, 5]], WINDOW), [[150, 5]]);
  assertEquals(steppedLine([], WINDOW), []);
});

const observationsArbitrary = fc.uniqueArray(
  fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 4 })),
  { selector: ([atMs]) => atMs, maxLength: 40 },
).map((observations): ChartPoint[] => observations.sort((a, b) => a[0] - b[0]));

Deno.test("at each moment a line has the last observation that still counts, and else a gap", () => {
  const durations = fc.integer({ min: 1, max: 60 });
  const property = fc.property(observationsArbitrary, durations, (observations, countsMs) => {
    const { points, gaps } = observedLine(observations, WINDOW, () => countsMs);
    const first = observations[0]?.[0] ?? Infinity;
    // Lines change only at whole milliseconds, so one check in between is enough.
    for (let atMs = WINDOW.fromMs + 0.5; atMs < WINDOW.toMs; atMs++) {
      const seen = observations.findLast(([seenMs]) => seenMs <= atMs);
      const known = seen && atMs - seen[0] <= countsMs ? seen[1] : null;
      const isGap = gaps.some(([fromMs, toMs]) => fromMs <= atMs && atMs < toMs);
      const drawn = isGap ? null : points.findLast(([pointMs]) => pointMs <= atMs)?.[1] ?? null;
      assertEquals(drawn, known, `at ${atMs}`);
      assertEquals(isGap, known === null && first <= atMs, `gap at ${atMs}`);
    }
  });
  fc.assert(property);
});

Deno.test("a line of many steps keeps at most 400 points, and the highest and lowest price", () => {
  const size = { minLength: 401, maxLength: 3_000 };
  const manyPrices = fc.array(fc.integer({ min: 1, max: 1_000_000 }), size);
  const property = fc.property(manyPrices, (prices) => {
    const observations = prices.map((cents, at): ChartPoint => [at * 7, cents]);
    const window = { fromMs: 0, toMs: prices.length * 7 };
    const { points } = observedLine(observations, window, () => 100);
    ok(points.length <= POINTS_MAX);
    const extremes = (cents: number[]) => [Math.min(...cents), Math.max(...cents)];
    assertEquals(extremes(points.map(([, cents]) => cents ?? 0)), extremes(prices));
    const steps = prices.filter((cents, at) => cents !== prices[at - 1]);
    if (steps.length > POINTS_MAX) assertEquals(points.at(-1)?.[1], prices.at(-1));
    const times = points.map(([atMs]) => atMs);
    assertEquals(times, times.toSorted((a, b) => a - b));
    for (const [atMs, cents] of points) assertEquals(prices[atMs / 7], cents);
  });
  fc.assert(property, { numRuns: 30 });
});

Deno.test("usualMs() is the median time between observations, of at least five", () => {
  const at = (...times: number[]) => times.map((atMs): ChartPoint => [atMs, 1]);
  assertEquals(usualMs(at(0, 10, 20, 30)), 0);
  assertEquals(usualMs(at(0, 10, 20, 30, 100)), 10);
});

type Availability = "in_stock" | "out_of_stock" | "unknown";
const observed = (
  priceCents: number,
  availability: Availability = "in_stock",
  currency = "EUR",
) => ({ priceCents, currency, availability });

Deno.test("moveKindOf() names a change of stock before a change of price", () => {
  const cases = [
    [null, observed(5), "new_offer"],
    [null, observed(5, "unknown"), "new_offer"],
    [null, observed(5, "out_of_stock"), null],
    [observed(5), observed(5), null],
    [observed(5), observed(4), "down"],
    [observed(5), observed(6), "up"],
    [observed(5), observed(4, "out_of_stock"), "sold_out"],
    [observed(5, "unknown"), observed(5, "out_of_stock"), "sold_out"],
    [observed(5, "out_of_stock"), observed(4), "back_in_stock"],
    [observed(5, "out_of_stock"), observed(5, "unknown"), "back_in_stock"],
    [observed(5, "out_of_stock"), observed(4, "out_of_stock"), "down"],
    [observed(5), observed(5, "in_stock", "USD"), "new_offer"],
    [observed(5, "out_of_stock"), observed(5, "in_stock", "USD"), "new_offer"],
    [observed(5), observed(5, "out_of_stock", "USD"), "sold_out"],
    [observed(5, "out_of_stock"), observed(5, "out_of_stock", "USD"), null],
  ] as const;
  for (const [before, after, kind] of cases) {
    assertEquals(moveKindOf(before, after), kind, JSON.stringify([before, after]));
  }
});

const row = fc.record({
  match: fc.constantFrom("a", "b", "c"),
  price: fc.integer({ min: 1, max: 3 }),
  stock: fc.constantFrom("in_stock" as const, "out_of_stock" as const),
});
const rowsArbitrary = fc.array(row, { maxLength: 60 }).map((rows) =>
  rows.map(({ match, price, stock }, at): PlacedObservation => {
    const place = { productId: "p", matchId: match, competitorId: match, observedAtMs: at };
    const observation = anObservation({ ...place, ...observed(price, stock) });
    return { atMs: at, id: String(at).padStart(24, "0"), observation };
  })
);

async function* newestFirst(rows: readonly PlacedObservation[]) {
  yield* rows.toReversed();
}

Deno.test("moves read from the newest on, at once or in pieces, equal those read from the oldest on", async () => {
  const property = fc.asyncProperty(rowsArbitrary, async (rows) => {
    const last = new Map<string, PlacedObservation["observation"]>();
    const expected = rows.flatMap(({ observation, atMs }) => {
      const before = last.get(observation.matchId) ?? null;
      last.set(observation.matchId, observation);
      const kind = moveKindOf(before, observation);
      return kind === null ? [] : [[kind, atMs, before?.priceCents ?? null]];
    });
    const found = await Array.fromAsync(findMoves(newestFirst(rows), Infinity));
    const said = found.map((one) =>
      one.is === "move" ? [one.kind, one.seen.atMs, one.before?.priceCents ?? null] : one
    );
    assertEquals(said, expected.reverse());
    const ahead = 5;
    const whole = await Array.fromAsync(findMoves(newestFirst(rows), Infinity, ahead));
    const pieces: unknown[] = [];
    for (let untilMs = Infinity;;) {
      const rest = rows.filter(({ atMs }) => atMs <= untilMs);
      const part = await Array.fromAsync(findMoves(newestFirst(rest), 12, ahead));
      const end = part.at(-1);
      pieces.push(...part.filter((one) => one.is === "move"));
      if (end?.is !== "break") break;
      ok(end.atMs < untilMs, "it comes on");
      untilMs = end.atMs;
    }
    assertEquals(pieces, whole);
  });
  await fc.assert(property);
});

Deno.test("lists sorted newest first are merged from any place on, equal times by id", async () => {
  const item = fc.record({ atMs: fc.nat(6), id: fc.stringMatching(/^[0-9a-f]{4,6}$/) });
  const lists = fc.array(fc.array(item, { maxLength: 12 }), { maxLength: 5 });
  const places = fc.option(item, { nil: NEWEST });
  await fc.assert(fc.asyncProperty(lists, places, async (given, after) => {
    async function* source(items: readonly { atMs: number; id: string }[]) {
      yield* items.toSorted((a, b) => b.atMs - a.atMs);
    }
    const merged = await Array.fromAsync(mergeNewest(given.map(source), after));
    const expected = given.flat().sort(compareNewest)
      .filter((one) => compareNewest(one, after) > 0);
    const named = (items: typeof expected) => items.map(({ atMs, id }) => `${atMs} ${id}`);
    assertEquals(named(merged), named(expected));
  }));
});
