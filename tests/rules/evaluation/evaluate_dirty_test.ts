import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { HOUR_MS } from "../../../src/base/time.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import {
  addProduct,
  addRule,
  automatic,
  priceOf,
  proposals,
  push,
  pushJudged,
  statuses,
  untilJudged,
} from "./market.ts";
import { column, refuses, valuesOf } from "../../api/answers.ts";

withApp.test("the same price keeps the open proposal, another one supersedes it, and none closes it", async (app) => {
  await addRule(app.owner);
  await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90]]);
  app.clock.advance(60_000);
  await pushJudged(app, [["A", "bolt", 99]]);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  app.clock.advance(60_000);
  await pushJudged(app, [["A", "acme", 85]]);
  assertEquals(await statuses(app.owner), [["superseded", 9_000], ["open", 8_500]]);
  app.clock.advance(60_000);
  await pushJudged(app, [["A", "acme", 120], ["A", "bolt", 120]]);
  assertEquals(await statuses(app.owner), [["superseded", 9_000], ["superseded", 8_500]]);
  assertEquals((await proposals(app.owner))[1]?.reason, "no_longer_fires");
});

withApp.test("a repeated push causes no second alert", async (app) => {
  await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  await addProduct(app.owner, "A");
  const observedAt = app.clock.now().toISOString();
  for (let sent = 0; sent < 3; sent++) {
    await push(app, [["A", "acme", 90]], { observedAt });
    app.clock.advance(60_000);
  }
  await untilJudged(app);
  assertEquals((await app.owner.read("/api/alerts")).items.length, 1);
  await pushJudged(app, [["A", "acme", 90]]);
  assertEquals((await app.owner.read("/api/alerts")).items.length, 2);
});

const AUTO = automatic(20);

withApp.test("auto_apply_if_safe changes a safe price, with history, audit and rollback", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const ruleId = await addRule(app.owner, { ...AUTO, name: "Down", priority: 1 });
  // A price that a rule applied does not trigger the rules again.
  await addRule(app.owner, {
    ...AUTO,
    name: "Up",
    priority: 2,
    when: { trigger: "margin_below", marginPct: 49 },
    actions: [{
      ...AUTO.actions[0],
      formula: "target_margin_pct",
      targetMarginPct: 50,
      maxChangePct: 100,
    }],
  });
  const productId = await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 90]]);
  assertEquals(await priceOf(app.owner, productId), 9_000);
  assertEquals(await statuses(app.owner), [["applied", 9_000]]);
  const history = await app.owner.read(`/api/products/${productId}/price-history`);
  assertEquals(
    [history.items[0].source, history.items[0].ref, history.items[0].fromCents],
    ["rule", ruleId, 10_000],
  );
  const log = await app.owner.read(`/api/audit-logs?actor=${ruleId}`);
  assertEquals(log.items.map((row: { after: unknown }) => row.after), [{ ourPriceCents: 9_000 }]);
  const [applied] = await proposals(app.owner);
  await app.owner.act(`/api/proposals/${applied?.id}/rollback`);
  assertEquals(await priceOf(app.owner, productId), 10_000);
});

withApp.test("a product with more effects than fit into a commit does not block the others", async (app) => {
  for (const sku of ["A", "B", "C"]) await addProduct(app.owner, sku);
  const actions = Array.from({ length: 20 }, (_, n) => {
    return { type: "alert_email", to: [`buyer-${n}@shop.example`] };
  });
  for (let n = 0; n < 15; n++) {
    await addRule(app.owner, { scope: { mode: "sku", list: ["A"] }, actions });
  }
  await addRule(app.owner, { scope: { mode: "sku", list: ["B", "C"] } });
  const key = await app.key(["observations:write"]);
  const send = async (skus: readonly string[]) => {
    const observations = skus.map((sku) => {
      return { sku, url: `https://acme.example/${sku}`, price: 90, currency: "EUR" };
    });
    await key.act("/api/public/v1/observations", { observations });
  };
  const proposed = async () => (await proposals(app.owner)).map(({ sku }) => sku).sort();
  await send(["A", "B"]);
  await until("B is judged", async () => (await proposed()).includes("B"));
  await send(["C"]);
  await until("C is judged", async () => (await proposed()).includes("C"));
});

