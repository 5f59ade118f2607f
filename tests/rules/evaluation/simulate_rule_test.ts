import { addRule, type RulesApp, UNDERCUT, withRules } from "./market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { DAY_MS } from "../../../src/base/time.ts";
import { NewRule } from "../../../src/engine/pricing/rule.ts";
import { countClauses } from "../../../src/rules/evaluation/count_clauses.ts";
import { bodyOf, column, refusedField, refuses, valuesOf } from "../../api/answers.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { shopId } from "../../shops/shop.ts";
import { readSucceeded } from "../../caller.ts";
import { contextOf } from "../../platform/jobs/counting.ts";

const SONY = { mode: "attribute", matches: { brand: ["Sony"] } };

/** Adds products at 100.00 with cost 50.00: four of Sony, one of Bose. */
async function market(app: RulesApp): Promise<void> {
  for (const sku of ["A", "B", "C", "D", "E"]) {
    await app.addProduct(sku, { brand: sku === "E" ? "Bose" : "Sony" });
  }
  await app.push([["A", "acme", 95], ["A", "blix", 92], ["B", "acme", 120], ["C", "acme", 90]]);
  await app.push([["E", "acme", 80]]);
}

const ask = async (app: RulesApp, rule: Record<string, unknown>, ruleId?: string) =>
  await app.viewer.act("/api/rules/counts", { rule, ruleId });

const counted = async (...asked: Parameters<typeof ask>) => {
  const { sample: _, margin: _margin, effect30d: _effect, ...counts } = await ask(...asked);
  return counts;
};

withRules.test("counts say how many products and offers each clause of a rule leaves", async (app) => {
  await market(app);
  const none = { raises: 0, bound: 0, conflicts: [], isCut: false };
  const all = { ...none, scope: 5, withOffers: 4, withEnough: 4, offers: 5 };
  assertEquals(await counted(app, UNDERCUT), { ...all, fires: 3, moves: 3, asks: 3 });
  const sony = { ...UNDERCUT, scope: SONY };
  const some = { ...none, scope: 4, withOffers: 3, withEnough: 3, offers: 4 };
  const inScope = { ...some, fires: 2, moves: 2, asks: 2 };
  assertEquals(await counted(app, sony), inScope);
  // A margin of 47 % needs 94.34, so the floor lifts A from 92.00 and C from 90.00.
  const floored = { ...sony, marginFloor: { pct: 47 } };
  assertEquals(await counted(app, floored), { ...inScope, bound: 2 });
  // At the price of the cheapest competitor, B would rise from 100.00 to 120.00.
  const overcut = { ...sony, when: { trigger: "margin_above", marginPct: 1 } };
  assertEquals(await counted(app, overcut), { ...inScope, fires: 4, moves: 3, raises: 1, asks: 3 });
  const competitorIds = [await shopId(app, "blix")];
  const named = { ...sony, when: { ...UNDERCUT.when, competitorIds } };
  const one = { withOffers: 1, withEnough: 1, offers: 1, fires: 1, moves: 1, asks: 1 };
  assertEquals(await counted(app, named), { ...inScope, ...one });
  const two = { ...sony, when: { ...UNDERCUT.when, minCompetitors: 2 } };
  assertEquals((await counted(app, two)).withEnough, 1);
  const alert = { ...sony, actions: [{ type: "alert_inapp" }] };
  assertEquals(await counted(app, alert), { ...inScope, moves: 0, asks: 0 });
  // A would fall from 100.00 to 92.00, and C to 90.00, each with cost 50.00. B does not change.
  const effectNow = async () => {
    const { margin, effect30d } = await ask(app, sony);
    return [margin, effect30d];
  };
  const margin = { before: 50, after: 45 };
  assertEquals(await effectNow(), [margin, null]);
  await app.sell({ A: 3, B: 7 });
  assertEquals(await effectNow(), [margin, { cents: 3 * -800, products: 1 }]);
  assertEquals(await app.viewer.read("/api/rules"), []);
});

withRules.test("a count ends at its limits", async (app) => {
  await market(app);
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  const rule = NewRule.parse({ ...UNDERCUT, scope: SONY });
  const look = (judgedMax: number, scannedMax: number) =>
    countClauses(ctx, { rule }, { judgedMax, scannedMax });
  const whole = await look(4, 5);
  assertEquals([whole.scope, whole.isCut], [4, false]);
  for (const [judgedMax, scannedMax, scope] of [[3, 5, 3], [4, 2, 2]] as const) {
    const cut = await look(judgedMax, scannedMax);
    assertEquals([cut.scope, cut.isCut], [scope, true]);
  }
});

