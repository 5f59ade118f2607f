import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { assert, constantFrom, integer, property } from "fast-check";
import {
  needsReason,
  NO_LIMITS,
  type PriceDoubt,
  priceDoubts,
} from "../../src/base/price_doubts.ts";

const TERMS = { costPriceCents: 55_544, pricesIncludeVat: true, vatRatePct: 19 };
const PRICES = { oldCents: 78_826, marketCents: 75_299, floorPct: 8 };
const PLAIN = { ...PRICES, terms: TERMS, limits: NO_LIMITS };

const shortOf = (doubts: readonly PriceDoubt[]) =>
  doubts.map((doubt) =>
    doubt.code === "factor"
      ? `${doubt.isMore ? "×" : "÷"}${doubt.factor} ${doubt.against} ${doubt.likelyCents}`
      : doubt.code
  );

// The cost is 555.44 net, 660.97 gross. The floor of 8 % margin is 718.45.
const TABLE: readonly (readonly [string, number, readonly string[]])[] = [
  ["the price that stands", 78_826, []],
  ["a little less", 76_999, []],
  ["a hundred times as much", 7_699_900, ["×100 old 76999"]],
  ["ten times as much", 788_260, ["×10 old 78826"]],
  ["a thousand times as much", 78_826_000, ["×1000 old 78826"]],
  ["a tenth", 7_699, ["÷10 old 76990", "below_cost"]],
  ["a hundredth", 770, ["÷100 old 77000", "below_cost"]],
  ["a thousandth", 79, ["÷1000 old 79000", "below_cost"]],
  ["nothing at all", 0, ["below_cost", "far_off"]],
  ["exactly a quarter more", 98_532, []],
  ["more than a quarter more", 98_533, ["far_off"]],
  ["under cost", 66_000, ["below_cost"]],
  ["exactly the cost", 66_097, ["below_cost"]],
  ["just above the cost", 66_098, ["below_floor"]],
  ["just under the floor", 71_845 - 1, ["below_floor"]],
  ["at the floor", 71_845, []],
];

for (const [what, cents, expected] of TABLE) {
  Deno.test(`priceDoubts() of ${what}`, () => {
    const doubts = priceDoubts({ ...PLAIN, cents });
    assertEquals(shortOf(doubts), expected);
    assertEquals(needsReason(doubts), expected.some((code) => code.startsWith("below")));
  });
}

const LIMITS = { minPriceCents: 70_000, maxPriceCents: 80_000, isLocked: false, isHeld: false };
const LIMITED: readonly (readonly [string, number, Partial<typeof LIMITS>, readonly string[]])[] = [
  ["at the minimum", 70_000, {}, ["below_floor"]],
  ["under the minimum", 69_999, {}, ["below_floor", "below_min"]],
  ["at the maximum", 80_000, {}, []],
  ["above the maximum", 80_001, {}, ["above_max"]],
  ["of a locked product", 75_000, { isLocked: true }, ["locked"]],
  ["of a held product", 75_000, { isHeld: true }, ["held"]],
];

for (const [what, cents, more, expected] of LIMITED) {
  Deno.test(`a price ${what} needs a reason where a person has set a limit`, () => {
    const doubts = priceDoubts({ ...PLAIN, cents, limits: { ...LIMITS, ...more } });
    assertEquals(shortOf(doubts), expected);
    assertEquals(needsReason(doubts), expected.length > 0);
  });
}

Deno.test("a price needs no reason if its margin reaches a lower floor", () => {
  assertEquals(priceDoubts({ ...PLAIN, cents: 70_000, floorPct: 5 }), []);
});

Deno.test("a first price is compared with the market, then with the cost", () => {
  const first = { oldCents: null, floorPct: null };
  const priced = (cents: number, marketCents: number | null) =>
    shortOf(priceDoubts({ ...PLAIN, ...first, marketCents, cents }));
  assertEquals(priced(7_530_000, 75_299), ["×100 market 75300"]);
  assertEquals(priced(6_700_000, null), ["×100 cost 67000"]);
  assertEquals(priced(75_000, null), []);
});

Deno.test("a price that already had this relation to market or cost is not doubted", () => {
  const cheapCost = { costPriceCents: 7_000, pricesIncludeVat: false, vatRatePct: null };
  const asked = { ...PLAIN, oldCents: 70_000, marketCents: null, floorPct: null, terms: cheapCost };
  assertEquals(priceDoubts({ ...asked, cents: 70_500 }), []);
  const first = priceDoubts({ ...asked, oldCents: null, cents: 70_500 });
  assertEquals(shortOf(first), ["×10 cost 7050"]);
});

Deno.test("priceDoubts() finds a shift of digits at any price, and names the intended price", () => {
  const factor = constantFrom(10, 100, 1_000);
  assert(property(integer({ min: 1_000, max: 10 ** 8 }), factor, (oldCents, times) => {
    const terms = { ...TERMS, costPriceCents: null };
    const asked = { ...PLAIN, oldCents, marketCents: null, floorPct: null, terms };
    const [more] = priceDoubts({ ...asked, cents: oldCents * times });
    ok(more?.code === "factor" && more.isMore && more.likelyCents === oldCents);
    const less = Math.round(oldCents / times);
    const [found] = priceDoubts({ ...asked, cents: less });
    ok(found?.code === "factor" ? !found.isMore && found.likelyCents === less * times : less < 2);
  }));
});
