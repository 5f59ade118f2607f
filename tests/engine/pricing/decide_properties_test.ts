import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { compileRule } from "../../../src/engine/pricing/compile_rule.ts";
import { NO_HISTORY, type Situation } from "../../../src/engine/pricing/situation.ts";
import { NewRule } from "../../../src/engine/pricing/rule.ts";
import { aSituation, decide, HOUR_MS, NOW_MS, theTerms } from "./market.ts";
import { situations } from "./random_market.ts";
import { extent } from "../../proof.ts";
import { randomRules } from "../random_rule.ts";
import fc from "fast-check";

const cents = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 10 ** 12 }));
const percents = fc.integer({ min: 0, max: 1_000_000 }).map((pct) => pct / 10_000);

const products = situations(cents, cents);

const whens = fc.oneof(
  fc.record({
    trigger: fc.constantFrom("competitor_undercut", "competitor_overcut"),
    competitorDeltaPct: percents.map((pct) => pct / 100).map((pct) => Math.round(pct * 1e4) / 1e4),
    reference: fc.constantFrom("cheapest", "second", "average", "highest"),
  }),
  fc.record({ trigger: fc.constantFrom("margin_below", "margin_above"), marginPct: percents }),
  fc.record({ trigger: fc.constant("market_index"), indexAbove: percents }),
).map((when) => ({ ...when, maxAgeHours: 48 }));

const rules = fc.record({
  when: whens,
  floor: fc.option(percents),
  formula: fc.constantFrom("match_cheapest", "min_competitor_minus_1pct", "target_margin_pct"),
  targetMarginPct: percents,
  rounding: fc.constantFrom("none", "x.99", "x.95", "10ct"),
  maxChangePct: percents,
}).map(({ when, floor, ...action }) =>
  theTerms({
    when,
    marginFloor: floor === null ? null : { pct: floor },
    actions: [{ type: "auto_apply_if_safe", ...action }],
  })
);

/** Failing cases are not reduced to smaller ones, because this takes minutes. */
const RUNS = { numRuns: extent(2_000, 400), endOnFailure: true };

/** Checks exactly, without the code under test, that (net − cost) ÷ net ≥ `pct`. */
function hasMargin(situation: Situation, priceCents: number, pct: number): boolean {
  const { product, settings } = situation;
  const tenThousandths = BigInt(Math.round(pct * 10_000));
  const rate = settings.pricesIncludeVat
    ? BigInt(Math.round((product.vatRatePct ?? 0) * 10_000))
    : 0n;
  const net = BigInt(priceCents) * 1_000_000n;
  const gross = 1_000_000n + rate;
  return net * (1_000_000n - tenThousandths) >=
    BigInt(product.costPriceCents ?? 0) * gross * 1_000_000n;
}

Deno.test("decide() never gives a price below the margin floor, and one cent less would be below it", () => {
  const property = fc.property(rules, products, (terms, situation) => {
    const decision = decide(compileRule(terms), situation);
    if (decision.proposedCents === null || terms.marginFloor === null) return;
    const { pct } = terms.marginFloor;
    assert(hasMargin(situation, decision.proposedCents, pct));
    const floor = decision.trace().price?.floor?.cents ?? 0;
    assert(floor === 0 || !hasMargin(situation, floor - 1, pct));
  });
  fc.assert(property, RUNS);
});

Deno.test("decide() never applies beyond maxChangePct, on a locked product, or without a floor", () => {
  let applied = 0;
  const property = fc.property(rules, products, (terms, situation) => {
    const decision = decide(compileRule(terms), situation);
    if (decision.outcome !== "apply") return;
    applied += 1;
    const [action] = terms.actions;
    const maxPct = action?.type === "auto_apply_if_safe" ? action.maxChangePct : 0;
    const proposed = decision.proposedCents!;
    const from = [situation.product.ourPriceCents!, situation.history.price!.dayAgoCents];
    for (const cents of from) {
      if (cents === null) continue;
      const change = BigInt(Math.abs(proposed - cents)) * 1_000_000n;
      assert(change <= BigInt(cents) * BigInt(Math.round(maxPct * 10_000)));
    }
    assert(!situation.product.priceLocked && terms.marginFloor !== null);
  });
  // Random prices are rarely safe enough to be applied, so the test also tries a safe case.
  const safe = theTerms({
    marginFloor: { pct: 15 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 10 }],
  });
  const numRuns = extent(10_000, 1_000);
  fc.assert(property, { ...RUNS, numRuns, examples: [[safe, aSituation([28_000])]] });
  assert(applied > 0, "no case was applied: the property says nothing");
});

