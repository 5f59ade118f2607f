import { stopAutomation } from "../../../src/accounts/change_settings.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { changeProduct } from "../../../src/catalogue/changes/change_product.ts";
import { listPriceChanges } from "../../../src/catalogue/products/price_changes.ts";
import { type Context, contextFor } from "../../../src/platform/store/context.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { withStore } from "../../memory_store.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";
import { watchedStore } from "../../watched_store.ts";
import { assertWhole } from "../killed_work.ts";
import { judgeDue, queuePushed } from "./judge_all.ts";
import {
  addProduct,
  addProducts,
  addSilentRule,
  automatic,
  priceOf,
  proposals,
  pushJudged,
  statuses,
} from "./market.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { column } from "../../api/answers.ts";

const AUTO = automatic(20);
const STOP = "/api/automation/stop";
const RESUME = "/api/automation/resume";

/** Adds a product at 100.00 with a cheaper competitor, and a rule that sets its price. */
async function underPressure(app: TestApp): Promise<string> {
  await app.owner.change("/api/settings", { autoApply: true });
  const productId = await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 90]]);
  await addSilentRule(app, AUTO);
  return productId;
}

withApp.test("a stop turns every price that a rule would set into a proposal, until it is lifted", async (app) => {
  const productId = await underPressure(app);
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
  await pushJudged(app, [["A", "acme", 89]]);
  assertEquals(await statuses(app.owner), [["open", 8_900]]);
  match((await proposals(app.owner))[0]?.reason ?? "", /stopped: .*War with Acme/);
  // A price that a person approves is still applied.
  const [{ id } = { id: "" }] = await proposals(app.owner);
  await app.owner.act(`/api/proposals/${id}/approve`);
  assertEquals(await priceOf(app.owner, productId), 8_900);
  const resumed = await app.owner.act(RESUME, {});
  assertEquals([resumed.automationStop, resumed.applied24h], [null, 0]);
  app.clock.advance(2 * HOUR_MS);
  await pushJudged(app, [["A", "acme", 88]]);
  assertEquals(await priceOf(app.owner, productId), 8_800);
  assertEquals((await app.owner.read("/api/automation")).applied24h, 1);
  const log = await app.owner.read("/api/audit-logs?action=workspace.stop");
  assertEquals(column(log.items, "reason"), ["War with Acme"]);
});

withApp.test("a stop needs a reason and a manager; a second one changes nothing, and new settings do not lift it", async (app) => {
  for (const body of [{}, { reason: "" }, { reason: "  " }, { reason: null }]) {
    assertEquals((await app.owner.post(STOP, body)).status, 400);
  }
  const first = await app.owner.act(STOP, { reason: "First" });
  app.clock.advance(HOUR_MS);
  const second = await app.owner.act(STOP, { reason: "Second" });
  assertEquals(second.automationStop, first.automationStop);
  const { automationStop } = await app.owner.change("/api/settings", {
    automationStop: null,
    name: "Other",
  });
  assertEquals(automationStop, first.automationStop);
});

interface Judged {
  readonly workspaceId: string;
  readonly productIds: readonly string[];
  readonly nowMs: number;
}

/**
 * Evaluates the products directly, without a running app. `meanwhile` is called before the first
 * commit.
 */
async function judgeBeside(
  store: Store,
  { workspaceId, productIds, nowMs }: Judged,
  meanwhile: (ctx: Context) => Promise<unknown>,
): Promise<{ readonly commits: number }> {
  const clock = { ...createTestClock(), now: () => new Date(nowMs) };
  const id = clock.newId();
  await transact({ store }, (write) => {
    queuePushed(write, { workspaceId, id, productIds, now: clock.now() });
  });
  let commits = 0;
  const committing = async () => {
    if (commits++ > 0) return;
    const actor = { type: "user", id, name: "Mia" } as const;
    await meanwhile(contextFor({ store, clock, requestId: "req" }, workspaceId, actor));
  };
  await judgeDue(watchedStore(store, { committing }), clock);
  return { commits };
}

withStore.test("a price that was decided before a stop is not set after it", async (store) => {
  let judged: Judged;
  {
    await using app = await startTestApp({ store });
    const productIds = [await underPressure(app)];
    const { workspaceId, clock } = app;
    judged = { workspaceId, productIds, nowMs: clock.now().getTime() };
  }
  await judgeBeside(store, judged, (ctx) => stopAutomation(ctx, "War"));
  const made = await Array.fromAsync(store.kv.list<{ status: string }>({ prefix: ["pr"] }));
  assertEquals(made.map(({ value }) => value.status), ["open"]);
});

withStore.test("prices of many products are set in few commits; one that a person changes meanwhile is judged again", async (store) => {
  const skus = Array.from({ length: 100 }, (_, n) => `SKU-${n}`);
  let judged: Judged;
  {
    await using app = await startTestApp({ store });
    await app.owner.change("/api/settings", { autoApply: true });
    const productIds = await addProducts(app, skus.map((sku) => ({ sku })));
    app.clock.advance(HOUR_MS);
    await pushJudged(app, skus.map((sku) => [sku, "acme", 90]));
    await addSilentRule(app, AUTO);
    app.clock.advance(HOUR_MS);
    const { workspaceId, clock } = app;
    judged = { workspaceId, productIds, nowMs: clock.now().getTime() };
  }
  const [changed = ""] = judged.productIds;
  const changing = { expected: null, allowsLargeChange: false };
  const { commits } = await judgeBeside(
    store,
    judged,
    (ctx) => changeProduct(ctx, changed, { ourPriceCents: 9_800 }, changing),
  );
  ok(commits < 20, `${commits} commits`);
  const workspace = { store, workspaceId: judged.workspaceId };
  const ever = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  for (const id of judged.productIds) {
    const history = await listPriceChanges(workspace, id, ever, 10);
    const cents = history.map(({ toCents }) => toCents).reverse();
    assertEquals(cents, id === changed ? [10_000, 9_800] : [10_000, 9_000]);
  }
  await assertWhole(workspace);
});