withApp.test("a disabled or deleted rule closes its proposals and passes its products to other rules; a deleted product closes its own", async (app) => {
  const gone = await addProduct(app.owner, "A");
  await addProduct(app.owner, "B");
  await push(app, [["A", "acme", 90], ["B", "acme", 90]]);
  const ahead = { actions: [{ type: "propose_price", formula: "min_competitor_minus_1pct" }] };
  for (const end of ["rule_off", "rule_deleted"] as const) {
    const first = await addRule(app.owner, { name: end, priority: 1, ...ahead });
    const second = await addRule(app.owner, { name: `behind ${end}`, priority: 2 });
    await untilJudged(app);
    const open = await proposals(app.owner, "status=open");
    assertEquals(open.map(({ ruleId }) => ruleId), [first, first]);
    if (end === "rule_off") await app.owner.act(`/api/rules/${first}/toggle`);
    else await app.owner.remove(`/api/rules/${first}`);
    await refuses(app.owner.post(`/api/proposals/${open[0]!.id}/approve`, {}), "conflict");
    await untilJudged(app);
    const after = await proposals(app.owner, "status=open");
    assertEquals(valuesOf(after, "ruleId", "proposedCents"), Array(2).fill([second, 9_000]));
    const closed = await proposals(app.owner, `ruleId=${first}`);
    assertEquals(valuesOf(closed, "status", "reason"), Array(2).fill(["superseded", end]));
    await app.owner.act(`/api/rules/${second}/toggle`);
    await untilJudged(app);
    assertEquals(await proposals(app.owner, "status=open"), [], "nobody is behind");
  }
  await addRule(app.owner);
  await untilJudged(app);
  await app.owner.remove(`/api/products/${gone}`);
  await untilJudged(app);
  assertEquals((await proposals(app.owner, "status=open")).map(({ sku }) => sku), ["B"]);
  const closed = (await proposals(app.owner, `productId=${gone}`)).at(-1);
  assertEquals([closed?.status, closed?.reason], ["superseded", "product_deleted"]);
});

const ALWAYS = { trigger: "market_index", always: true };
const FRONT = { name: "Large appliances", priority: 1, marginFloor: { pct: 5 } };
const BEHIND = { name: "Coffee", priority: 2, marginFloor: { pct: 5 } };
const average = { reference: { kind: "average" } };

async function decisionsOf(app: TestApp, productId: string) {
  return (await app.viewer.read(`/api/products/${productId}/decisions`)).items;
}

withApp.test("a later rule does not reverse ten accepted prices, and names the rule that would take its price back", async (app) => {
  const skus = Array.from({ length: 10 }, (_, n) => `A${n}`);
  const ids = await Promise.all(skus.map((sku) => addProduct(app.owner, sku)));
  await pushJudged(app, skus.flatMap((sku) => [[sku, "acme", 90], [sku, "best", 112]] as const));
  const front = await addRule(app.owner, FRONT);
  const behind = await addRule(app.owner, {
    ...BEHIND,
    when: ALWAYS,
    actions: [{ type: "propose_price", price: average }],
  });
  await untilJudged(app);
  const open = await proposals(app.owner, "status=open");
  assertEquals(valuesOf(open, "ruleId", "proposedCents"), Array(10).fill([front, 9_000]));
  for (const { id } of open) await app.manager.act(`/api/proposals/${id}/approve`);
  for (let hour = 0; hour < 3; hour++) {
    await untilJudged(app);
    app.clock.advance(HOUR_MS);
    await pushJudged(app, skus.map((sku) => [sku, "acme", 90] as const));
  }
  assertEquals(await proposals(app.owner, "status=open"), []);
  assertEquals(await Promise.all(ids.map((id) => priceOf(app.owner, id))), Array(10).fill(9_000));
  const [, coffee] = await decisionsOf(app, ids[0] ?? "");
  assertEquals([coffee.ruleId, coffee.outcome, coffee.blocked], [behind, "rest", ["not_stable"]]);
  match(coffee.reason, /not_stable: the rule "Large appliances" would change it to 90\.00 EUR/);
  assertEquals([coffee.trace.owner, coffee.trace.behind], [null, [
    {
      ...{ ruleId: behind, name: "Coffee", wouldBeCents: 10_100, why: "not_stable" },
      by: { ruleId: front, name: "Large appliances", wouldBeCents: 9_000 },
    },
  ]]);
  const key = await app.key(["rules:read"]);
  const path = `/api/public/v1/products/${ids[0]}/decisions`;
  assertEquals((await key.read(path)).data[1].trace, coffee.trace);
});

Deno.test("a price in quarantine does not let a later rule bypass the owner", async () => {
  await using app = await startTestApp({ holdsPrices: true });
  await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 90], ["A", "best", 110]]);
  const front = await addRule(app.owner, FRONT);
  await addRule(app.owner, {
    ...BEHIND,
    when: ALWAYS,
    actions: [{ type: "propose_price", price: { ...average, direction: "raise" } }],
  });
  await untilJudged(app);
  const open = async () =>
    (await proposals(app.owner, "status=open"))
      .map((
        { ruleId, proposedCents, trace },
      ) => [ruleId, proposedCents, Object(trace).owner.ruleId]);
  assertEquals(await open(), [[front, 9_000, front]]);
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 30], ["A", "best", 112]]);
  const { items } = await app.owner.read("/api/quarantine");
  assertEquals(column(items, "price"), [3_000]);
  assertEquals(await open(), [[front, 9_000, front]]);
});
