import { withCheckedApp } from "../../shops/shop.ts";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { checkRules } from "../check_rules.ts";
import {
  brakes as closedBrakes,
  findRuleStates,
  NOTHING_SEEN,
  queueEnded,
  saveRuleState,
} from "../../../src/rules/evaluation/rule_state_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import {
  addProduct,
  addSilentRule,
  priceOf,
  proposals,
  pushJudged,
  untilJudged,
} from "./market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { refuses, valuesOf } from "../../api/answers.ts";

/** A rule that automatically sets our price one cent below the cheapest offer. */
const WAR = {
  name: "A cent below",
  when: { trigger: "market_index", always: true },
  marginFloor: { pct: 10 },
  actions: [{ type: "auto_apply_if_safe", maxChangePct: 50, price: { adjust: { cents: -1 } } }],
};

interface War {
  readonly productId: string;
  readonly ruleId: string;
}

/** Adds a product at 100.00, and a rule that follows each cut of the shop. */
async function prepare(app: TestApp, more: Record<string, unknown> = {}): Promise<War> {
  await app.owner.change("/api/settings", { autoApply: true });
  const productId = await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 100]]);
  return { productId, ruleId: await addSilentRule(app, { ...WAR, ...more }) };
}

/** Changes the shop's price an hour later. Returns our price after the evaluation. */
async function answer(app: TestApp, { productId }: War, price: number): Promise<number> {
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", price]]);
  return await priceOf(app.owner, productId);
}

const brakes = async (app: TestApp, query = "") =>
  (await app.owner.read(`/api/brakes?${query}`)).items;
const findings = (app: TestApp) => Array.fromAsync(checkRules(app.store, app.workspaceId));

withCheckedApp.test("three cuts in a price war close the brake; raises stay allowed, and it reopens by itself", async (app) => {
  const war = await prepare(app);
  assertEquals(await answer(app, war, 99), 9_899);
  assertEquals(await answer(app, war, 98), 9_799);
  assertEquals(await brakes(app), []);
  assertEquals(await answer(app, war, 97), 9_699);
  const closedAt = app.clock.now().toISOString();
  const until = new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString();
  // The third cut has closed the brake, so a fourth cut is neither applied nor proposed.
  assertEquals(await answer(app, war, 96), 9_699);
  assertEquals((await proposals(app.owner, "status=open")).length, 0);
  const [brake, ...others] = await brakes(app);
  assertEquals(others, []);
  const { sku, ruleName } = brake;
  assertEquals([sku, ruleName, brake.closedAt, brake.until], ["A", WAR.name, closedAt, until]);
  assertEquals(brake.war.competitor, brake.cuts[0].competitor);
  assertEquals(
    valuesOf(brake.cuts, "fromCents", "toCents", "referenceCents"),
    [[10_000, 9_899, 9_900], [9_899, 9_799, 9_800], [9_799, 9_699, 9_700]],
  );
  const [decision] = (await app.owner.read(`/api/products/${war.productId}/decisions`)).items;
  assertEquals([decision.outcome, decision.bindingGuard], ["rest", "brake"]);
  match(decision.reason, /a price war with .* 3 ×/);
  const [alert] = (await app.owner.read("/api/alerts?severity=high")).items;
  const { code, cuts, fromCents, toCents, competitor } = alert.facts;
  assertEquals([code, cuts, fromCents, toCents], ["brake_closed", 3, 10_000, 9_699]);
  assertEquals(competitor, brake.war.competitor);
  // When the shop raises its price, the brake stays closed, but our price may rise.
  assertEquals(await answer(app, war, 99), 9_899);
  assertEquals(await answer(app, war, 98), 9_899);
  // The brake opens by itself, and the product is evaluated without another event.
  app.clock.advance(7 * DAY_MS - 4 * HOUR_MS);
  await pushJudged(app, [["A", "acme", 98]]);
  const { store, app: { clock: appClock } } = app;
  app.clock.advance(2 * HOUR_MS);
  assertEquals(await brakes(app), []);
  assertEquals(await queueEnded({ store, clock: appClock }), 1);
  await untilJudged(app);
  assertEquals(await priceOf(app.owner, war.productId), 9_799);
  assertEquals(await queueEnded({ store, clock: appClock }), 0);
});

