import { automatic, proposals, withHeldPrices, withRules } from "./market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { HOUR_MS } from "../../../src/base/time.ts";
import { rejudge } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { rejudgeArgs, requireRule } from "../../../src/rules/rule.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { until } from "../../patience.ts";
import { column, valuesOf } from "../../api/answers.ts";

withRules.test("the same price keeps the open proposal, another one supersedes it, and none or the deletion of the product closes it", async (app) => {
  await app.addRule();
  const id = await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  await app.pushAfter(60_000, [["A", "bolt", 99]]);
  assertEquals(await app.statuses(), [["open", 9_000]]);
  await app.pushAfter(60_000, [["A", "acme", 85]]);
  assertEquals(await app.statuses(), [["superseded", 9_000], ["open", 8_500]]);
  await app.pushAfter(60_000, [["A", "acme", 120], ["A", "bolt", 120]]);
  assertEquals(await app.statuses(), [["superseded", 9_000], ["superseded", 8_500]]);
  await app.pushAfter(60_000, [["A", "acme", 80]]);
  await app.owner.remove(`/api/products/${id}`);
  const closed = valuesOf(await app.proposals(), "status", "reason").slice(1);
  assertEquals(closed, [["superseded", "no_longer_fires"], ["superseded", "product_deleted"]]);
});

withRules.test("a repeated push causes no second alert", async (app) => {
  await app.addRule({ actions: [{ type: "alert_inapp" }] });
  await app.addProduct("A");
  const observedAt = app.clock.now().toISOString();
  for (let sent = 0; sent < 3; sent++) {
    await app.pushAfter(60_000, [["A", "acme", 90]], { observedAt });
  }
  assertEquals((await app.alerts()).length, 1);
  await app.push([["A", "acme", 90]]);
  assertEquals((await app.alerts()).length, 2);
});

const AUTO = automatic(20);

withRules.test("auto_apply_if_safe changes a safe price, with history, audit and rollback", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const ruleId = await app.addRule({ ...AUTO, name: "Down", priority: 1 });
  // A rule's own price does not trigger the rules again.
  const [action] = automatic(100).actions;
  await app.addRule({
    ...{ ...AUTO, name: "Up", priority: 2, when: { trigger: "margin_below", marginPct: 49 } },
    actions: [{ ...action, formula: "target_margin_pct", targetMarginPct: 50 }],
  });
  const productId = await app.addProduct("A");
  await app.pushAfter(HOUR_MS, [["A", "acme", 90]]);
  assertEquals(await app.priceOf(productId), 9_000);
  assertEquals(await app.statuses(), [["applied", 9_000]]);
  const { items: [last] } = await app.owner.read(`/api/products/${productId}/price-history`);
  assertEquals([last.source, last.ref, last.fromCents], ["rule", ruleId, 10_000]);
  const log = await app.owner.read(`/api/audit-logs?actor=${ruleId}`);
  assertEquals(column(log.items, "after"), [{ ourPriceCents: 9_000 }]);
  const [applied] = await app.proposals();
  await app.owner.act(`/api/proposals/${applied?.id}/rollback`);
  assertEquals(await app.priceOf(productId), 10_000);
});

withRules.test("a product with more effects than fit into a commit does not block the others", async (app) => {
  for (const sku of ["A", "B", "C"]) await app.addProduct(sku);
  const to = Array.from({ length: 20 }, (_, n) => `buyer-${n}@shop.example`);
  const actions = to.map((address) => ({ type: "alert_email", to: [address] }));
  for (let n = 0; n < 15; n++) await app.addRule({ scope: { mode: "sku", list: ["A"] }, actions });
  await app.addRule({ scope: { mode: "sku", list: ["B", "C"] } });
  const key = await app.key(["observations:write"]);
  for (const skus of [["A", "B"], ["C"]]) {
    const observations = skus.map((sku) => (
      { sku, url: `https://acme.example/${sku}`, price: 90, currency: "EUR" }
    ));
    await key.act("/api/public/v1/observations", { observations });
    await until(`${skus.at(-1)} is judged`, async () => {
      const proposed = await proposals(app.owner);
      return proposed.some(({ sku }) => sku === skus.at(-1));
    });
  }
});

const OFF_SCOPE = { scope: { mode: "attribute", matches: { brand: ["Bose"] } } };

/** Change of a rule → `reason` of its superseded proposal. */
const ENDS = {
  "off": "rule_off",
  "deleted": "rule_deleted",
  "of other products": "newer_decision",
  "scheduled, of other products": "newer_decision",
} as const;

for (const [end, reason] of Object.entries(ENDS)) {
  withRules.test(`the next rule proposes its price if the first rule is ${end}, even the same price or after a rejection`, async (app) => {
    await app.addProduct("A");
    await app.addProduct("REJECTED");
    await app.push([["A", "acme", 90], ["REJECTED", "acme", 90]]);
    const first = await app.addRule({ priority: 1 });
    const second = await app.addRule({ priority: 2 });
    const open = await app.proposals("status=open");
    assertEquals(valuesOf(open, "ruleId", "sku"), [[first, "A"], [first, "REJECTED"]]);
    await app.owner.act(`/api/proposals/${open[1]!.id}/reject`);
    const path = `/api/rules/${first}`;
    const schedule = { at: "06:00", days: ["mon"], only: true };
    if (end === "off") await app.owner.act(`${path}/toggle`);
    else if (end === "deleted") await app.owner.remove(path);
    else if (end === "of other products") await app.owner.change(path, OFF_SCOPE);
    else await app.owner.change(path, { ...OFF_SCOPE, schedule });
    const after = await app.proposals("status=open");
    assertEquals(valuesOf(after, "ruleId", "sku"), [[second, "A"], [second, "REJECTED"]]);
    const [closed] = await app.proposals(`ruleId=${first}&sku=A`);
    assertEquals([closed?.status, closed?.reason], ["superseded", reason]);
    for (const { id } of after) await app.owner.act(`/api/proposals/${id}/approve`);
  });
}

