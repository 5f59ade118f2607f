import type { Decision } from "../../../src/engine/pricing/decide.ts";
import type { Offer } from "../../../src/engine/pricing/situation.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import { type Grouped, testEach } from "../grouped.ts";
import { anOffer, aRule, aSituation, decide, HOUR_MS, NOW_MS } from "./market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

/** The decision of a rule that always fires, with the margin floor `floor`. */
function priced(
  action: Record<string, unknown>,
  offers: (Offer | number)[],
  { floor, ...about }: Parameters<typeof aSituation>[1] & { readonly floor?: number } = {},
): Decision {
  const rule = aRule({
    when: { trigger: "market_index", indexAbove: 0.0001 },
    marginFloor: floor === undefined ? null : { pct: floor },
    actions: [{ type: "propose_price", ...action }],
  });
  return decide(rule, aSituation(offers, about));
}

/** The price with the guard that limited it, or the code of the guard that prevented a price. */
function outcomeOf({ proposedCents, wouldFire, blocked, bindingGuard, ...more }: Decision): string {
  assertEquals(wouldFire, true);
  if (proposedCents !== null) return [proposedCents, bindingGuard].filter(Boolean).join(" ");
  const [code] = blocked;
  assertEquals([blocked, bindingGuard, more.outcome], [[code], code, "rest"]);
  match(wireReason(more.reason), new RegExp(`no price: ${code}: `));
  return `${code}`;
}

const CHEAPEST = { formula: "match_cheapest" };
const BELOW = { formula: "min_competitor_minus_1pct" };
const CHEAPEST_ENDING_99 = { ...CHEAPEST, rounding: "x.99" };
const TO_TEN_CENTS = { ...CHEAPEST, rounding: "10ct" };
const PRICE_MAX = 10 ** 12;
const margin = (targetMarginPct: number) => ({ formula: "target_margin_pct", targetMarginPct });
const three = (priceCents: number) => anOffer(priceCents, { packFactor: 3 });
const costing = (costPriceCents: number | null) => ({ product: { costPriceCents } });
const ours = (ourPriceCents: number, costPriceCents = 20_000) => ({
  product: { ourPriceCents, costPriceCents },
});
const between = (minPriceCents: number | null, maxPriceCents: number | null) => ({
  product: { minPriceCents, maxPriceCents },
});
const gross = (vatRatePct: number | null) => ({ settings: { pricesIncludeVat: true, vatRatePct } });

const PRICES: Grouped<Parameters<typeof priced>> = {
  "26910": {
    "the cheapest": [CHEAPEST, [26_910]],
    "a price rounded down to ten cents": [TO_TEN_CENTS, [26_919]],
    "a currency without two decimals is not rounded": [
      CHEAPEST_ENDING_99,
      [anOffer(26_910, { currency: "JPY" })],
      { product: { currency: "JPY" } },
    ],
  },
  "26895": { "an ending of 95": [{ ...CHEAPEST, rounding: "x.95" }, [26_910]] },
  "26999": { "an ending that the offer has": [CHEAPEST_ENDING_99, [26_999]] },
  "23599 margin_floor": {
    "an ending above the floor, not below it": [CHEAPEST_ENDING_99, [22_000], { floor: 15 }],
  },
  "23590 margin_floor": {
    "the floor rounded up to ten cents": [TO_TEN_CENTS, [22_000], { floor: 15.2 }],
  },
  "26666": { "the price of one of three pieces, rounded down": [CHEAPEST, [three(80_000)]] },
  "26640": { "1 % below the cheapest, rounded down": [BELOW, [26_910]] },
  "33000": { "1 % below one of three pieces": [BELOW, [three(100_000)]] },
  "25000": { "the lowest price with the margin": [margin(20), [1]] },
  "28572": { "the lowest price with the margin, rounded up": [margin(30), [1]] },
  "20000": { "the cost for a margin of 0": [margin(0), [1]] },
  "2": { "a margin of a cost of one cent": [margin(20), [1], costing(1)] },
  "29750": { "a margin net of VAT": [margin(20), [1], gross(19)] },
  "33334 margin_floor": {
    "a raise lifted above the cheapest": [CHEAPEST, [30_000], { floor: 40 }],
  },
  "23530 margin_floor": { "a price lifted to the floor": [CHEAPEST, [22_000], { floor: 15 }] },
  "23530": { "a price at the floor": [CHEAPEST, [23_530], { floor: 15 }] },
  "26899": {
    "an ending above the floor": [CHEAPEST_ENDING_99, [26_910], { floor: 10 }],
    "an ending at the minimum": [CHEAPEST_ENDING_99, [26_910], between(26_899, null)],
  },
  "28000 min_price": { "the minimum price": [CHEAPEST, [27_000], between(28_000, null)] },
  "31000 max_price": { "the maximum price": [CHEAPEST, [32_000], between(null, 31_000)] },
  "28099 min_price": {
    "an ending above the minimum": [CHEAPEST_ENDING_99, [27_000], between(28_000, null)],
  },
  "28000 ending_dropped": {
    "no ending between the bounds": [CHEAPEST_ENDING_99, [27_000], between(28_000, 28_050)],
  },
  bounds_conflict: { "a minimum above the maximum": [CHEAPEST, [27_000], between(300, 200)] },
  floor_above_current: {
    "a minimum at our price": [CHEAPEST, [27_000], between(29_900, null)],
    "a floor above our price": [CHEAPEST, [26_000], { floor: 40 }],
    "a floor at our price": [CHEAPEST, [22_000], { floor: 0, ...ours(25_000, 25_000) }],
    // The floor is 299.00 and our price 299.50, but the next price ending in 99 is 299.99.
    "an ending above the floor and our price": [CHEAPEST_ENDING_99, [26_910], {
      floor: 0,
      ...ours(29_950, 29_900),
    }],
  },
  cost_unknown: {
    "a floor without a cost": [CHEAPEST, [26_000], { floor: 5, ...costing(null) }],
    "a floor with a cost of 0": [CHEAPEST, [26_000], { floor: 5, ...costing(0) }],
    "a margin without a cost": [margin(20), [1], costing(null)],
    "a margin with a cost of 0": [margin(20), [1], costing(0)],
  },
  floor_unreachable: {
    "a floor of 100 %": [CHEAPEST, [26_000], { floor: 100 }],
    "a margin of 100 %": [margin(100), [1]],
  },
  vat_unknown: { "a margin without a VAT rate": [margin(20), [1], gross(null)] },
  price_too_low: {
    "an offer of 0": [CHEAPEST, [0]],
    "half a cent": [CHEAPEST, [anOffer(1, { packFactor: 2 })]],
    "no ending below the offer": [CHEAPEST_ENDING_99, [50]],
  },
  price_too_high: {
    "a price above the maximum": [margin(99.9999), [1], ours(PRICE_MAX, PRICE_MAX)],
    "a price above the maximum with an ending below it": [
      { ...margin(0), rounding: "x.99" },
      [1],
      ours(PRICE_MAX - 200, PRICE_MAX + 1),
    ],
  },
  no_change: {
    "an offer at our price": [CHEAPEST, [29_900]],
    // 300.50 is rounded down to 299.99, which does not raise our price of 300.00.
    "an ending below our price after a raise": [CHEAPEST_ENDING_99, [30_050], ours(30_000)],
    "an ending at our price": [CHEAPEST_ENDING_99, [30_050], ours(29_999)],
  },
  price_locked: { "a locked product": [CHEAPEST, [26_000], { product: { priceLocked: true } }] },
};

