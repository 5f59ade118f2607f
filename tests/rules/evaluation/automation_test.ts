import { afterApp, automatic, type RulesApp, withRules } from "./market.ts";
import { stopAutomation } from "../../../src/accounts/change_settings.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { changeProduct } from "../../../src/catalogue/changes/change_product.ts";
import { listPriceChanges } from "../../../src/catalogue/products/product_store.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { withStore } from "../../memory_store.ts";
import { watchedStore } from "../../watched_store.ts";
import { assertWhole } from "../killed_work.ts";
import { judgeDue, queuePushed } from "./judge_all.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { column } from "../../api/answers.ts";

const AUTO = automatic(20);
const STOP = "/api/automation/stop";
const RESUME = "/api/automation/resume";

/** Adds products at 100.00 with a cheaper offer, and a rule that sets their prices. */
async function underPressure(app: RulesApp, skus: readonly string[] = ["A"]): Promise<string[]> {
  const productIds = await app.addAutomatic(skus, 90);
  await app.addSilentRule(AUTO);
  return productIds;
}

withRules.test("a stop turns every price that a rule would set into a proposal, until it is lifted", async (app) => {
  const [productId = ""] = await underPressure(app);
  const stopped = await app.owner.act(STOP, { reason: " War with  Acme " });
  assertEquals(stopped, {
    automationStop: {
      at: app.clock.now().toISOString(),
      byName: stopped.automationStop.byName,
      reason: "War with Acme",
    },
    rules: 1,
    waiting: 0,
    applied24h: 0,
  });
  const { automationStop } = await app.owner.read("/api/settings");
  assertEquals(automationStop, stopped.automationStop);
  await app.push([["A", "acme", 89]]);
  assertEquals(await app.statuses(), [["open", 8_900]]);
  const [open] = await app.proposals();
  match(open?.reason ?? "", /stopped: .*War with Acme/);
  // A person's approval is applied even while automatic prices are stopped.
  await app.owner.act(`/api/proposals/${open?.id}/approve`);
  assertEquals(await app.priceOf(productId), 8_900);
  const resumed = await app.owner.act(RESUME, {});
  assertEquals([resumed.automationStop, resumed.applied24h], [null, 0]);
  await app.pushAfter(2 * HOUR_MS, [["A", "acme", 88]]);
  assertEquals(await app.priceOf(productId), 8_800);
  assertEquals((await app.owner.read("/api/automation")).applied24h, 1);
  const log = await app.owner.read("/api/audit-logs?action=workspace.stop");
  assertEquals(column(log.items, "reason"), ["War with Acme"]);
});

withRules.test("a stop needs a reason and a manager; a second one changes nothing, and new settings do not lift it", async (app) => {
  for (const body of [{}, { reason: "" }, { reason: "  " }, { reason: null }]) {
    assertEquals((await app.owner.post(STOP, body)).status, 400);
  }
  const first = await app.owner.act(STOP, { reason: "First" });
  app.clock.advance(HOUR_MS);
  const second = await app.owner.act(STOP, { reason: "Second" });
  assertEquals(second.automationStop, first.automationStop);
  const settings = { automationStop: null, name: "Other" };
  const { automationStop } = await app.owner.change("/api/settings", settings);
  assertEquals(automationStop, first.automationStop);
});

/**
 * Evaluates products whose prices a rule would lower, and calls `meanwhile` just before the first
 * commit, as if a person acted at the same time.
 */
async function judgeBeside(
  store: Store,
  skus: readonly string[],
  meanwhile: (ctx: Context, productIds: readonly string[]) => Promise<unknown>,
) {
  const { ctx, productIds } = await afterApp({ store }, async (app) => {
    const productIds = await underPressure(app, skus);
    app.clock.advance(HOUR_MS);
    return { productIds };
  });
  await queuePushed(ctx, [productIds]);
  let commits = 0;
  const committing = async () => {
    if (commits++ > 0) return;
    const actor = { type: "user", id: ctx.newId(), name: "Mia" } as const;
    await meanwhile({ ...ctx, actor }, productIds);
  };
  await judgeDue(watchedStore(store, { committing }), ctx);
  return { ctx, productIds, commits };
}

withStore.test("a price that was decided before a stop is not set after it", async (store) => {
  await judgeBeside(store, ["A"], (ctx) => stopAutomation(ctx, "War"));
  const made = await Array.fromAsync(store.kv.list<{ status: string }>({ prefix: ["pr"] }));
  assertEquals(made.map(({ value }) => value.status), ["open"]);
});

withStore.test("prices of many products are set in few commits; one that a person changes meanwhile is judged again", async (store) => {
  const skus = Array.from({ length: 100 }, (_, n) => `SKU-${n}`);
  const changing = { expected: null, allowsLargeChange: false };
  const { ctx, productIds, commits } = await judgeBeside(
    store,
    skus,
    (ctx, [first = ""]) => changeProduct(ctx, first, { ourPriceCents: 9_800 }, changing),
  );
  ok(commits < 20, `${commits} commits`);
  const ever = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  for (const [n, id] of productIds.entries()) {
    const history = await listPriceChanges(ctx, id, ever, 10);
    const cents = history.map(({ toCents }) => toCents).reverse();
    assertEquals(cents, n === 0 ? [10_000, 9_800] : [10_000, 9_000]);
  }
  await assertWhole(ctx);
});