withRules.test("the next rule proposes its price if a scheduled rule that never fired is disabled or deleted", async (app) => {
  await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  const schedule = { at: "06:00", days: ["mon"], only: true };
  const fronts = [
    await app.addRule({ priority: 1, schedule }),
    await app.addRule({ priority: 2, schedule }),
  ];
  await app.addRule({ priority: 3 });
  assertEquals(await app.statuses(), []);
  await app.owner.act(`/api/rules/${fronts[0]}/toggle`);
  assertEquals(await app.statuses(), []);
  await app.owner.remove(`/api/rules/${fronts[1]}`);
  assertEquals(await app.statuses(), [["open", 9_000]]);
});

withRules.test("neither a new name of a rule nor any change ends an evaluation that its schedule began", async (app) => {
  await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  const ruleId = await app.addSilentRule();
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  const evaluateAfter = async (change: Record<string, unknown>, asked: { isAsked?: true } = {}) => {
    const args = rejudgeArgs((await requireRule(ctx, ruleId)).rule);
    await app.owner.change(`/api/rules/${ruleId}`, change);
    await transact(ctx, (write) => void rejudge(write, ctx, { ...args, ...asked }));
    return await app.statuses();
  };
  assertEquals(await evaluateAfter({ name: "Renamed" }), [["open", 9_000]]);
  const schedule = { at: "06:00", only: true };
  const raised = { actions: [{ type: "propose_price", formula: "min_competitor_minus_1pct" }] };
  assertEquals(await evaluateAfter({ schedule, ...raised }, { isAsked: true }), [
    ["superseded", 9_000],
    ["open", 8_910],
  ]);
});

withRules.test("a rule that only sends alerts from now on keeps no open proposal, even between its scheduled times", async (app) => {
  const { ruleId } = await app.propose();
  const schedule = { at: "06:00", days: ["mon"], only: true };
  await app.owner.change(`/api/rules/${ruleId}`, { schedule });
  assertEquals(await app.statuses(), [["open", 9_000]]);
  const actions = [{ type: "alert_inapp" }];
  await app.owner.change(`/api/rules/${ruleId}`, { actions, marginFloor: null });
  assertEquals(await app.statuses(), [["superseded", 9_000]]);
});

const ALWAYS = { trigger: "market_index", always: true };
const FRONT = { name: "Large appliances", priority: 1, marginFloor: { pct: 5 } };
const BEHIND = { name: "Coffee", priority: 2, marginFloor: { pct: 5 } };
const average = { reference: { kind: "average" } };

withRules.test("a later rule does not reverse ten accepted prices, and names the rule that would take its price back", async (app) => {
  const skus = Array.from({ length: 10 }, (_, n) => `A${n}`);
  const ids = await app.addProducts(skus.map((sku) => ({ sku })));
  await app.push(skus.flatMap((sku) => [[sku, "acme", 90], [sku, "best", 112]] as const));
  const front = await app.addRule(FRONT);
  const behind = await app.addRule({
    ...BEHIND,
    when: ALWAYS,
    actions: [{ type: "propose_price", price: average }],
  });
  const open = await app.proposals("status=open");
  assertEquals(valuesOf(open, "ruleId", "proposedCents"), Array(10).fill([front, 9_000]));
  for (const { id } of open) await app.manager.act(`/api/proposals/${id}/approve`);
  for (let hour = 0; hour < 3; hour++) {
    await app.pushAfter(HOUR_MS, skus.map((sku) => [sku, "acme", 90] as const));
  }
  assertEquals(await app.proposals("status=open"), []);
  assertEquals(await Promise.all(ids.map((id) => app.priceOf(id))), Array(10).fill(9_000));
  const [, coffee] = await app.decisions(ids[0] ?? "");
  assertEquals([coffee.ruleId, coffee.outcome, coffee.blocked], [behind, "rest", ["not_stable"]]);
  match(coffee.reason, /not_stable: the rule "Large appliances" would change it to 90\.00 EUR/);
  const by = { ruleId: front, name: "Large appliances", wouldBeCents: 9_000 };
  const kept = { ruleId: behind, name: "Coffee", wouldBeCents: 10_100, why: "not_stable", by };
  assertEquals([coffee.trace.owner, coffee.trace.behind], [null, [kept]]);
});

withHeldPrices.test("a price in quarantine does not let a later rule bypass the owner", async (app) => {
  await app.addProduct("A");
  await app.pushAfter(HOUR_MS, [["A", "acme", 90], ["A", "best", 110]]);
  const front = await app.addRule(FRONT);
  await app.addRule({
    ...BEHIND,
    when: ALWAYS,
    actions: [{ type: "propose_price", price: { ...average, direction: "raise" } }],
  });
  const open = async () => {
    const [one, ...others] = await app.proposals("status=open");
    return [one?.ruleId, one?.proposedCents, Object(one?.trace).owner.ruleId, ...others];
  };
  assertEquals(await open(), [front, 9_000, front]);
  await app.pushAfter(HOUR_MS, [["A", "acme", 30], ["A", "best", 112]]);
  const { items } = await app.owner.read("/api/quarantine");
  assertEquals(column(items, "price"), [3_000]);
  assertEquals(await open(), [front, 9_000, front]);
});