testEach("a formula's price", PRICES, (given) => outcomeOf(priced(...given)));

Deno.test("the reason names the margin floor, and says that 0 is no cost", () => {
  const lifted = priced(CHEAPEST, [22_000], { floor: 15 });
  match(wireReason(lifted.reason), /lifted to the margin floor of 15 %/);
  assertEquals([lifted.marginPct, priced(margin(30), [1]).marginPct], [15, 30]);
  assertEquals(lifted.trace().price?.floor, { pct: 15, cents: 23_530, lifts: true });
  const zero = priced(CHEAPEST, [26_000], { floor: 5, ...costing(0) });
  match(wireReason(zero.reason), /cost_unknown: the margin floor needs the cost, and 0 is none/);
  assertEquals([zero.marginPct, zero.trace().inputs.costPriceCents], [null, 0]);
});

Deno.test("match_cheapest takes the cheapest whatever the rule's reference is", () => {
  const rule = aRule({ when: { trigger: "competitor_undercut", reference: "second" } });
  assertEquals(decide(rule, aSituation([26_000, 27_000])).proposedCents, 26_000);
});

Deno.test("target_margin_pct takes the margin of the action, else of the trigger, else of the floor", () => {
  const product = { ourPriceCents: 21_000, costPriceCents: 20_000 };
  const target = (action: Record<string, unknown>, when: Record<string, unknown>) =>
    decide(
      aRule({
        when,
        marginFloor: { pct: 50 },
        actions: [{ type: "propose_price", formula: "target_margin_pct", ...action }],
      }),
      aSituation([29_000], { product }),
    ).trace().price?.targetMarginPct;
  const below = { trigger: "margin_below", marginPct: 20 };
  assertEquals(target({ targetMarginPct: 10 }, below), 10);
  assertEquals(target({}, below), 20);
  assertEquals(target({}, { trigger: "competitor_overcut" }), 50);
});

Deno.test("no_own_price: scrape_stale alerts and gives no first price", () => {
  const rule = aRule({
    when: { trigger: "scrape_stale", staleHours: 1, maxAgeHours: 720 },
    actions: [{ type: "alert_inapp" }, { type: "propose_price", formula: "match_cheapest" }],
  });
  const old = anOffer(100, { observedAtMs: NOW_MS - 2 * HOUR_MS });
  const decision = decide(rule, aSituation([old], { product: { ourPriceCents: null } }));
  assertEquals([decision.outcome, decision.blocked], ["alert", ["no_own_price"]]);
});

Deno.test("no_reference: a margin trigger has no competitor price to match", () => {
  const rule = aRule({ when: { trigger: "margin_above", marginPct: 1 } });
  const decision = decide(rule, aSituation([anOffer(100, { inStock: false })]));
  assertEquals([decision.wouldFire, decision.blocked], [true, ["no_reference"]]);
});
