import fc from "fast-check";
import { changeProduct, deleteProduct } from "../../src/catalogue/changes/change_product.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import {
  agreesWith,
  encodeIndexRow,
  IndexRow,
  type IndexRowMarks,
  marksOf,
  NO_MARKS,
} from "../../src/catalogue/products/index_row_store.ts";
import type { Context } from "../../src/platform/store/context.ts";
import {
  addNumbered,
  addProducts,
  MADE_AT,
  madeProduct,
  openTestWorkspace,
  productOf,
  withWorkspace,
} from "./catalogue_workspace.ts";
import { idText } from "../../src/base/id.ts";
import { type Product, searchText } from "../../src/catalogue/products/product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

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

const TABLES = ["p", "px", "ps", "ph", "pe"];

Deno.test("checkCatalogue() detects each row that is deleted, moved or copied", async () => {
  using ctx = await openTestWorkspace();
  await fill(ctx);
  const { kv } = ctx.store;
  const check = () => Array.fromAsync(checkCatalogue(ctx.store, ctx.workspaceId));
  assertEquals(await check(), []);
  const rows = (await Array.fromAsync(kv.list({ prefix: [] })))
    .filter(({ key }) => TABLES.includes(String(key[0])));
  for (const { key, value } of rows) {
    // Makes wrong keys by copying one part from the key of another row of the table.
    const others = key.slice(2).flatMap((part, n) => {
      const parts = rows.filter((row) => row.key[0] === key[0]).map((row) => row.key[n + 2] ?? 0);
      const other = parts.find((one) => !isDeepStrictEqual(one, part));
      return other === undefined ? [] : [key.with(n + 2, other)];
    });
    for (const [isDeleted, other] of [[true, null], ...others.flatMap(bothWays)] as const) {
      const before = other && await kv.get(other);
      if (before && isDeepStrictEqual(before.value, value)) continue;
      if (isDeleted) await kv.delete(key);
      if (other) await kv.set(other, value);
      ok((await check()).length > 0, Deno.inspect([key, isDeleted, other]));
      await kv.set(key, value);
      if (before?.versionstamp) await kv.set(before.key, before.value);
      else if (before) await kv.delete(before.key);
    }
  }
  assertEquals(await check(), []);
});

const bothWays = (key: Deno.KvKey) => [[true, key], [false, key]] as const;

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

const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map(idText);
const products: fc.Arbitrary<Product> = fc.record({
  id,
  title: fc.string({ unit: "grapheme", maxLength: 500 }),
  ean: fc.option(fc.constantFrom("4006381333931", "96385074")),
  deletedAt: fc.constantFrom(null, MADE_AT),
}).map(madeProduct);
const marks: fc.Arbitrary<IndexRowMarks> = fc.record({
  importHash: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 22 })),
  isFromImport: fc.boolean(),
  firstPriceJob: fc.option(id),
  importSource: fc.option(fc.constantFrom("erp-nightly", "q")),
}).map(marksOf);

Deno.test("an index row is decoded as it was encoded, also one of an earlier version, which has prices; random bytes agree with no product", () => {
  const random = fc.uint8Array({ maxLength: 80 });
  fc.assert(fc.property(products, marks, fc.nat(127), random, (product, marks, prices, random) => {
    ok(!agreesWith(new IndexRow(random), product));
    const bytes = encodeIndexRow({ product, marks }, searchText(product));
    const today = new IndexRow(bytes);
    assertEquals([today.isDeleted, today.text], [product.deletedAt !== null, searchText(product)]);
    const pricesAt = 18 + (bytes[17] ?? 0);
    const count = prices.toString(2).replaceAll("0", "").length;
    const row = [...bytes].toSpliced(pricesAt, 0, ...Array<number>(8 * count).fill(64));
    for (const one of [today, new IndexRow(new Uint8Array(row).with(1, prices).with(14, 69))]) {
      assertEquals([one.id, marksOf(one)], [product.id, marks]);
      ok(agreesWith(one, product));
    }
  }));
});

Deno.test("a hash that is too long is left out, so that its record is compared in full", () => {
  const product = madeProduct();
  for (const importHash of ["x".repeat(256), "ü".repeat(128)]) {
    const marks = { ...NO_MARKS, importHash };
    const indexRow = new IndexRow(encodeIndexRow({ product, marks }, "text"));
    assertEquals([indexRow.importHash, indexRow.text], [null, "text"]);
  }
  // Encoding a second row must not overwrite the bytes of the first row.
  const long = encodeIndexRow({ product, marks: NO_MARKS }, "y".repeat(10_000));
  encodeIndexRow({ product, marks: NO_MARKS }, "z".repeat(10_000));
  assertEquals(new IndexRow(long).text, "y".repeat(10_000));
});
