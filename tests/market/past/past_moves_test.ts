import fc from "fast-check";
import {
  compareNewest,
  findMoves,
  mergeNewest,
  NEWEST,
} from "../../../src/market/past/merge_newest.ts";
import { moveKindOf } from "../../../src/shops/observations/move_store.ts";
import type { PlacedObservation } from "../../../src/shops/observations/observation.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const observed = (priceCents: number, availability = "in_stock", currency = "EUR") => ({
  priceCents,
  currency,
  availability: availability as "in_stock" | "out_of_stock" | "unknown",
});

Deno.test("moveKindOf() names a change of stock before a change of price", () => {
  const cases = [
    [null, observed(5), "new_offer"],
    [null, observed(5, "unknown"), "new_offer"],
    [null, observed(5, "out_of_stock"), null],
    [observed(5), observed(5), null],
    [observed(5), observed(5, "unknown"), null],
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

const rowsArbitrary = fc.array(
  fc.record({
    match: fc.constantFrom("a", "b", "c"),
    price: fc.integer({ min: 1, max: 3 }),
    stock: fc.constantFrom("in_stock", "out_of_stock"),
  }),
  { maxLength: 60 },
);

function placed(rows: readonly { match: string; price: number; stock: string }[]) {
  return rows.map(({ match, price, stock }, at): PlacedObservation => ({
    atMs: at,
    id: String(at).padStart(24, "0"),
    observation: {
      productId: "p",
      matchId: match,
      competitorId: match,
      ...observed(price, stock),
      listPriceCents: null,
      shippingCents: null,
      method: null,
      confidence: 1,
      source: "push",
      runId: null,
      observedAtMs: at,
    },
  }));
}

async function* newestFirst(rows: readonly PlacedObservation[]) {
  yield* rows.toReversed();
}

Deno.test("moves read from the newest on equal those read from the oldest on", async () => {
  await fc.assert(
    fc.asyncProperty(rowsArbitrary, async (written) => {
      const rows = placed(written);
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
    }),
  );
});

Deno.test("a search for moves that stopped continues where it ended, and returns each move once", async () => {
  await fc.assert(
    fc.asyncProperty(rowsArbitrary, async (written) => {
      const rows = placed(written);
      const ahead = 5;
      const whole = await Array.fromAsync(findMoves(newestFirst(rows), Infinity, ahead));
      const pieces: unknown[] = [];
      for (let untilMs = Infinity;;) {
        const rest = rows.filter(({ atMs }) => atMs <= untilMs);
        const found = await Array.fromAsync(findMoves(newestFirst(rest), 12, ahead));
        const end = found.at(-1);
        pieces.push(...found.filter((one) => one.is === "move"));
        if (end?.is !== "break") break;
        ok(end.atMs < untilMs, "it comes on");
        untilMs = end.atMs;
      }
      assertEquals(pieces, whole);
    }),
  );
});

Deno.test("lists sorted newest first are merged from any place on, equal times by id", async () => {
  const item = fc.record({ atMs: fc.nat(6), id: fc.stringMatching(/^[0-9a-f]{4,6}$/) });
  const lists = fc.array(fc.array(item, { maxLength: 12 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lists, fc.option(item, { nil: NEWEST }), async (given, after) => {
      async function* source(items: readonly { atMs: number; id: string }[]) {
        yield* items.toSorted((a, b) => b.atMs - a.atMs);
      }
      const merged = await Array.fromAsync(mergeNewest(given.map(source), after));
      const expected = given.flat().sort(compareNewest)
        .filter((one) => compareNewest(one, after) > 0);
      assertEquals(
        merged.map(({ atMs, id }) => `${atMs} ${id}`),
        expected.map(({ atMs, id }) => `${atMs} ${id}`),
      );
    }),
  );
});
