import { CENT_BELOW, type RulesApp, withRules } from "./market.ts";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { countResting } from "../../../src/rules/evaluation/count_clauses.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { refuses, valuesOf } from "../../api/answers.ts";

async function prepare(app: RulesApp, more: Record<string, unknown> = {}) {
  const [productId = ""] = await app.addAutomatic(["A"], 100);
  return { productId, ruleId: await app.addSilentRule({ ...CENT_BELOW, ...more }) };
}

/** Changes acme's price; returns our price after the evaluation. */
async function answer(
  app: RulesApp,
  productId: string,
  price: number,
): Promise<number> {
  await app.pushAfter(HOUR_MS, [["A", "acme", price]]);
  return await app.priceOf(productId);
}

const brakes = async (app: RulesApp, query = "") =>
  (await app.owner.read(`/api/brakes?${query}`)).items;

withRules.test("three cuts in a price war close the brake; raises stay allowed, and it reopens by itself", async (app) => {
  const war = await prepare(app);
  assertEquals(await answer(app, war.productId, 99), 9_899);
  assertEquals(await answer(app, war.productId, 98), 9_799);
  assertEquals(await brakes(app), []);
  assertEquals(await answer(app, war.productId, 97), 9_699);
  const closedAt = app.clock.now().toISOString();
  const until = new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString();
  // The brake stops the fourth cut, which is therefore neither set nor proposed.
  assertEquals(await answer(app, war.productId, 96), 9_699);
  assertEquals(await app.proposals("status=open"), []);
  const [brake, ...others] = await brakes(app);
  assertEquals(others, []);
  const { sku, ruleName } = brake;
  const told = [sku, ruleName, brake.closedAt, brake.until];
  assertEquals(told, ["A", CENT_BELOW.name, closedAt, until]);
  assertEquals(brake.war.competitor, brake.cuts[0].competitor);
  assertEquals(
    valuesOf(brake.cuts, "fromCents", "toCents", "referenceCents"),
    [[10_000, 9_899, 9_900], [9_899, 9_799, 9_800], [9_799, 9_699, 9_700]],
  );
  const [decision] = await app.decisions(war.productId);
  assertEquals([decision.outcome, decision.bindingGuard], ["rest", "brake"]);
  match(decision.reason, /a price war with .* 3 ×/);
  const [alert] = await app.alerts("severity=high");
  const { code, cuts, fromCents, toCents, competitor } = alert.facts;
  assertEquals([code, cuts, fromCents, toCents], ["brake_closed", 3, 10_000, 9_699]);
  assertEquals(competitor, brake.war.competitor);
  assertEquals(await answer(app, war.productId, 99), 9_899);
  assertEquals(await answer(app, war.productId, 98), 9_899);
  // After 7 days (`restDays`), the brake allows cuts again, and Kurant evaluates the product.
  await app.pushAfter(7 * DAY_MS - 4 * HOUR_MS, [["A", "acme", 98]]);
  app.clock.advance(2 * HOUR_MS);
  assertEquals(await brakes(app), []);
  assertEquals([await app.endedAfter(0), await app.priceOf(war.productId)], [1, 9_799]);
  assertEquals(await app.endedAfter(0), 0);
});

withRules.test("a manager can release a closed brake, and the rule is evaluated immediately", async (app) => {
  const war = await prepare(app, { brake: { cuts: 2, days: 3, restDays: 30 } });
  await answer(app, war.productId, 99);
  await answer(app, war.productId, 98);
  assertEquals(await answer(app, war.productId, 97), 9_799);
  const path = `/api/brakes/${war.productId}/${war.ruleId}/release`;
  const { ruleId, productId } = war;
  const filters = [["ruleId", ruleId, productId], ["productId", productId, ruleId]];
  for (const [name, own, other] of filters) {
    assertEquals((await brakes(app, `${name}=${own}`)).length, 1);
    assertEquals(await brakes(app, `${name}=${other}`), []);
    await refuses(app.owner.post(`/api/brakes/${own}/${own}/release`), "not_found");
  }
  await app.owner.act(path, { reason: "Clearance" });
  assertEquals(await app.priceOf(war.productId), 9_699);
  await refuses(app.owner.post(path), "conflict");
  assertEquals(await brakes(app), []);
  const { items: [row] } = await app.owner.read("/api/audit-logs?action=rule.release");
  assertEquals([row.resource.id, row.reason], [war.ruleId, "Clearance"]);
  assertEquals(row.about, [`product:${war.productId}`]);
  // Releasing a brake resets its count of cuts.
  assertEquals(await answer(app, war.productId, 96), 9_599);
  assertEquals((await brakes(app)).length, 1);
});

withRules.test("a closed brake stays closed when its rule allows more cuts, and when an import sets the price", async (app) => {
  const war = await prepare(app, { brake: { cuts: 3, days: 7, restDays: 7 } });
  for (const price of [99, 98, 97]) await answer(app, war.productId, price);
  assertEquals((await brakes(app)).length, 1);
  await app.owner.change(`/api/rules/${war.ruleId}`, { brake: { cuts: 9, days: 7, restDays: 7 } });
  assertEquals(await answer(app, war.productId, 95), 9_699);
  const key = await app.key(["products:write"]);
  const done = await importXml(key, itemsXml([{ sku: "A", title: "A", price: "110.00" }]));
  assertEquals(done.data.status, "succeeded");
  assertEquals(await app.priceOf(war.productId), 11_000);
  assertEquals((await brakes(app)).length, 1);
  // A rule without automatic prices has no brake.
  const actions = [{ type: "propose_price", price: { adjust: { cents: -1 } } }];
  await app.owner.change(`/api/rules/${war.ruleId}`, { actions, brake: null });
  assertEquals([await app.statuses("status=open"), await brakes(app)], [[["open", 9_499]], []]);
  const release = `/api/brakes/${war.productId}/${war.ruleId}/release`;
  await refuses(app.owner.post(release), "conflict");
});

withRules.test("the metric of closed brakes counts those that still bind a rule", async (app) => {
  const war = await prepare(app, { brake: { cuts: 1, days: 7, restDays: 7 } });
  await answer(app, war.productId, 99);
  const closed = async () =>
    (await countResting(app.store, app.clock.now())).get("closed_brake") ?? 0;
  const assertClosed = async (count: number) =>
    assertEquals([(await brakes(app)).length, await closed()], [count, count]);
  await assertClosed(1);
  await app.owner.remove(`/api/products/${war.productId}`);
  await assertClosed(0);
  await app.owner.act(`/api/products/${war.productId}/restore`);
  await assertClosed(1);
  await app.owner.change(`/api/rules/${war.ruleId}`, {
    actions: [{ type: "alert_inapp" }],
    brake: null,
  });
  await assertClosed(0);
});
