import { compileRule, type JudgedRule } from "../../../src/engine/pricing/compile_rule.ts";
import type { Situation } from "../../../src/engine/pricing/situation.ts";
import type { Trace } from "../../../src/engine/pricing/trace.ts";
import { type KnownNow, objectionTo } from "../../../src/rules/proposals/decide_proposal.ts";
import { openProposal } from "../../../src/rules/proposals/proposal.ts";
import {
  anOffer,
  aSituation,
  decide,
  HOUR_MS,
  NOW_MS,
  theTerms,
} from "../../engine/pricing/market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const id = "0".repeat(24);
const offer = anOffer(9_000, { competitor: "Acme" });
const product = { ourPriceCents: 10_000, costPriceCents: 8_100 };
const rule = theTerms({ marginFloor: { pct: 10 } });
const made = decide(compileRule(rule), aSituation([offer], { product }));
const trace: Trace = made.trace();

const proposal = openProposal({
  id,
  rule: { id, name: "R" },
  product: { id, sku: "A", title: "A", currency: "EUR" },
  currentCents: 10_000,
  proposedCents: made.proposedCents ?? 0,
  reason: "",
  marketThen: null,
  now: new Date(NOW_MS),
});

type Given = Parameters<typeof aSituation>[1];

const now = (given: Given = {}, offers = [offer]): Situation =>
  aSituation(offers, {
    ...given,
    product: { ...product, ...given?.product },
    settings: { autoApply: false, ...given?.settings },
  });

const known = (changes: Partial<KnownNow>): KnownNow => ({
  situation: now(),
  rule,
  trace,
  ...changes,
});

const seen = (ageHours: number) =>
  now({}, [{ ...offer, observedAtMs: NOW_MS - ageHours * HOUR_MS }]);
const without = (terms: Record<string, unknown>): JudgedRule =>
  theTerms({ marginFloor: { pct: 10 }, ...terms });

const aimed = (terms: Record<string, unknown>): JudgedRule =>
  theTerms({ actions: [{ type: "propose_price", price: {} }], ...terms });

const CASES: [string, Partial<KnownNow>, string | null][] = [
  ["nothing speaks against it, the margin at the floor included", {}, null],
  ["the rule is deleted", { rule: null }, "rule_deleted"],
  ["the rule is switched off", { rule: { ...rule, enabled: false } }, "rule_off"],
  [
    "the price has moved",
    { situation: now({ product: { ourPriceCents: 9_999 } }) },
    "price_changed",
  ],
  ["the price is gone", { situation: now({ product: { ourPriceCents: null } }) }, "price_changed"],
  [
    "the currency is another",
    { situation: now({ product: { currency: "CHF" } }) },
    "price_changed",
  ],
  ["the price is locked", { situation: now({ product: { priceLocked: true } }) }, "price_locked"],
  ["the cost is gone", { situation: now({ product: { costPriceCents: null } }) }, "cost_unknown"],
  ["the cost is 0", { situation: now({ product: { costPriceCents: 0 } }) }, "cost_unknown"],
  [
    "the product has got a lowest price above it",
    { situation: now({ product: { minPriceCents: 9_001 } }) },
    "min_price",
  ],
  [
    "the product has got a highest price below it",
    { situation: now({ product: { maxPriceCents: 8_999 } }) },
    "max_price",
  ],
  [
    "the rule has got a smallest mark-up above it",
    { rule: aimed({ bounds: { markupPct: 12 } }) },
    "markup_floor",
  ],
  [
    "the target price has fallen",
    {
      rule: aimed({ bounds: { aboveTargetPct: 0 } }),
      situation: now({ product: { targetPriceCents: 8_999 } }),
    },
    "above_target",
  ],
  ["the bounds of the rule hold", { rule: aimed({ bounds: { markupPct: 11 } }) }, null],
  [
    "the cost has grown",
    { situation: now({ product: { costPriceCents: 8_101 } }) },
    "margin_floor",
  ],
  ["the floor is 100 %", { rule: without({ marginFloor: { pct: 100 } }) }, "margin_floor"],
  ["VAT is unknown", { situation: now({ settings: { pricesIncludeVat: true } }) }, "vat_unknown"],
  [
    "VAT is in the price",
    { situation: now({ settings: { pricesIncludeVat: true, vatRatePct: 19 } }) },
    "margin_floor",
  ],
  ["without a floor the cost says nothing", {
    rule: without({ marginFloor: null }),
    situation: now({ product: { costPriceCents: null } }),
  }, null],
  ["a target margin needs the cost, with and without a floor", {
    rule: without({
      marginFloor: null,
      actions: [{ type: "propose_price", formula: "target_margin_pct", targetMarginPct: 5 }],
    }),
    situation: now({ product: { costPriceCents: null } }),
  }, "cost_unknown"],
  ["the rule makes no price any more", {
    rule: without({ marginFloor: null, actions: [{ type: "alert_inapp" }] }),
  }, null],
  ["its reference is 48 hours old", { situation: seen(48) }, null],
  ["its reference is older", { situation: seen(49) }, "stale_reference"],
  ["its reference is older than the rule allows", {
    rule: without({ when: { trigger: "competitor_undercut", maxAgeHours: 24 } }),
    situation: seen(25),
  }, "stale_reference"],
  ["its reference is dated ahead of the clock", { situation: seen(-2) }, "stale_reference"],
  ["the match of its reference is gone", { situation: now({}, []) }, "stale_reference"],
  ["nobody knows any more what it was made from", { trace: null, situation: now({}, []) }, null],
  ["automatic changes are off, the price is a person's and moves far", {
    rule: without({
      actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 1 }],
    }),
    situation: now({
      history: {
        rules: {},
        openProposal: null,
        price: { dayAgoCents: 20_000, movesOfDay: 0, setByPersonAtMs: NOW_MS },
      },
    }),
  }, null],
];

for (const [name, changes, guard] of CASES) {
  Deno.test(`objectionTo(): ${name}`, () => {
    assertEquals(objectionTo(proposal, known(changes), null)?.code ?? null, guard);
  });
}
