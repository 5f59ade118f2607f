/**
 * The limits at which an observed price is suspicious. Expected values are computed without the
 * code under test.
 */

import { type Comparison, suspicionOf } from "../../../src/shops/recording/record_observation.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const EUR = "EUR";
const price = (priceCents: number, packFactor = 1, currency = EUR) => ({
  priceCents,
  packFactor,
  currency,
});
const nothing: Comparison = { accepted: null, others: [], cost: null, own: null };
const codeOf = (seen: ReturnType<typeof price>, more: Partial<Comparison>) =>
  suspicionOf(seen, { ...nothing, ...more })?.code ?? null;

const OTHERS = [price(900), price(1_000), price(1_100)];
const COST = { priceCents: 1_000, currency: EUR };
const OWN = { priceCents: 1_000, currency: EUR };

/** Observed prices in cents by the expected code; `none` is no suspicion. */
type Limits = Readonly<Record<string, readonly number[]>>;

const LIMITS: readonly [what: string, Partial<Comparison>, Limits][] = [
  ["the accepted price", { accepted: price(10_000) }, {
    none: [10_000, 5_001, 19_999],
    fell: [5_000, 989, 1_011, 102],
    rose: [20_000, 101_001, 100_000_000],
    unit: [1_000, 990, 1_010, 99, 101, 10, 100_000, 101_000, 1_000_000, 10_000_000],
  }],
  ["the market", { others: OTHERS }, {
    none: [500, 3_000],
    below_market: [499],
    above_market: [3_001],
  }],
  ["a market of two shops", { others: OTHERS.slice(1) }, { none: [1] }],
  // The market price of four shops is the mean of the middle two, here 950.
  ["a market of four shops", { others: [2_000, 1_000, 400, 900].map((cents) => price(cents)) }, {
    none: [475],
    below_market: [474],
  }],
  ["our cost", { cost: COST }, { none: [500], below_cost: [499] }],
  // Without market and cost, a first price is compared with our own price.
  ["our price", { own: OWN }, { none: [500, 2_000], first_price_off: [499, 2_001] }],
  ["our price of zero", { own: { ...OWN, priceCents: 0 } }, { none: [499] }],
];

for (const [what, comparison, limits] of LIMITS) {
  Deno.test(`each limit of the quarantine against ${what} is exact`, () => {
    for (const [code, prices] of Object.entries(limits)) {
      for (const cents of prices) {
        assertEquals(codeOf(price(cents), comparison) ?? "none", code, String(cents));
      }
    }
  });
}

Deno.test("prices are compared per piece and in one currency, and with our own price only if nothing else is known", () => {
  const own = { ...OWN, priceCents: 10_000 };
  const rows: readonly [ReturnType<typeof price>, Partial<Comparison>, string | null][] = [
    [price(10_000, 1, "USD"), { accepted: price(10_000) }, "currency"],
    [price(1), { others: [...OTHERS.slice(1), price(900, 1, "USD")] }, null],
    // Six pieces for 6,000 cost 1,000 each.
    [price(2_999, 6), { others: OTHERS }, "below_market"],
    [price(3_000, 6), { others: OTHERS }, null],
    [price(999, 2), { cost: COST }, "below_cost"],
    [price(499, 1, "USD"), { cost: COST }, null],
    [price(5_000, 6), { own: OWN }, null],
    [price(2_999, 6), { own: OWN }, "first_price_off"],
    [price(499, 1, "USD"), { own: OWN }, null],
    [price(600), { own, others: OTHERS }, null],
    [price(600), { own, others: OTHERS.slice(1) }, "first_price_off"],
    [price(600), { own, cost: COST }, null],
    [price(600), { own, cost: { ...COST, currency: "USD" } }, "first_price_off"],
    [price(600), { own, accepted: price(650) }, null],
  ];
  for (const [seen, comparison, code] of rows) {
    assertEquals(codeOf(seen, comparison), code, JSON.stringify([seen, comparison]));
  }
});

Deno.test("a suspicion names the price with which the observed pieces are compared", () => {
  const packs = [price(1_800, 2), price(1_000), price(1_101)];
  const rows: readonly [ReturnType<typeof price>, Partial<Comparison>, string, number][] = [
    [price(400), { accepted: price(1_000) }, "fell", 1_000],
    [price(400), { others: OTHERS }, "below_market", 1_000],
    [price(2_400, 6), { others: packs }, "below_market", 6_000],
    [price(400), { cost: COST }, "below_cost", 1_000],
    [price(2_400, 6), { own: OWN }, "first_price_off", 6_000],
  ];
  for (const [seen, comparison, code, againstCents] of rows) {
    assertEquals(suspicionOf(seen, { ...nothing, ...comparison }), { code, againstCents });
  }
});
