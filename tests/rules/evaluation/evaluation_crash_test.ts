import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { walkPriceRows } from "../../../src/catalogue/prices/price_rows.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { publishAll } from "../../platform/events/outbox.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { assertWhole, opened, workAndKill } from "../killed_work.ts";
import { afterApp, automatic } from "./market.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";

const KILLS = extent(10, 1);
const PRODUCTS = extent(1_200, 30);

const SKUS = Array.from({ length: PRODUCTS }, (_, n) => `SKU-${n}`);

/**
 * Adds undercut products, and rules without a cooldown: a cooldown would hide a repeated
 * evaluation. The rule for brand `Auto` sets prices itself. At the end, a `products.touched` event
 * waits for its listeners.
 */
async function prepare(store: Store): Promise<Context> {
  const { ctx, productIds } = await afterApp({ store }, async (app) => {
    await app.owner.change("/api/settings", { autoApply: true });
    const products = SKUS.map((sku, n) => ({ sku, brand: n % 3 === 0 ? "Auto" : "Hand" }));
    const productIds = await app.addProducts(products.slice(0, 600));
    if (PRODUCTS > 600) productIds.push(...await app.addProducts(products.slice(600)));
    app.clock.advance(60_000);
    await app.push(SKUS.slice(0, 600).map((sku) => [sku, "acme", 90]));
    if (PRODUCTS > 600) await app.push(SKUS.slice(600).map((sku) => [sku, "acme", 90]));
    const ofBrand = (brand: string) => ({ mode: "attribute", matches: { brand } });
    await app.addSilentRule({
      scope: ofBrand("Hand"),
      actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
    });
    const { marginFloor, actions } = automatic(10);
    await app.addSilentRule({
      ...{ scope: ofBrand("Auto"), marginFloor },
      actions: [...actions, { type: "alert_email", severity: "high" }],
    });
    return { productIds };
  });
  const data = { cause: "push" as const, ref: null, productIds };
  await publishAll(ctx, [{ type: "products.touched", data }]);
  return ctx;
}

inFolder.test(`an evaluation that is killed ${KILLS} times has every effect once`, async (folder) => {
  const dataDir = folder.path;
  const { workspaceId, now } = await opened(dataDir, prepare);
  const child = new URL("./judge_child.ts", import.meta.url);
  const args = [now().toISOString(), workspaceId, "judge"];
  await workAndKill({ child, dataDir, args, kills: KILLS });
  await opened(dataDir, (store) => requireOnce(store, workspaceId));
});

async function requireOnce(store: Store, workspaceId: string): Promise<void> {
  const auto = Math.ceil(PRODUCTS / 3);
  const rows = async (...prefix: Deno.KvKey) =>
    await Array.fromAsync(store.kv.list<Record<string, unknown>>({ prefix }));
  const proposals = (await rows("pr")).map(({ value }) => value.status);
  const counted = Map.groupBy(proposals, (status) => status);
  assertEquals(counted.get("open")?.length, PRODUCTS - auto);
  assertEquals(counted.get("applied")?.length, auto);
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
  await assertWhole({ store });
}
