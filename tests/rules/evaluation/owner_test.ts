import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import {
  addProduct,
  addRule,
  priceOf,
  proposals,
  pushJudged,
  statuses,
  untilJudged,
} from "./market.ts";

const ALWAYS = { trigger: "market_index", always: true };
const FRONT = { name: "Large appliances", priority: 1, marginFloor: { pct: 5 } };
const BEHIND = { name: "Coffee", priority: 2, marginFloor: { pct: 5 } };
const average = { reference: { kind: "average" } };

async function decisionsOf(app: TestApp, productId: string) {
  return (await bodyOf(app.viewer.get(`/api/products/${productId}/decisions`), 200)).items;
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
  assertEquals(
    open.map(({ ruleId, proposedCents }) => [ruleId, proposedCents]),
    Array(10).fill([front, 9_000]),
  );
  for (const { id } of open) await bodyOf(app.manager.post(`/api/proposals/${id}/approve`), 200);
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
  assertEquals((await bodyOf(key.get(path), 200)).data[1].trace, coffee.trace);
});

withApp.test("two automatic rules do not alternate while a competitor moves by a cent", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const productId = await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 90], ["A", "best", 110]]);
  const automatic = (price: Record<string, unknown>) => ({
    cooldownMinutes: 0,
    actions: [{ type: "auto_apply_if_safe", price, maxChangePct: 20 }],
  });
  await addRule(app.owner, {
    ...FRONT,
    ...automatic({ reference: { kind: "cheapest" }, adjust: { pct: -1 } }),
  });
  await addRule(app.owner, {
    ...BEHIND,
    when: { trigger: "competitor_overcut" },
    ...automatic({ ...average, direction: "raise" }),
  });
  await untilJudged(app);
  const seen = [await priceOf(app.owner, productId)];
  for (const cents of [1, 2, 3, 4, 5]) {
    app.clock.advance(HOUR_MS);
    await pushJudged(app, [["A", "acme", 90 + cents / 100], ["A", "best", 110]]);
    seen.push(await priceOf(app.owner, productId));
  }
  assertEquals(seen, Array(6).fill(8_910));
  assertEquals(await statuses(app.owner, "status=open"), []);
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
    (await proposals(app.owner, "status=open")).map(({ ruleId, proposedCents, trace }) => [
      ruleId,
      proposedCents,
      Object(trace).owner.ruleId,
    ]);
  assertEquals(await open(), [[front, 9_000, front]]);
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 30], ["A", "best", 112]]);
  const { items } = await bodyOf(app.owner.get("/api/quarantine"), 200);
  assertEquals(items.map(({ price }: { price: number }) => price), [3_000]);
  assertEquals(await open(), [[front, 9_000, front]]);
});
