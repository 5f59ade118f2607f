import fc from "fast-check";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { changeProducts, cutBatches } from "../../src/catalogue/changes/change_products.ts";
import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { refuses } from "../api/answers.ts";
import { withRules } from "../rules/evaluation/market.ts";
import { watchedStore } from "../watched_store.ts";
import { withWorkspace } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const target = fc.record({
  id: fc.uuid(),
  shard: fc.nat(63),
  bytes: fc.integer({ min: 800, max: 62_000 }),
});

Deno.test("cutBatches() keeps every product once and every commit within the limits", () => {
  fc.assert(fc.property(fc.array(target, { maxLength: 400 }), (targets) => {
    const batches = cutBatches(targets);
    assertEquals(batches.flat().map(({ id }) => id).sort(), targets.map(({ id }) => id).sort());
    for (const batch of batches) {
      ok(batch.length >= 1 && batch.length <= 100);
      ok(new Set(batch.map(({ shard }) => shard)).size <= 8);
      ok(batch.reduce((sum, { bytes }) => sum + bytes, 0) <= 400_000);
    }
  }));
});

withRules.test("a bulk change affects only products with the required settings, so an undo overwrites no later change", async (app) => {
  const ids = [await app.addProduct("A"), await app.addProduct("B")];
  const asked = [...ids, ids[1], "nope"];
  const bulk = async (body: object) => {
    const path = "/api/products/bulk";
    const { missing, ...counts } = await app.manager.act(path, { ids: asked, ...body });
    assertEquals(missing, ["nope"]);
    return [counts.changed, counts.unchanged];
  };
  assertEquals(await bulk({ set: { scrapeIntervalHours: 12 } }), [2, 0]);
  await app.manager.change(`/api/products/${ids[1]}`, { scrapeIntervalHours: 3 });
  const back = { set: { scrapeIntervalHours: 6 }, having: { scrapeIntervalHours: 12 } };
  assertEquals(await bulk(back), [1, 1]);
  assertEquals(await bulk(back), [0, 2]);
  const hours = ids.map(async (id) =>
    (await app.viewer.read(`/api/products/${id}`)).scrapeIntervalHours
  );
  assertEquals(await Promise.all(hours), [6, 3]);
});

withRules.test("a bulk change without a selection, without fields, or of the SKU is refused", async (app) => {
  const ids = [await app.addProduct("A")];
  const set = { scrapeIntervalHours: 6 };
  for (const bad of [{ set }, { ids, set: {} }, { ids, set: { sku: "x" } }]) {
    await refuses(app.manager.post("/api/products/bulk", bad), "validation_failed");
  }
});

withWorkspace.test("a bulk change keeps a concurrent change of a product whose new SKU is in another shard", async (ctx) => {
  const { id } = await createProduct(ctx, { sku: "A", title: "Old" });
  const change = (values: object) =>
    changeProduct(ctx, id, values, { expected: null, allowsLargeChange: false });
  const steps = [() => change({ sku: "B" }), () => change({ title: "New" })];
  // The SKU changes before the bulk change reads version counters, the title before it commits.
  const next = async () => void await steps.shift()?.();
  const store = watchedStore(ctx.store, {
    got: async ([key]) => steps.length === 2 && key?.[0] === "p" ? await next() : undefined,
    committing: next,
  });
  const asker = { cache: ctx.cache, market: null as never };
  const outcome = await changeProducts({ ...ctx, store }, asker, {
    ids: [id],
    set: { priceLocked: true },
  });
  assertEquals(outcome, { changed: 1, unchanged: 0, missing: [] });
  const { product } = (await findProduct(ctx, id))!;
  assertEquals([product.sku, product.title, product.priceLocked], ["B", "New", true]);
});
