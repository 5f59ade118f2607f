import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  type BacktestQuestion,
  backtestResult,
  NO_BACKTEST,
  type PastProduct,
  replayRule,
} from "../../../src/engine/pricing/backtest.ts";
import type { JudgedRule } from "../../../src/engine/pricing/compile_rule.ts";
import { RulesOnProduct } from "../../../src/engine/pricing/decide.ts";
import { placeRule } from "../../../src/engine/pricing/simulation.ts";
import { aProduct, HOUR_MS, SETTINGS, theTerms } from "./market.ts";

const END_MS = Date.parse("2026-08-03T12:00:00Z");
const at = (text: string) => Date.parse(`2026-08-${text}:00Z`);

type Prices = readonly (readonly [day: string, cents: number])[];

const SEEN = { matchId: "m", currency: "EUR", inStock: true };

/** A product with one linked page; our price is 299.00 and the cost 200.00. */
function pastOf(observations: Prices, ownPrices: Prices = []): PastProduct {
  return {
    product: aProduct(),
    matches: [{
      ...{ matchId: "m", competitorId: "c", competitor: "Acme" },
      ...{ pricesIncludeVat: null, packFactor: 1 },
      matchCreatedAtMs: at("01T00:00") - 1_000 * HOUR_MS,
    }],
    observations: observations.map(([day, priceCents]) => ({ ...SEEN, atMs: at(day), priceCents })),
    ownPrices: [
      { atMs: at("01T00:00") - 500 * HOUR_MS, cents: 29_900 },
      ...ownPrices.map(([day, cents]) => ({ atMs: at(day), cents })),
    ],
  };
}

function asked(
  pasts: readonly PastProduct[],
  given: Partial<BacktestQuestion> & {
    readonly terms?: Record<string, unknown>;
    readonly others?: JudgedRule[];
  } = {},
) {
  const { terms, others = [], ...rest } = given;
  const placed = placeRule(theTerms({ cooldownMinutes: 60, ...terms }), others);
  const question = { ...placed, settings: SETTINGS, days: 3, endMs: END_MS, ...rest };
  const sums = structuredClone(NO_BACKTEST);
  for (const past of pasts) {
    replayRule(sums, past, question, (situation) => {
      const asked = new RulesOnProduct(question.all, situation);
      return { market: asked.market, decision: asked.decision(question.place, question.rule) };
    });
  }
  return backtestResult(sums, question);
}

Deno.test("a back-test lists every day of the window with its fires and proposals", () => {
  const result = asked([pastOf([["01T10:00", 28_000], ["03T10:00", 27_000]])]);
  assertEquals(result.firesPerDay, [
    { date: "2026-08-01", fires: 1, proposals: 1 },
    { date: "2026-08-02", fires: 0, proposals: 0 },
    { date: "2026-08-03", fires: 1, proposals: 1 },
  ]);
  assertEquals([result.days, result.evaluated], [3, 1]);
});

Deno.test("a back-test honours the cooldown, and a repeated price is one proposal", () => {
  const times = ["01T10:00", "01T10:30", "01T11:00"].map((at) => [at, 28_000] as const);
  const [first] = asked([pastOf([...times, ["01T11:30", 27_900]])]).firesPerDay;
  assertEquals(first, { date: "2026-08-01", fires: 2, proposals: 2 });
});

Deno.test("a back-test closes the proposal of a rule that fires without a price, as in live evaluation", () => {
  const past = pastOf([["01T10:00", 28_000]], [["01T12:00", 28_500], ["01T14:00", 29_900]]);
  const { firesPerDay, moves } = asked([past], { terms: { marginFloor: { pct: 30 } } });
  // At noon the floor (285.72) is above our current price, so the rule fires but proposes no price.
  assertEquals(firesPerDay[0], { date: "2026-08-01", fires: 3, proposals: 2 });
  assertEquals(moves.down, 2);
});

Deno.test("a back-test counts moves and margins of the proposals", () => {
  const result = asked([pastOf([["01T10:00", 26_910]]), pastOf([["01T10:00", 29_900]])]);
  assertEquals(result.evaluated, 2);
  assertEquals(result.moves, { up: 0, down: 1, averagePct: -10 });
  assertEquals(result.margin, { currentPct: 33.11, proposedPct: 25.67 });
  assertEquals(asked([]).moves, { up: 0, down: 0, averagePct: null });
});

Deno.test("a back-test leaves products without a cost out of its margins", () => {
  const past = pastOf([["01T10:00", 28_000]]);
  const unknown = { ...past, product: { ...past.product, costPriceCents: null } };
  const terms = { actions: [{ type: "propose_price", price: {} }] };
  const { margin } = asked([past], { terms });
  assertEquals(asked([past, unknown], { terms }).margin, margin);
  assertEquals(asked([past, unknown], { terms }).moves.down, 2);
});

Deno.test("a back-test compares with our price at that time", () => {
  const past = pastOf([["01T10:00", 28_000], ["02T10:00", 28_000]], [["01T12:00", 28_000]]);
  assertEquals(asked([past]).firesPerDay.map(({ fires }) => fires), [1, 0, 0]);
});

Deno.test("a back-test uses the events before its window, and ends with the window", () => {
  const past = pastOf([["01T10:00", 28_000], ["03T12:00", 27_000]]);
  assertEquals(asked([past], { days: 1 }).firesPerDay.map(({ fires }) => fires), [0]);
  const repriced = pastOf([["02T23:00", 28_000]], [["03T01:00", 29_000]]);
  assertEquals(asked([repriced], { days: 1 }).firesPerDay.map(({ fires }) => fires), [1]);
});

Deno.test("a back-test counts no moves before its window", () => {
  const { moves } = asked([pastOf([["01T10:00", 28_000]])], { days: 1 });
  assertEquals(moves, { up: 0, down: 0, averagePct: null });
});

Deno.test("a back-test evaluates scrape_stale at the end of each day", () => {
  const when = { trigger: "scrape_stale", staleHours: 24 };
  const terms = { when, actions: [{ type: "alert_inapp" }] };
  const result = asked([pastOf([["01T10:00", 28_000]])], { terms });
  assertEquals(result.firesPerDay.map(({ fires }) => fires), [0, 1, 1]);
});

Deno.test("a back-test names the rules that wanted another price for the same product", () => {
  const rival = (id: string, formula: string) => ({
    ...theTerms({ actions: [{ type: "propose_price", formula }], priority: 200 }),
    id,
  });
  const others = [rival("b", "min_competitor_minus_1pct"), rival("c", "match_cheapest")];
  const past = pastOf([["01T10:00", 28_000], ["02T10:00", 27_000]]);
  assertEquals(asked([past, past], { others }).conflicts, [{ ruleId: "b", products: 2 }]);
});
