import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { checkRules } from "../../src/evaluation/check_rules.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { addProduct, addRule, priceOf, push, untilJudged } from "./market.ts";

const AUTO = {
  marginFloor: { pct: 10 },
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 50 }],
};

Deno.test("a price that a person sets while rules apply theirs is the one that stands", async () => {
  await using app = await startTestApp();
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  await addRule(app.owner, AUTO);
  const skus = Array.from({ length: 30 }, (_, n) => `SKU-${n}`);
  const ids: string[] = [];
  for (const sku of skus) ids.push(await addProduct(app.owner, sku));
  for (let round = 0; round < 4; round++) {
    app.clock.advance(60_000);
    await push(app, skus.map((sku) => [sku, "acme", 90 - round]));
    // The evaluation is under way: some of these meet it in the middle.
    await Promise.all(ids.map(async (id, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 25));
      await bodyOf(app.owner.patch(`/api/products/${id}`, { ourPriceCents: 9_500 + round }), 200);
    }));
    await untilJudged(app);
    const prices = await Promise.all(ids.map((id) => priceOf(app.owner, id)));
    assertEquals(new Set(prices), new Set([9_500 + round]));
  }
  const { items } = await bodyOf(
    app.owner.get("/api/audit-logs?action=product.update&limit=200&order=desc"),
    200,
  );
  ok(items.length > 0);
  for (const check of [checkCatalogue, checkRules]) {
    assertEquals(await Array.fromAsync(check(app.store, app.workspaceId)), []);
  }
});

Deno.test("every price that a rule applied stands in history, audit log and proposals alike", async () => {
  await using app = await startTestApp();
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const ruleId = await addRule(app.owner, AUTO);
  const skus = Array.from({ length: 40 }, (_, n) => `SKU-${n}`);
  const ids: string[] = [];
  for (const sku of skus) ids.push(await addProduct(app.owner, sku));
  app.clock.advance(60_000);
  await push(app, skus.map((sku) => [sku, "acme", 80]));
  await untilJudged(app);
  for (const id of ids) {
    const history = await bodyOf(app.owner.get(`/api/products/${id}/price-history`), 200);
    const sources = history.items.map(({ source }: { source: string }) => source);
    assertEquals(sources, ["rule", "api"]);
  }
  const log = await bodyOf(app.owner.get(`/api/audit-logs?actor=${ruleId}&limit=200`), 200);
  assertEquals(log.count, 40);
  const applied = await bodyOf(app.owner.get("/api/proposals?status=applied&limit=200"), 200);
  assertEquals(applied.count, 40);
  const { stats } = await bodyOf(app.owner.get(`/api/rules/${ruleId}`), 200);
  assertEquals(stats.fires30d, 40);
});
