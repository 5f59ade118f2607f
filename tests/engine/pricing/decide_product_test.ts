import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { compileRules } from "../../../src/engine/pricing/compile_rule.ts";
import { decideProduct } from "../../../src/engine/pricing/decide.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import { aSituation, theTerms } from "./market.ts";

let rulesMade = 0;

function rule(given: Record<string, unknown>) {
  const id = (rulesMade += 1).toString(16).padStart(24, "0");
  return { ...theTerms(given), id };
}

const propose = (formula: string) => ({ type: "propose_price", formula });

Deno.test("decideProduct() gives the price to the lowest priority number, ties to the older rule", () => {
  const late = rule({ name: "late", priority: 5, actions: [propose("match_cheapest")] });
  const first = rule({
    name: "first",
    priority: 1,
    actions: [propose("min_competitor_minus_1pct")],
  });
  const older = { ...rule({ name: "older", priority: 1 }), createdAt: "2025-01-01T00:00:00.000Z" };
  const winner = (...rules: typeof late[]) =>
    decideProduct(compileRules(rules), aSituation([20_000])).winner;
  assertEquals(winner(late, first)?.proposedCents, 19_800);
  assertEquals(winner(late, first, older)?.ruleId, older.id);
});

Deno.test("decideProduct() lets a later rule alert without a price", () => {
  const first = rule({ name: "First", priority: 1 });
  const later = rule({
    priority: 2,
    actions: [{ type: "alert_inapp", severity: "high" }, propose("match_cheapest")],
  });
  const { decisions } = decideProduct(compileRules([later, first]), aSituation([20_000]));
  assertEquals(
    decisions.map(({ outcome, proposedCents, blocked }) => ({ outcome, proposedCents, blocked })),
    [
      { outcome: "propose", proposedCents: 20_000, blocked: [] },
      { outcome: "alert", proposedCents: null, blocked: ["outranked"] },
    ],
  );
  match(wireReason(decisions[1]!.reason), /outranked: the rule "First" sets the price/);
});

Deno.test("decideProduct() gives the price to the next rule when a guard forbids that of the first", () => {
  const blocked = rule({ priority: 1, marginFloor: { pct: 90 } });
  const next = rule({ priority: 2 });
  const { winner, decisions } = decideProduct(compileRules([blocked, next]), aSituation([20_000]));
  assertEquals([winner?.ruleId, decisions.length], [next.id, 2]);
});

Deno.test("decideProduct() keeps the price from later rules while a rule rests in its cooldown", () => {
  const resting = rule({ priority: 1 });
  const next = rule({ priority: 2 });
  const situation = aSituation([20_000]);
  const rules = { [resting.id]: { lastFiredAtMs: situation.nowMs - 1, rank: null } };
  const { decisions } = decideProduct(compileRules([resting, next]), {
    ...situation,
    history: { ...situation.history, rules },
  });
  assertEquals(decisions.map(({ outcome }) => outcome), ["rest", "rest"]);
});

Deno.test("decideProduct() evaluates only enabled rules, and returns only those that fire", () => {
  const off = rule({ enabled: false });
  const elsewhere = rule({ scope: { mode: "sku", list: ["other"] } });
  const sleeping = rule({ when: { trigger: "competitor_overcut" } });
  const rules = compileRules([off, elsewhere, sleeping]);
  assertEquals(decideProduct(rules, aSituation([20_000])).decisions, []);
  const explained = decideProduct(rules, aSituation([20_000], { mode: "explain" })).decisions;
  assertEquals(explained.map(({ ruleId }) => ruleId), [elsewhere.id, sleeping.id]);
  match(wireReason(explained[0]!.reason), /^out of scope/);
});

Deno.test("decideProduct() returns changed ranks, also of rules that rest", () => {
  const watching = rule({
    when: { trigger: "position_change" },
    actions: [{ type: "alert_inapp" }],
  });
  const rules = compileRules([watching]);
  const situation = aSituation([20_000]);
  const first = decideProduct(rules, situation);
  assertEquals([first.decisions, first.ranks], [[], [{ ruleId: watching.id, rank: 2 }]]);
  const remembered = { [watching.id]: { lastFiredAtMs: null, rank: 2 } };
  const history = { ...situation.history, rules: remembered };
  assertEquals(decideProduct(rules, { ...situation, history }).ranks, []);
});

Deno.test("a trace is plain JSON that names inputs, references, guards and the binding one", () => {
  const { winner } = decideProduct(
    compileRules([rule({ marginFloor: { pct: 15 } })]),
    aSituation([22_000, 29_000]),
  );
  const trace = winner!.trace();
  assertEquals(JSON.parse(JSON.stringify(trace)), trace);
  assertEquals(trace.references.map(({ unitCents, isUsed }) => [unitCents, isUsed]), [
    [22_000, true],
    [29_000, false],
  ]);
  assertEquals([trace.bindingGuard, trace.price?.wishedCents], ["margin_floor", 22_000]);
  assertEquals(trace.inputs.ourPriceCents, 29_900);
  assertEquals(trace.guards.every(({ facts }) => facts === null), true);
});