withRules.test("the sample of a count starts with the products that the rule changes now, and refuses a rule that could not be saved", async (app) => {
  await market(app);
  const sampled = async (more: Record<string, unknown>) => {
    const { sample } = await ask(app, { ...UNDERCUT, scope: SONY, ...more });
    const { items } = await app.viewer.read("/api/products");
    return sample.map((id: string) => items.find((one: { id: string }) => one.id === id).sku);
  };
  // C is undercut by 10 % and A by 8 %, B only has dearer offers, and D has none.
  const when = { ...UNDERCUT.when, competitorDeltaPct: 9 };
  assertEquals(await sampled({ when }), ["C", "A", "B", "D"]);
  // A floor of 50 % allows no price below 100.00.
  const none = { pct: 50 };
  assertEquals((await sampled({ when, marginFloor: none }))[0], "C");
  for (let at = 0; at < 25; at++) await app.addProduct(`0-${at}`, { brand: "Sony" });
  const many = await sampled({ when });
  assertEquals([many.length, many.slice(0, 3)], [25, ["C", "A", "B"]]);

  const ruleId = await app.addRule({ cooldownMinutes: 600 });
  await app.judged();
  assertEquals((await counted(app, { ...UNDERCUT, cooldownMinutes: 600 }, ruleId)).moves, 3);
  const asking = (body: unknown) => app.viewer.post("/api/rules/counts", body);
  const unsound = { rule: { ...UNDERCUT, actions: [{ type: "propose_price" }] } };
  assertEquals(await refusedField(asking(unsound)), "rule.actions.0.formula");
  const ruleOfStranger = await addRule(await app.strangerOwner());
  await refuses(asking({ rule: UNDERCUT, ruleId: ruleOfStranger }), "not_found");
});

withRules.test("counts show earlier rules with another price, before the rule is enabled", async (app) => {
  await market(app);
  const coffee = await app.addRule({ name: "Coffee", priority: 50, scope: SONY });
  await app.addRule({ name: "Off", priority: 1, enabled: false });
  await app.judged();
  const behind = await counted(app, { ...UNDERCUT, priority: 60, enabled: false });
  const pair = { ruleId: coffee, products: 2, takesBack: 0 };
  assertEquals([behind.asks, behind.conflicts], [3, [{ ...pair, wins: 2, loses: 0 }]]);
  assertEquals(behind.moves, 3);
  const inFront = await counted(app, { ...UNDERCUT, priority: 40, enabled: false });
  assertEquals([inFront.asks, inFront.conflicts], [3, [{ ...pair, wins: 0, loses: 2 }]]);
  const dearer = {
    ...{ ...UNDERCUT, priority: 60, marginFloor: { pct: 5 } },
    when: { trigger: "market_index", always: true },
    actions: [{ type: "propose_price", price: { reference: { kind: "highest" } } }],
  };
  const before = await app.owner.read("/api/proposals?status=open");
  for (const { id } of before.items) await app.manager.act(`/api/proposals/${id}/approve`);
  await app.judged();
  // Our price of A is now 92.00. If it rose to 95.00, the rule "Coffee" would lower it again. C
  // already has the price of its only offer.
  const taken = await counted(app, dearer);
  assertEquals(taken.conflicts, [{ ruleId: coffee, products: 0, wins: 0, loses: 0, takesBack: 1 }]);
});

withRules.test("POST /api/rules/simulate gives the same result as the stored rule, also as it was read, and stores nothing", async (app) => {
  await app.addProduct("A");
  await app.addProduct("B");
  await app.push([["A", "acme", 90], ["B", "acme", 110]]);
  const scope = { mode: "sku", list: ["A", "B", "NOBODY"] };
  const rule = { ...UNDERCUT, scope, enabled: false, marginFloor: { pct: 48 } };
  const draft = await app.viewer.act("/api/rules/simulate", { rule });
  assertEquals(await app.viewer.read("/api/rules"), []);
  const id = await app.addRule(rule);
  const stored = await app.viewer.act(`/api/rules/${id}/simulate`, {});
  const withoutId = (answer: unknown) =>
    JSON.parse(
      JSON.stringify(answer),
      (name, value) => name === "ruleId" || name === "mode" ? "" : value,
    );
  assertEquals(withoutId(draft), withoutId(stored));
  const read = await app.viewer.read(`/api/rules/${id}`);
  assertEquals(read.warnings.length, 1);
  const simulate = (rule: unknown) => app.viewer.post("/api/rules/simulate", { rule });
  assertEquals(withoutId(await bodyOf(simulate(read), 200)), withoutId(draft));
  assertEquals(await refusedField(simulate({ ...read, warning: [] })), "rule.warning");
  assertEquals([draft.evaluated, draft.fired, draft.firstFive[0].proposedCents], [2, 1, 9_616]);
});

