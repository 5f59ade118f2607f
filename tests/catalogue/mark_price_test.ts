import { DAY_MS } from "../../src/base/time.ts";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { markPrice } from "../../src/catalogue/lists/price_evidence.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { findLowestPrice } from "../../src/catalogue/lists/find_lowest_price.ts";
import type { PriceHistoryEntry } from "../../src/catalogue/prices/price_rows.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { refuses, valuesOf } from "../api/answers.ts";
import { withApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { type RulesApp, rulesAppOf, withRules } from "../rules/evaluation/market.ts";
import { withWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const NEVER = { isError: true, neverShown: true, reason: "Comma forgotten" };

async function setPrice({ manager, clock }: RulesApp, id: string, ourPrice: number) {
  clock.advance(DAY_MS);
  const product = await manager.change(`/api/products/${id}?allowLargeChange=true`, {
    ourPrice,
    reason: "A past",
  });
  return product.ourPriceUpdatedAt as string;
}

const markPath = (id: string, at: string) =>
  `/api/products/${id}/price-history/${encodeURIComponent(at)}/mark`;

async function lowest({ viewer }: RulesApp, id: string) {
  return await viewer.read(`/api/products/${id}/lowest-price`);
}

async function marksOf({ viewer }: RulesApp, id: string) {
  const { items } = await viewer.read(`/api/products/${id}/price-history`);
  return items.map(({ mark }: PriceHistoryEntry) => mark && [mark.neverShown, mark.reason]);
}

withRules.test("a mistaken price that was never shown is left out of the 30-day low, other mistakes count", async (app) => {
  const id = await app.addProduct("A");
  const at = await setPrice(app, id, 1);
  await setPrice(app, id, 100);
  assertEquals((await lowest(app, id)).lowestCents, 100);
  await app.manager.act(markPath(id, at), { isError: true, reason: "Typo" });
  const still = await lowest(app, id);
  assertEquals([still.lowestCents, still.leftOut], [100, []]);
  const marked = await app.manager.act(markPath(id, at), NEVER);
  assertEquals([marked.toCents, marked.mark.neverShown], [100, true]);
  const answer = await lowest(app, id);
  assertEquals(answer.lowestCents, 10_000);
  const [left, ...others] = answer.leftOut;
  assertEquals(others, []);
  assertEquals([left.at, left.toCents, left.currency, left.reason], [at, 100, "EUR", NEVER.reason]);
  assertEquals([left.by.type, left.markedAt], ["user", app.clock.now().toISOString()]);
  assertEquals(await marksOf(app, id), [null, [true, NEVER.reason], null]);
});

withRules.test("a mark can be undone, a repeated one writes nothing, and the audit log has both changes", async (app) => {
  const id = await app.addProduct("A");
  const at = await setPrice(app, id, 1);
  await setPrice(app, id, 100);
  for (let sent = 0; sent < 3; sent++) await app.manager.act(markPath(id, at), NEVER);
  const undone = await app.manager.act(markPath(id, at), { isError: false });
  assertEquals(undone.mark, null);
  assertEquals((await lowest(app, id)).lowestCents, 100);
  const { items } = await app.viewer.read("/api/audit-logs?action=product.mark");
  const resource = { type: "product", id, label: "A" };
  const none = { at, ourPriceCents: 100, isError: false, neverShown: false };
  const error = { ...none, isError: true, neverShown: true };
  assertEquals(
    valuesOf(items, "before", "after", "reason", "currency", "resource"),
    [[none, error, NEVER.reason, "EUR", resource], [error, none, undefined, "EUR", resource]],
  );
});

withRules.test("a mark of no known change or without a reason is refused", async (app) => {
  const id = await app.addProduct("A");
  const at = await setPrice(app, id, 90);
  for (const unknown of ["2026-01-01T00:00:00.000Z", "yesterday"]) {
    await refuses(app.manager.post(markPath(id, unknown), NEVER), "not_found", unknown);
  }
  await refuses(app.manager.post(markPath("0".repeat(24), at), NEVER), "not_found");
  const bodies = [
    {},
    { isError: true, neverShown: true },
    { isError: true, neverShown: true, reason: "  " },
    { isError: false, neverShown: true, reason: "x" },
    { isError: "yes" },
  ];
  for (const body of bodies) {
    await refuses(app.manager.post(markPath(id, at), body), "validation_failed");
  }
});

withRules.test("the price that an import gave a new product can be marked, and keeps its mark", async (app) => {
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", title: "A", price: "1.00" }]));
  const { items: [{ id, ourPriceUpdatedAt: at }] } = await app.viewer.read("/api/products");
  await app.manager.act(markPath(id, at), NEVER);
  assertEquals(await marksOf(app, id), [[true, NEVER.reason]]);
  await setPrice(app, id, 50);
  app.clock.advance(DAY_MS);
  assertEquals(await marksOf(app, id), [null, [true, NEVER.reason]]);
  const { lowestCents, complete } = await lowest(app, id);
  assertEquals([lowestCents, complete], [5_000, false]);
});

withApp.test("check-store reports a mark whose price change does not exist", async (tested) => {
  const app = rulesAppOf(tested);
  const id = await app.addProduct("A");
  const at = await setPrice(app, id, 90);
  await app.manager.act(markPath(id, at), NEVER);
  const [row] = await Array.fromAsync(app.store.kv.list({ prefix: ["pm"] }));
  await transact({ store: app.store }, (write) => {
    if (row) write.set([...row.key.slice(0, 3), 5], row.value);
    return Promise.resolve();
  });
  const found = await Array.fromAsync(checkCatalogue(app.store, app.workspaceId));
  match(found.join("\n"), /has a mark at 1970-01-01T00:00:00.005Z, where its price did not change/);
  assertEquals(found.length, 1);
});

withWorkspace.test("a price that was never shown begins no reduction and ends none", async (ctx) => {
  const options = { expected: null, allowsLargeChange: true };
  const { id } = await createProduct(ctx, { sku: "A", title: "A", ourPrice: 100 });
  const set = async (ourPrice: number) => {
    ctx.advance(DAY_MS);
    await changeProduct(ctx, id, { ourPrice }, options);
    return ctx.now().toISOString();
  };
  const reducedAt = await set(90);
  const errorAt = await set(200);
  await set(80);
  const product = (await findProduct(ctx, id))!.product;
  const startOf = async () => (await findLowestPrice(ctx, product, { atMs: null })).at;
  assertEquals(await startOf(), ctx.now().toISOString());
  await markPrice(ctx, id, errorAt, NEVER);
  assertEquals(await startOf(), reducedAt);
});

withWorkspace.test("prices that were never shown reveal the earlier price, and are listed if they lie in the 30 days, newest first", async (ctx) => {
  const options = { expected: null, allowsLargeChange: true };
  const beganMs = ctx.now().getTime();
  const { id } = await createProduct(ctx, { sku: "A", title: "A", ourPrice: 100 });
  for (const [days, ourPrice] of [[9, 3], [41, 80]] as const) {
    ctx.advance(days * DAY_MS);
    await changeProduct(ctx, id, { ourPrice }, options);
    await markPrice(ctx, id, ctx.now().toISOString(), NEVER);
  }
  const product = (await findProduct(ctx, id))!.product;
  for (
    const [day, ...wanted] of [[9], [10, 9], [39, 9], [45, 9], [50, 9], [51, 50, 9], [80, 50]]
  ) {
    const atMs = beganMs + Number(day) * DAY_MS;
    const { lowestCents, complete, leftOut } = await findLowestPrice(ctx, product, { atMs });
    const days = leftOut.map(({ at }) => (Date.parse(at) - beganMs) / DAY_MS);
    assertEquals([lowestCents, complete, days], [10_000, Number(day) >= 30, wanted], `${day}`);
  }
});
