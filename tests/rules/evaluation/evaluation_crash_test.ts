import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { walkPriceRows } from "../../../src/catalogue/prices/price_rows.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { everyItem } from "../../api/answers.ts";
import { publishAll } from "../../platform/events/outbox.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { assertWhole, opened, workAndKill } from "../killed_work.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { addProducts, addSilentRule, push, untilJudged } from "./market.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";

const KILLS = extent(10, 1);
const PRODUCTS = extent(1_200, 30);

/** Adds a workspace, and an event about all its products that no listener has handled. */
async function prepare(store: Store) {
  const { app, productIds } = await build(store);
  const appClock = { ...app.app.clock, advance: () => {} };
  const ctx = contextOf(store, appClock, app.workspaceId);
  const data = { cause: "push" as const, ref: null, productIds };
  await publishAll(ctx, [{ type: "products.touched", data }]);
  return { workspaceId: app.workspaceId, now: app.clock.now().toISOString() };
}

/**
 * Adds rules without a cooldown, because a cooldown would hide a repeated evaluation. One of the
 * rules sets prices.
 */
async function build(store: Store): Promise<{ app: TestApp; productIds: string[] }> {
  await using app = await startTestApp({ store });
  await app.owner.change("/api/settings", { autoApply: true });
  const skus = Array.from({ length: PRODUCTS }, (_, n) => `SKU-${n}`);
  for (const part of [skus.slice(0, 600), skus.slice(600)]) {
    const products = part.map((sku) => ({
      sku,
      brand: skus.indexOf(sku) % 3 === 0 ? "Auto" : "Hand",
    }));
    if (part.length > 0) await addProducts(app, products);
  }
  app.clock.advance(60_000);
  for (const part of [skus.slice(0, 600), skus.slice(600)]) {
    if (part.length > 0) await push(app, part.map((sku) => [sku, "acme", 90]));
  }
  await untilJudged(app);
  await addSilentRule(app, {
    scope: { mode: "attribute", matches: { brand: "Hand" } },
    actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
  });
  await addSilentRule(app, {
    scope: { mode: "attribute", matches: { brand: "Auto" } },
    marginFloor: { pct: 10 },
    actions: [
      { type: "auto_apply_if_safe", formula: "match_cheapest" },
      { type: "alert_email", severity: "high" },
    ],
  });
  const products = await everyItem(app.owner, "/api/products?limit=200");
  return { app, productIds: products.map(({ id }) => id) };
}

inFolder.test(`an evaluation that is killed ${KILLS} times has every effect once`, async (folder) => {
  const dataDir = folder.path;
  const { workspaceId, now } = await opened(dataDir, prepare);
  const child = new URL("./judge_child.ts", import.meta.url);
  await workAndKill({ child, dataDir, args: [now, workspaceId, "judge"], kills: KILLS });
  await opened(dataDir, (store) => requireOnce(store, workspaceId));
});

async function requireOnce(store: Store, workspaceId: string): Promise<void> {
  const auto = Math.ceil(PRODUCTS / 3);
  const rows = async (...prefix: Deno.KvKey) =>
    await Array.fromAsync(store.kv.list<Record<string, unknown>>({ prefix }));
  const proposals = (await rows("pr")).map(({ value }) => value.status);
  const counted = Map.groupBy(proposals, (status) => status);
  assertEquals([counted.get("open")?.length, counted.get("applied")?.length], [
    PRODUCTS - auto,
    auto,
  ]);
  assertEquals(proposals.length, PRODUCTS, "a proposal of each product, none doubled");
  assertEquals((await rows("al")).length, PRODUCTS, "an alert of each product, none doubled");
  const prices = await Array.fromAsync(walkPriceRows({ store, workspaceId }));
  const changes = prices.filter(({ change }) => change.source === "rule");
  assertEquals(changes.length, auto, "each price is set once");
  const heard = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["heard"] }));
  assertEquals(new Set(heard.map(({ value }) => value.value)), new Set([1n]));
  assertEquals(heard.length, PRODUCTS + (PRODUCTS - auto), "each event is heard once");
  const fires = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["rf"] }));
  assertEquals(fires.reduce((sum, { value }) => sum + Number(value.value), 0), PRODUCTS);
  await assertWhole({ store, workspaceId });
}
