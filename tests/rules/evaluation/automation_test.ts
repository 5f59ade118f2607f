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
import { column, refuses } from "../../api/answers.ts";
import { spentDays } from "../../../src/rules/evaluation/rule_stats.ts";
import { openStoreIn } from "../../closing_store.ts";
import { inFolder } from "../../temporary_folder.ts";

const AUTO = automatic(20);
const STOP = "/api/automation/stop";
const RESUME = "/api/automation/resume";

/** Adds products at 100.00 with a cheaper offer, and a rule that sets their prices. */
async function underPressure(app: RulesApp, skus: readonly string[] = ["A"]): Promise<string[]> {
  const productIds = await app.addAutomatic(skus, 90);
  await app.addSilentRule(AUTO);
  return productIds;
}

withRules.test("a stop with a reason turns every price that a rule would set into a proposal, until it is lifted", async (app) => {
  const [productId = ""] = await underPressure(app);
  for (const reason of ["", "  ", null]) {
    await refuses(app.owner.post(STOP, { reason }), "validation_failed");
  }
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
  const second = await app.owner.act(STOP, { reason: "Second" });
  const settings = await app.owner.change("/api/settings", { automationStop: null, name: "Other" });
  for (const { automationStop } of [second, settings]) {
    assertEquals(automationStop, stopped.automationStop);
  }
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

/**
 * Evaluates products that a rule makes cheaper; `meanwhile` acts as a person just before the first
 * commit.
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

const SKUS = Array.from({ length: 24 }, (_, n) => `P${n}`);

/** Returns how many prices the rules have applied, and the reasons of the open proposals. */
async function lower(app: RulesApp, skus: readonly string[], price: number) {
  await app.pushAfter(HOUR_MS, skus.map((sku) => [sku, "acme", price]));
  const open = await app.proposals("status=open");
  const applied = (await app.proposals("status=applied"))
    .filter(({ proposedCents }) => proposedCents === price * 100);
  return { applied: applied.length, open: open.map(({ reason }) => reason) };
}

withRules.test("a rule applies as many prices a day as its budget allows, and proposes the rest until the next day", async (app) => {
  const skus = SKUS.slice(0, 5);
  await app.addAutomatic(skus, 100);
  const ruleId = await app.addRule({ ...AUTO, budgetPerDay: 3 });
  const first = await lower(app, skus, 95);
  assertEquals([first.applied, first.open.length], [3, 2]);
  for (const reason of first.open) match(reason, /the rule lets 3 prices a day/);
  // In Berlin, the day ends an hour before midnight UTC.
  app.clock.advance(Date.parse("2026-03-02T22:50:00Z") - app.clock.now().getTime() - HOUR_MS);
  const evening = await lower(app, skus, 94);
  assertEquals([evening.applied, evening.open.length], [0, 5]);
  app.clock.advance(-HOUR_MS + 20 * 60_000);
  const next = await lower(app, skus, 93);
  assertEquals([next.applied, next.open.length], [3, 2]);
  const days = async () => (await spentDays.list(app)).map(({ row }) => row);
  assertEquals(await days(), [
    { date: "2026-03-02", all: 3, rules: { [ruleId]: 3 } },
    { date: "2026-03-03", all: 3, rules: { [ruleId]: 3 } },
  ]);
  assertEquals(await spentDays.sweep(app, new Date("2026-03-03T12:00:00Z")), 1);
  assertEquals((await days()).map(({ date }) => date), ["2026-03-03"]);
});

withRules.test("the workspace's budget holds for all rules together, and changes by people do not count", async (app) => {
  const skus = SKUS.slice(0, 4);
  const ids = await app.addAutomatic(skus, 100);
  await app.owner.change("/api/settings", { budgetPerDay: 3 });
  const half = (list: readonly string[]) => ({ scope: { mode: "sku", list } });
  await app.addRule({ ...AUTO, ...half(skus.slice(0, 2)) });
  await app.addRule({ ...AUTO, ...half(skus.slice(2)), budgetPerDay: 2 });
  const first = await lower(app, skus, 95);
  assertEquals([first.applied, first.open.length], [3, 1]);
  match(first.open[0] ?? "", /the workspace lets 3 prices a day/);
  const [open] = await app.proposals("status=open");
  await app.owner.act(`/api/proposals/${open?.id}/approve`);
  assertEquals(await app.priceOf(open?.productId ?? ""), 9_500);
  const [day] = await spentDays.list(app);
  assertEquals(day?.row.all, 3);
  await app.pushAfter(HOUR_MS, [[skus[0]!, "acme", 94]]);
  assertEquals((await app.decisions(ids[0]!))[0].held, ["budget"]);
  const settings = await app.owner.change("/api/settings", { budgetPerDay: null });
  assertEquals(settings.budgetPerDay, null);
  assertEquals((await lower(app, skus.slice(0, 1), 93)).applied, 1);
});

inFolder.test("two processes that judge at the same time do not exceed the budget", async (folder) => {
  using store = await openStoreIn(folder.path);
  const { ctx, ids } = await afterApp({ store }, async (app) => {
    const ids = await app.addAutomatic(SKUS, 95);
    await app.addSilentRule({ ...AUTO, budgetPerDay: 7 });
    return { ids };
  });
  await queuePushed(ctx, ids.map((id) => [id]));
  using other = await openStoreIn(folder.path);
  for (let n = 0; n < 2; n++) {
    await Promise.all([store, other].map((one) => judgeDue(one, ctx)));
  }
  const made = await Array.fromAsync(store.kv.list<{ status: string }>({ prefix: ["pr"] }));
  const counts = Object.groupBy(made, ({ value }) => value.status);
  assertEquals([counts.applied?.length, counts.open?.length], [7, 17]);
  const [day] = await spentDays.list(ctx);
  assertEquals(day?.row.all, 7);
});
