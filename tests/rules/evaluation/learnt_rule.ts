import { DAY_MS } from "../../../src/base/time.ts";
import { ok } from "node:assert/strict";
import { createCaller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { addProduct, addRule, proposals, pushJudged } from "./market.ts";

/**
 * Adds 21 changes from `price` to 90 % of it, 15 days ago. The cost is half of `price`. Each
 * product sells 14 pieces before the change, and 28 after it. SKU-20 does not count, because its
 * price changes again within 14 days. Product PEER of the same category sells 7 pieces before the
 * change.
 */
export async function learntRule(app: TestApp, price = 100) {
  const selling = await app.key(["products:write"]);
  const ruleId = await addRule(app.owner, { marginFloor: { pct: 10 } });
  const skus = Array.from({ length: 21 }, (_, n) => `SKU-${n}`);
  for (const sku of [...skus, "PEER"]) {
    await addProduct(app.owner, sku, { category: "Audio", ourPrice: price, costPrice: price / 2 });
  }
  app.clock.advance(16 * DAY_MS);
  const boss = await app.newCaller("owner");
  await pushJudged(app, skus.map((sku) => [sku, "acme", price * 0.9] as const));
  const ids = (await proposals(boss, "status=open")).map(({ id }) => id);
  const approval = { action: "approve", ids };
  const { results } = await boss.act("/api/proposals/bulk", approval);
  ok(results.length === skus.length && results.every(({ ok }: { ok: boolean }) => ok));
  const changedAt = app.clock.now().getTime();
  const day = (n: number) => new Date(changedAt + n * DAY_MS).toISOString().slice(0, 10);
  app.clock.advance(14 * DAY_MS);
  const cookie = await app.newSession("owner");
  const owner = createCaller(app.base, { Cookie: cookie });
  // SKU-20 changes on the last of the 14 days, SKU-19 one day later.
  const move = async (sku: string) => {
    const list = await owner.read(`/api/products?sku=${sku}`);
    await owner.change(`/api/products/${list.items[0].id}`, { ourPrice: price * 0.95 });
  };
  await move("SKU-20");
  app.clock.advance(DAY_MS);
  await move("SKU-19");
  const rows = skus.flatMap((sku) => [
    { sku, date: day(-2), units: 14 },
    { sku, date: day(0), units: 1_000 },
    { sku, date: day(2), units: 28 },
  ]);
  rows.push({ sku: "PEER", date: day(-2), units: 7 });
  await selling.act("/api/public/v1/sales", { rows });
  return { ruleId, skus, changedAt, month: day(0).slice(0, 7), cookie, owner };
}
