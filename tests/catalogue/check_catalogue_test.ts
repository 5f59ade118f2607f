import fc from "fast-check";
import { changeProduct, deleteProduct } from "../../src/catalogue/changes/change_product.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { encodeIndexRow, NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { extent } from "../proof.ts";
import { openTestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import { CATALOGUE_TABLES, damage, damages } from "./damaged_rows.ts";
import { addNumbered, addProducts, productOf } from "./random_products.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

const RUNS = extent(500, 10);
const OPTIONS = { expected: null, allowsLargeChange: true };

async function fill(ctx: Context): Promise<void> {
  const products = Array.from({ length: 12 }, (_, n) => ({
    ...productOf(ctx, n),
    ourPriceCents: n % 4 === 0 ? null : 1_000 + n,
  }));
  await addProducts(ctx, products);
  for (const { id } of products.slice(0, 5)) {
    await changeProduct(ctx, id, { ourPrice: 12 }, OPTIONS);
  }
  for (const { id } of products.slice(4, 7)) await deleteProduct(ctx, id, null);
}

Deno.test("checkCatalogue() detects each row that is deleted, moved or copied", async () => {
  let changed = 0;
  using ctx = await openTestWorkspace();
  await fill(ctx);
  const before = await rowsOf(ctx);
  await fc.assert(
    fc.asyncProperty(damages, async (list) => {
      const { kv } = ctx.store;
      for (const { key } of await rowsOf(ctx)) await kv.delete(key);
      for (const { key, value } of before) await kv.set(key, value);
      assertEquals(await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId)), []);
      await damage(ctx, CATALOGUE_TABLES, list);
      if (isDeepStrictEqual(await rowsOf(ctx), before)) return;
      changed++;
      const found = await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));
      ok(found.length > 0, JSON.stringify(list));
    }),
    { numRuns: RUNS },
  );
  ok(changed > RUNS / 2, `${changed} changes`);
});

async function rowsOf({ store }: Context) {
  const rows = store.kv.list({ prefix: [] });
  return await Array.fromAsync(rows, ({ key, value }) => ({ key, value }));
}

withWorkspace.test("checkCatalogue() reports the damaged rows among many", async (ctx) => {
  const products = await addNumbered(ctx, 400);
  const [w, id] = [Uint8Array.fromHex(ctx.workspaceId), Uint8Array.fromHex(products[3]!.id)];
  const [indexRow] = await Array.fromAsync(ctx.store.kv.list({ prefix: ["ps", w] }, { limit: 1 }));
  const product = products.find(({ sku }) => sku === indexRow!.key[3])!;
  const other = encodeIndexRow({ product, marks: NO_MARKS }, "other words");
  await ctx.store.kv.set(indexRow!.key, other);
  const damaged = await ctx.store.kv.get<Uint8Array>(["p", w, id]);
  await ctx.store.kv.set(["px", w, id], damaged.value);
  const found = await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));
  const has = (words: RegExp) => found.filter((line) => words.test(line)).length;
  assertEquals(has(/^The index row of SKU ".*" has an old text$/), 1);
  assertEquals(has(new RegExp(`^Product ${products[3]!.id} is both active and deleted$`)), 1);
  assertEquals(has(new RegExp(`^Product ${products[3]!.id} is active but stored as deleted`)), 1);
});

withWorkspace.test("checkCatalogue() reports a wrong count", async (ctx) => {
  await addNumbered(ctx, 3);
  await ctx.store.kv.atomic().sum(["d", Uint8Array.fromHex(ctx.workspaceId), "n"], 2n).commit();
  const found = await Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));
  assertEquals(found, ["3 products are active, the count says 5"]);
});
