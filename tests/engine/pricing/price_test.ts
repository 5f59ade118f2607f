import { roundPrice } from "../../../src/engine/pricing/actions.ts";
import type { Decision } from "../../../src/engine/pricing/decide.ts";
import type {
  Offer,
  PricedProduct,
  PricingSettings,
} from "../../../src/engine/pricing/situation.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import { anOffer, aRule, aSituation, decide, HOUR_MS, NOW_MS } from "./market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

/** The decision of a rule that always fires, because our margin is below 99 %. */
function priced(
  action: Record<string, unknown>,
  offers: (Offer | number)[],
  given: {
    readonly floor?: number;
    readonly product?: Partial<PricedProduct>;
    readonly settings?: Partial<PricingSettings>;
  } = {},
): Decision {
  const rule = aRule({
    when: { trigger: "market_index", indexAbove: 0.0001 },
    marginFloor: given.floor === undefined ? null : { pct: given.floor },
    actions: [{ type: "propose_price", ...action }],
  });
  return decide(rule, aSituation(offers, given));
}

Deno.test("formulas take the cheapest reference, rounded down; a raise may be lifted further, and yen stay as they are", () => {
  const [cheapest, below] = ["match_cheapest", "min_competitor_minus_1pct"];
  const three = { packFactor: 3 };
  const yen = { product: { currency: "JPY" } };
  const rows: [string, Offer | number, number, Parameters<typeof priced>[2]?, string?][] = [
    [cheapest, 26_910, 26_910],
    [cheapest, anOffer(80_000, three), 26_666],
    [cheapest, 31_000, 31_000],
    [below, 26_910, 26_640],
    [below, 20_000, 19_800],
    [below, anOffer(100_000, three), 33_000],
    // The margin floor may lift a raised price above the cheapest offer.
    [cheapest, 30_000, 33_334, { floor: 40 }],
    // Currencies without two decimals are not rounded.
    [cheapest, anOffer(26_910, { currency: "JPY" }), 26_910, yen, "x.99"],
  ];
  for (const [formula, offer, cents, given = {}, rounding = "none"] of rows) {
    assertEquals(priced({ formula, rounding }, [offer], given).proposedCents, cents);
  }
});

Deno.test("match_cheapest takes the cheapest whatever the rule's reference is", () => {
  const rule = aRule({ when: { trigger: "competitor_undercut", reference: "second" } });
  assertEquals(decide(rule, aSituation([26_000, 27_000])).proposedCents, 26_000);
});