withCheckedApp.test("a manager can release a closed brake, and the rule is evaluated immediately", async (app) => {
  const war = await prepare(app, { brake: { cuts: 2, days: 3, restDays: 30 } });
  await answer(app, war, 99);
  await answer(app, war, 98);
  assertEquals(await answer(app, war, 97), 9_799);
  const path = `/api/brakes/${war.productId}/${war.ruleId}/release`;
  assertEquals((await brakes(app, `ruleId=${war.ruleId}`)).length, 1);
  assertEquals((await brakes(app, `productId=${war.productId}`)).length, 1);
  assertEquals(await brakes(app, `productId=${war.ruleId}`), []);
  assertEquals(await brakes(app, `ruleId=${war.productId}`), []);
  for (const wrong of [`${war.ruleId}/${war.ruleId}`, `x/${war.ruleId}`, `${war.productId}/x`]) {
    await refuses(app.owner.post(`/api/brakes/${wrong}/release`), "not_found");
  }
  await app.owner.act(path, { reason: "Clearance" });
  await untilJudged(app);
  assertEquals(await priceOf(app.owner, war.productId), 9_699);
  await refuses(app.owner.post(path), "conflict");
  assertEquals(await brakes(app), []);
  const { items: [row] } = await app.owner.read("/api/audit-logs?action=rule.release");
  assertEquals([row.resource.id, row.reason], [war.ruleId, "Clearance"]);
  assertEquals(row.about, [`product:${war.productId}`]);
  // After the release, counting begins again.
  assertEquals(await answer(app, war, 96), 9_599);
  assertEquals((await brakes(app)).length, 1);
});

withCheckedApp.test("a brake closes immediately if it is changed to allow fewer cuts than were made, and an import keeps it closed", async (app) => {
  const war = await prepare(app, { brake: { cuts: 5, days: 7, restDays: 7 } });
  for (const price of [99, 98, 97]) await answer(app, war, price);
  const lastAt = app.clock.now();
  assertEquals(await brakes(app), []);
  app.clock.advance(HOUR_MS);
  const brake = { cuts: 2, days: 7, restDays: 10 };
  await app.owner.change(`/api/rules/${war.ruleId}`, { brake });
  await untilJudged(app);
  const [closed, ...others] = await brakes(app);
  assertEquals([others, closed?.cuts.length, closed?.closedAt], [[], 3, lastAt.toISOString()]);
  assertEquals(closed?.until, new Date(lastAt.getTime() + 10 * DAY_MS).toISOString());
  const [alert] = (await app.owner.read("/api/alerts?severity=high")).items;
  assertEquals([alert.facts.code, alert.facts.cuts], ["brake_closed", 3]);
  assertEquals(await answer(app, war, 96), 9_699);
  assertEquals((await app.owner.read("/api/alerts?severity=high")).items.length, 1);
  // Allowing more cuts does not open a closed brake.
  await app.owner.change(`/api/rules/${war.ruleId}`, { brake: { ...brake, cuts: 9 } });
  assertEquals(await answer(app, war, 95), 9_699);
  // Importing the product's price keeps the state of its brake.
  const key = await app.key(["products:write"]);
  const done = await importXml(key, itemsXml([{ sku: "A", title: "A", price: "110.00" }]));
  assertEquals(done.data.status, "succeeded");
  await untilJudged(app);
  assertEquals(await priceOf(app.owner, war.productId), 11_000);
  assertEquals((await brakes(app)).length, 1);
});

withApp.test("an approved price does not count as a cut, and a rule that only proposes has no brake", async (app) => {
  const war = await prepare(app, {
    actions: [{ type: "propose_price", price: { adjust: { cents: -1 } } }],
  });
  for (const price of [99, 98, 97, 96]) {
    await answer(app, war, price);
    const [{ id } = { id: "" }] = await proposals(app.owner, "status=open");
    await app.owner.act(`/api/proposals/${id}/approve`);
  }
  assertEquals(await priceOf(app.owner, war.productId), 9_599);
  assertEquals(await brakes(app), []);
});

withApp.test("check-store reports a brake that is missing from the list or from the rule state", async (app) => {
  const war = await prepare(app, { brake: { cuts: 1, days: 1, restDays: 1 } });
  await answer(app, war, 99);
  const [closed] = await closedBrakes.list(app);
  const states = await findRuleStates(app, [war.productId]);
  const state = states.get(war.productId) ?? {};
  const product = { id: war.productId, sku: "A" };
  // The new state is also passed as the previous one, so that `saveRuleState` does not change the
  // list of brakes.
  const later = { ...state[war.ruleId]!, brake: { cuts: [], untilMs: closed!.row.untilMs + 1 } };
  await transact(app, (write) => {
    const after = { ...state, [war.ruleId]: later };
    const kept = { state: after, seen: NOTHING_SEEN };
    saveRuleState(write, app.workspaceId, product, kept, after);
    return Promise.resolve();
  });
  const text = (untilMs: number) =>
    `brake of rule ${war.ruleId} on product ${war.productId} until ${untilMs}`;
  assertEquals(await findings(app), [
    `The ${text(closed!.row.untilMs)} is listed, but not in the rule state`,
    `The ${text(closed!.row.untilMs + 1)} is in the rule state, but not in the list`,
  ]);
});
