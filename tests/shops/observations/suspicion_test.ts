/**
 * The limits at which an observed price is suspicious. Expected values are computed without the
 * code under test.
 */

import { type Comparison, suspicionOf } from "../../../src/shops/quarantine/hold_observation.ts";
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

Deno.test("each limit of the quarantine is exact", () => {
  const accepted = price(10_000);
  const rows: readonly [number, string | null][] = [
    [10_000, null],
    [5_001, null],
    [5_000, "fell"],
    [19_999, null],
    [20_000, "rose"],
    [1_000, "unit"],
    [990, "unit"],
    [1_010, "unit"],
    [989, "fell"],
    [1_011, "fell"],
    [99, "unit"],
    [101, "unit"],
    [102, "fell"],
    [10, "unit"],
    [100_000, "unit"],
    [101_000, "unit"],
    [101_001, "rose"],
    [1_000_000, "unit"],
    [10_000_000, "unit"],
    [100_000_000, "rose"],
  ];
  for (const [cents, code] of rows) {
    assertEquals(codeOf(price(cents), { accepted }), code, String(cents));
  }
  assertEquals(codeOf(price(10_000, 1, "USD"), { accepted }), "currency");
  // A first price is compared with the market and our cost.
  const others = [price(900), price(1_000), price(1_100)];
  const market: readonly [number, string | null][] = [
    [500, null],
    [499, "below_market"],
    [3_000, null],
    [3_001, "above_market"],
  ];
  for (const [cents, code] of market) assertEquals(codeOf(price(cents), { others }), code);
  assertEquals(codeOf(price(1), { others: others.slice(1) }), null);
  assertEquals(codeOf(price(1), { others: [...others.slice(1), price(900, 1, "USD")] }), null);
  // The market price of four shops is the mean of the middle two, here 950.
  const four = [price(2_000), price(1_000), price(400), price(900)];
  assertEquals(codeOf(price(474), { others: four }), "below_market");
  assertEquals(codeOf(price(475), { others: four }), null);
  // Prices are compared per piece: six pieces for 6,000 cost 1,000 each.
  assertEquals(codeOf(price(2_999, 6), { others }), "below_market");
  assertEquals(codeOf(price(3_000, 6), { others }), null);
  const cost = { priceCents: 1_000, currency: EUR };
  assertEquals(codeOf(price(500), { cost }), null);
  assertEquals(codeOf(price(499), { cost }), "below_cost");
  assertEquals(codeOf(price(999, 2), { cost }), "below_cost");
  assertEquals(codeOf(price(499, 1, "USD"), { cost }), null);
  // Without market and cost, a first price is compared with our own price.
  const own = { priceCents: 1_000, currency: EUR };
  const first: readonly [number, string | null][] = [
    [500, null],
    [499, "first_price_off"],
    [2_000, null],
    [2_001, "first_price_off"],
  ];
  for (const [cents, code] of first) assertEquals(codeOf(price(cents), { own }), code);
  assertEquals(codeOf(price(5_000, 6), { own }), null);
  assertEquals(codeOf(price(2_999, 6), { own }), "first_price_off");
  assertEquals(codeOf(price(499, 1, "USD"), { own }), null);
  assertEquals(codeOf(price(499), { own: { ...own, priceCents: 0 } }), null);
  const far = { own: { priceCents: 10_000, currency: EUR } };
  assertEquals(codeOf(price(600), { ...far, others }), null);
  assertEquals(codeOf(price(600), { ...far, others: others.slice(1) }), "first_price_off");
  assertEquals(codeOf(price(600), { ...far, cost }), null);
  assertEquals(
    codeOf(price(600), { ...far, cost: { ...cost, currency: "USD" } }),
    "first_price_off",
  );
  assertEquals(codeOf(price(600), { ...far, accepted: price(650) }), null);
});

Deno.test("a suspicion names the price with which the observed pieces are compared", () => {
  const others = [price(900), price(1_000), price(1_100)];
  const one = { priceCents: 1_000, currency: EUR };
  const rows: readonly [ReturnType<typeof price>, Partial<Comparison>, string, number][] = [
    [price(400), { accepted: price(1_000) }, "fell", 1_000],
    [price(400), { others }, "below_market", 1_000],
    [
      price(2_400, 6),
      { others: [price(1_800, 2), price(1_000), price(1_101)] },
      "below_market",
      6_000,
    ],
    [price(400), { cost: one }, "below_cost", 1_000],
    [price(2_400, 6), { own: one }, "first_price_off", 6_000],
  ];
  for (const [seen, comparison, code, againstCents] of rows) {
    assertEquals(suspicionOf(seen, { ...nothing, ...comparison }), { code, againstCents });
  }
});
