import { compileRule } from "../../../src/engine/pricing/compile_rule.ts";
import type { Situation } from "../../../src/engine/pricing/situation.ts";
import type { Trace } from "../../../src/engine/pricing/trace.ts";
import { type KnownNow, objectionTo } from "../../../src/rules/proposals/approval.ts";
import {
  anOffer,
  aSituation,
  decide,
  HOUR_MS,
  NOW_MS,
  theTerms,
} from "../../engine/pricing/market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const offer = anOffer(9_000, { competitor: "Acme" });
const product = { ourPriceCents: 10_000, costPriceCents: 8_100 };
const rule = theTerms({ marginFloor: { pct: 10 } });
const made = decide(compileRule(rule), aSituation([offer], { product }));
const trace: Trace = made.trace();

const proposal = {
  currentCents: 10_000,
  proposedCents: made.proposedCents ?? 0,
  currency: "EUR",
};

type Given = Parameters<typeof aSituation>[1];

const now = (given: Given = {}, offers = [offer]): Situation =>
  aSituation(offers, {
    ...given,
    product: { ...product, ...given?.product },
    settings: { autoApply: false, ...given?.settings },
  });

const having = (product: NonNullable<Given>["product"]) => ({ situation: now({ product }) });
const under = (settings: NonNullable<Given>["settings"]) => ({ situation: now({ settings }) });
const seen = (ageHours: number) => ({
  situation: now({}, [{ ...offer, observedAtMs: NOW_MS - ageHours * HOUR_MS }]),
});
const ruled = (terms: Record<string, unknown>) => ({
  rule: theTerms({ marginFloor: { pct: 10 }, ...terms }),
});
const bounded = (bounds: Record<string, unknown>) => ({
  rule: theTerms({ actions: [{ type: "propose_price", price: {} }], bounds }),
});
const NO_FLOOR = { marginFloor: null };
const NO_COST = having({ costPriceCents: null });
const TARGET = { type: "propose_price", formula: "target_margin_pct", targetMarginPct: 5 };
const AUTOMATIC = { type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 1 };
const FAR = { dayAgoCents: 20_000, movesOfDay: 0, setByPersonAtMs: NOW_MS };

const CASES: [string, Partial<KnownNow>, string | null][] = [
  ["nothing speaks against it, the margin at the floor included", {}, null],
  ["the rule is deleted", { rule: null }, "rule_deleted"],
  ["the rule is switched off", { rule: { ...rule, enabled: false } }, "rule_off"],
  ["the price has moved", having({ ourPriceCents: 9_999 }), "price_changed"],
  ["the currency is another", having({ currency: "CHF" }), "price_changed"],
  ["the price is locked", having({ priceLocked: true }), "price_locked"],
  ["the cost is gone", NO_COST, "cost_unknown"],
  ["the cost is 0", having({ costPriceCents: 0 }), "cost_unknown"],
  ["the product has got a lowest price above it", having({ minPriceCents: 9_001 }), "min_price"],
  ["the product has got a highest price below it", having({ maxPriceCents: 8_999 }), "max_price"],
  ["the rule has got a smallest mark-up above it", bounded({ markupPct: 12 }), "markup_floor"],
  ["the bounds of the rule hold", bounded({ markupPct: 11 }), null],
  [
    "the target price has fallen",
    { ...bounded({ aboveTargetPct: 0 }), ...having({ targetPriceCents: 8_999 }) },
    "above_target",
  ],
  ["the cost has grown", having({ costPriceCents: 8_101 }), "margin_floor"],
  ["the floor is 100 %", ruled({ marginFloor: { pct: 100 } }), "margin_floor"],
  ["VAT is unknown", under({ pricesIncludeVat: true }), "vat_unknown"],
  ["VAT is in the price", under({ pricesIncludeVat: true, vatRatePct: 19 }), "margin_floor"],
  ["without a floor the cost says nothing", { ...ruled(NO_FLOOR), ...NO_COST }, null],
  [
    "a target margin needs the cost, with and without a floor",
    { ...ruled({ ...NO_FLOOR, actions: [TARGET] }), ...NO_COST },
    "cost_unknown",
  ],
  ["the rule makes no price", ruled({ ...NO_FLOOR, actions: [{ type: "alert_inapp" }] }), null],
  ["its reference is 48 hours old", seen(48), null],
  ["its reference is older", seen(49), "stale_reference"],
  [
    "its reference is older than the rule allows",
    { ...ruled({ when: { trigger: "competitor_undercut", maxAgeHours: 24 } }), ...seen(25) },
    "stale_reference",
  ],
  ["its reference is dated ahead of the clock", seen(-2), "stale_reference"],
  ["the match of its reference is gone", { situation: now({}, []) }, "stale_reference"],
  ["it is not known what it was made from", { trace: null, situation: now({}, []) }, null],
  ["automatic changes are off, the price is a person's and moves far", {
    ...ruled({ actions: [AUTOMATIC] }),
    situation: now({ history: { rules: {}, openProposal: null, price: FAR } }),
  }, null],
];

Deno.test("objectionTo() names what speaks against a proposal now", () => {
  for (const [name, changes, guard] of CASES) {
    const known = { situation: now(), rule, trace, ...changes };
    assertEquals(objectionTo(proposal, known, null)?.code ?? null, guard, name);
  }
});