withRules.test("POST /api/rules/simulate and GET decisions judge with the offers that count now; decisions are of every enabled rule, fired or not", async (app) => {
  const ruleId = await app.addRule({ priority: 2, cooldownMinutes: 60 });
  const when = { trigger: "margin_below", marginPct: 10 };
  const rests = await app.addRule({ priority: 1, when });
  await app.addRule({ enabled: false });
  const elsewhere = await app.addRule({ scope: { mode: "sku", list: ["OTHER"] } });
  const id = await app.addProduct("A");
  await app.push([["A", "gone", 80]]);
  await app.pushAfter(3 * DAY_MS, [["A", "acme", 90]]);
  const body = { rule: { ...UNDERCUT, priority: 2, cooldownMinutes: 60 }, ruleId };
  const drafted = await app.viewer.act("/api/rules/simulate", body);
  const { items, count } = await app.viewer.read(`/api/products/${id}/decisions`);
  assertEquals(
    valuesOf(items, "ruleId", "wouldFire", "cooldownActive"),
    [[rests, false, false], [ruleId, true, true], [elsewhere, false, false]],
  );
  assertEquals(count, 3);
  match(items[2].reason, /out of scope/);
  const [preview, decided] = [drafted.results[0], items[1]];
  assertEquals([preview.proposedCents, decided.proposedCents], [9_000, 9_000]);
  assertEquals(decided.trace.references.length, 1);
  assertEquals(preview.trace.references, decided.trace.references);
  assertEquals(preview.trace.leftOut, decided.trace.leftOut);
  assertEquals([preview.cooldownActive, drafted.fired], [true, 1]);
});

withRules.test("a sample of a large catalogue contains observed products, wherever they are", async (app) => {
  const key = await app.key(["products:write"]);
  const skus = Array.from({ length: 5_040 }, (_, n) => `S-${n + 10_000}`);
  await importXml(key, itemsXml(skus.map((sku) => ({ sku, title: sku, price: "100,00" }))));
  const shown = skus.slice(-30);
  await app.push(shown.map((sku) => [sku, "acme", 90]));
  const body = { rule: { ...UNDERCUT, enabled: false } };
  const { results } = await app.viewer.act("/api/rules/simulate", body);
  assertEquals(column(results, "sku"), shown.slice(0, 25));
});

withRules.test("POST /api/rules/{id}/backtest sums up the stored history of its scope as fires, moves and margins", async (app) => {
  const scope = { mode: "sku", list: ["A", "B", "C"] };
  const ruleId = await app.addRule({ enabled: false, scope });
  const rival = await app.addRule({
    name: "Rival",
    actions: [{ type: "propose_price", formula: "min_competitor_minus_1pct" }],
  });
  await app.addProduct("A");
  await app.addProduct("B");
  await app.addProduct("OUTSIDE");
  const foreignId = await app.addProduct("C", { currency: "USD" });
  for (const price of [90, 80]) {
    await app.pushAfter(DAY_MS, [["A", "acme", price], ["C", "acme", 90]]);
  }
  const prices = { currency: "EUR", ourPrice: 90, costPrice: 50 };
  await app.owner.change(`/api/products/${foreignId}`, prices);
  app.clock.advance(DAY_MS);
  const answer = await app.manager.post(`/api/rules/${ruleId}/backtest`, { days: 7 });
  const { jobId, status } = await bodyOf(answer, 202);
  assertEquals([status, answer.headers.get("Location")], ["queued", `/api/backtests/${jobId}`]);
  const path = `/api/backtests/${jobId}`;
  const { result } = await readSucceeded(app.viewer, path);
  const { days, evaluated, moves, margin, conflicts, firesPerDay } = result;
  assertEquals([days, evaluated, firesPerDay.length], [7, 3, 7]);
  assertEquals([moves.up, moves.down, moves.averagePct], [0, 2, -15]);
  assertEquals(margin, { currentPct: 50, proposedPct: 40.97 });
  assertEquals(conflicts, [{ ruleId: rival, products: 1 }]);
  await refuses(app.viewer.get(`/api/backtests/${ruleId}`), "not_found");
});