Deno.test("target_margin_pct is the lowest price with the margin, rounded up", () => {
  const formula = "target_margin_pct";
  const cost = { costPriceCents: 20_000 };
  const at = (targetMarginPct: number, product: Partial<PricedProduct> = cost) =>
    priced({ formula, targetMarginPct }, [1], { product });
  assertEquals(at(20).proposedCents, 25_000);
  assertEquals(at(30).proposedCents, 28_572);
  assertEquals(at(30).marginPct, 30);
  assertEquals(at(0).proposedCents, 20_000);
  assertEquals(at(100).blocked, ["floor_unreachable"]);
  assertEquals(at(20, { costPriceCents: null }).blocked, ["cost_unknown"]);
  assertEquals(at(20, { costPriceCents: 0 }).blocked, ["cost_unknown"]);
  assertEquals(at(20, { costPriceCents: 1 }).proposedCents, 2);
  const gross = { pricesIncludeVat: true, vatRatePct: 19 };
  assertEquals(
    priced({ formula, targetMarginPct: 20 }, [1], { product: cost, settings: gross }).proposedCents,
    29_750,
  );
  assertEquals(
    priced({ formula, targetMarginPct: 20 }, [1], {
      product: cost,
      settings: { pricesIncludeVat: true, vatRatePct: null },
    }).blocked,
    ["vat_unknown"],
  );
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

Deno.test("the margin floor lifts a price, rounded up, and is named as the guard", () => {
  const decision = priced({ formula: "match_cheapest" }, [22_000], { floor: 15 });
  assertEquals([decision.proposedCents, decision.bindingGuard], [23_530, "margin_floor"]);
  match(wireReason(decision.reason), /lifted to the margin floor of 15 %/);
  assertEquals(decision.marginPct, 15);
  assertEquals(decision.trace().price?.floor, { pct: 15, cents: 23_530, lifts: true });

  const met = priced({ formula: "match_cheapest" }, [23_530], { floor: 15 });
  assertEquals([met.proposedCents, met.bindingGuard], [23_530, null]);
});

Deno.test("guards block a price with a code, and the rule still fires", () => {
  const formula = "match_cheapest";
  const rows: [code: string, decision: Decision][] = [
    ["floor_above_current", priced({ formula }, [26_000], { floor: 40 })],
    [
      "floor_above_current",
      priced({ formula }, [22_000], {
        floor: 0,
        product: { ourPriceCents: 25_000, costPriceCents: 25_000 },
      }),
    ],
    [
      "cost_unknown",
      priced({ formula }, [26_000], { floor: 5, product: { costPriceCents: null } }),
    ],
    ["cost_unknown", priced({ formula }, [26_000], { floor: 5, product: { costPriceCents: 0 } })],
    ["floor_unreachable", priced({ formula }, [26_000], { floor: 100 })],
    ["price_too_low", priced({ formula }, [0])],
    ["price_too_low", priced({ formula }, [anOffer(1, { packFactor: 2 })])],
    ["no_change", priced({ formula }, [29_900])],
    ["price_locked", priced({ formula }, [26_000], { product: { priceLocked: true } })],
    [
      "price_too_high",
      priced({ formula: "target_margin_pct", targetMarginPct: 99.9999 }, [1], {
        product: { costPriceCents: 10 ** 12, ourPriceCents: 10 ** 12 },
      }),
    ],
  ];
  for (const [code, decision] of rows) {
    const { wouldFire, proposedCents, blocked, bindingGuard, reason, outcome } = decision;
    assertEquals([blocked, bindingGuard], [[code], code]);
    assertEquals([wouldFire, proposedCents, outcome], [true, null, "rest"], code);
    match(wireReason(reason), new RegExp(`no price: ${code}: `));
  }
  const zero = rows[3]![1];
  match(wireReason(zero.reason), /cost_unknown: the margin floor needs the cost, and 0 is none/);
  assertEquals([zero.marginPct, zero.trace().inputs.costPriceCents], [null, 0]);
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

Deno.test("roundPrice() goes down to the ending, or up if that is below the floor", () => {
  const rows: [
    cents: number,
    rounding: "x.99" | "x.95" | "10ct",
    floor: number | null,
    to: number,
  ][] = [
    [26_910, "x.99", null, 26_899],
    [26_999, "x.99", null, 26_999],
    [26_998, "x.99", null, 26_899],
    [26_910, "x.95", null, 26_895],
    [26_919, "10ct", null, 26_910],
    [26_910, "10ct", null, 26_910],
    [26_910, "x.99", 26_899, 26_899],
    [26_910, "x.99", 26_900, 26_999],
    [26_995, "x.95", 26_995, 26_995],
    [26_919, "10ct", 26_911, 26_920],
    [50, "x.99", null, -1],
  ];
  for (const row of rows) {
    const [cents, rounding, floor, to] = row;
    assertEquals(roundPrice(cents, rounding, floor), to, String(row));
  }
});

Deno.test("rounding comes after the floor, and the direction is checked last", () => {
  const action = { formula: "match_cheapest", rounding: "x.99" };
  assertEquals(priced(action, [26_910], { floor: 10 }).proposedCents, 26_899);
  // The floor is 299.00. The next ending above it is above the current price.
  const product = { ourPriceCents: 29_950, costPriceCents: 29_900 };
  assertEquals(priced(action, [26_910], { floor: 0, product }).blocked, ["floor_above_current"]);
  assertEquals(priced(action, [50]).blocked, ["price_too_low"]);
  // 300.50 is rounded down to 299.99, which is no raise.
  assertEquals(priced(action, [30_050], { product: { ourPriceCents: 30_000 } }).blocked, [
    "no_change",
  ]);
  assertEquals(priced(action, [30_050], { product: { ourPriceCents: 29_999 } }).blocked, [
    "no_change",
  ]);
});