Deno.test("decide() never ends at or above the current price if the formula asked for less", () => {
  const property = fc.property(rules, products, (terms, situation) => {
    const decision = decide(compileRule(terms), situation);
    const ours = situation.product.ourPriceCents ?? 0;
    const wished = decision.trace().price?.wishedCents ?? 0;
    if (decision.proposedCents === null) return;
    assert(wished >= ours || decision.proposedCents < ours);
    assert(decision.proposedCents !== ours && decision.proposedCents >= 1);
  });
  fc.assert(property, RUNS);
});

Deno.test("decide() simulates the same as it previews, for observations in the window", () => {
  const property = fc.property(rules, products, (terms, drawn) => {
    const rule = compileRule(terms);
    const situation: Situation = { ...drawn, mode: "preview" };
    const isSeen = situation.offers.some(({ observedAtMs }) => observedAtMs !== null);
    fc.pre(isSeen);
    const { trace: _previewed, ...previewed } = decide(rule, situation);
    const { trace: _simulated, ...simulated } = decide(rule, { ...situation, mode: "simulate" });
    assertEquals(simulated, previewed);
  });
  fc.assert(property, RUNS);
});

Deno.test("decide() says that the history is unread if the history could change its price", () => {
  const always = { trigger: "market_index", always: true };
  const pasts = fc.record({
    dayAgoCents: fc.option(fc.integer({ min: 3_000, max: 7_000 })),
    movesOfDay: fc.nat(6),
    setByPersonAtMs: fc.constantFrom(null, NOW_MS - HOUR_MS),
  });
  const shops = fc.array(fc.integer({ min: 3_000, max: 7_000 }), { minLength: 2, maxLength: 4 });
  let [priced, unread] = [0, 0];
  const property = fc.property(randomRules, shops, pasts, (drawn, cents, price) => {
    const terms = { ...drawn, when: always, scope: { mode: "all" }, currency: null };
    const rule = compileRule(theTerms(terms));
    const product = { ourPriceCents: 5_000, costPriceCents: 2_000, targetPriceCents: 6_000 };
    const decided = (past: typeof price | null) => {
      const history = { ...NO_HISTORY, price: past };
      const { trace: _, ...decision } = decide(rule, aSituation(cents, { product, history }));
      return decision;
    };
    const blind = decided(null);
    const objections = [...blind.blocked, ...blind.held];
    if (objections.includes("day_unread") || objections.includes("history_unread")) {
      unread++;
      return;
    }
    if (blind.proposedCents !== null) priced++;
    assertEquals(decided(price), blind);
  });
  fc.assert(property, RUNS);
  assert(priced > 100 && unread > 100, `${priced} prices, ${unread} without the history`);
});

Deno.test("decide() is pure: it works on frozen data, and gives the same with the rule as it is stored", () => {
  const property = fc.property(rules, products, (terms, situation) => {
    const frozen = deepFreeze(structuredClone(situation));
    const { trace, ...decision } = decide(compileRule(terms), frozen);
    const { trace: again, ...twice } = decide(compileRule(NewRuleAgain(terms)), frozen);
    assertEquals(twice, decision);
    assertEquals(again(), trace());
    assertEquals(JSON.parse(JSON.stringify(trace())), trace());
  });
  fc.assert(property, RUNS);
});

/** Parses the rule again, as the store does before it returns a rule. */
function NewRuleAgain(terms: ReturnType<typeof theTerms>) {
  const { id, createdAt, ...sent } = terms;
  return { ...NewRule.parse(JSON.parse(JSON.stringify(sent))), id, createdAt };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
