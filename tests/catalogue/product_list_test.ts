import fc from "fast-check";
import { changeProduct, deleteProduct } from "../../src/catalogue/changes/change_product.ts";
import {
  filterOf,
  type FilterTexts,
  listProducts,
  productTest,
  walkProducts,
} from "../../src/catalogue/lists/product_list.ts";
import { type Product } from "../../src/catalogue/products/product.ts";
import { extent } from "../proof.ts";
import { type TestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import { addNumbered, addProducts, productOf } from "./random_products.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const texts = fc.record({
  brand: fc.option(fc.constantFrom("bosch", "KÜH", "o", "sony", "nobody"), { nil: "" }),
  category: fc.option(fc.constantFrom("haus", "kühlen", "audio", "x"), { nil: "" }),
  tier: fc.option(fc.constantFrom("STANDARD", "B2B", "b2b"), { nil: "" }),
  q: fc.option(fc.constantFrom("kühl", "SKU-1", "gerät 3", "zzz"), { nil: "" }),
  updatedSince: fc.option(fc.constantFrom("2026-08-01T09:00:00Z", "2026-08-01T09:01:00Z"), {
    nil: "",
  }),
});

/** Adds products, of which every second one was changed a minute later. */
async function addChangedProducts(ctx: TestWorkspace, count: number): Promise<Product[]> {
  const products = Array.from({ length: count }, (_, n) => productOf(ctx, n));
  ctx.advance(60_000);
  const updatedAt = ctx.now().toISOString();
  const all = products.map((product, n) => n % 2 === 0 ? product : { ...product, updatedAt });
  await addProducts(ctx, all);
  return all;
}

/** Ids of all pages of a list. `between` runs before each further page. */
async function readAll(
  ctx: TestWorkspace,
  filter: FilterTexts,
  limit: number,
  between: () => Promise<void> = () => Promise.resolve(),
  includeDeleted = false,
): Promise<string[]> {
  const seen: string[] = [];
  for (let after: string | null = null;;) {
    const page = await listProducts(ctx, ctx.cache, {
      filter: filterOf(filter),
      includeDeleted,
      after,
      limit,
    });
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1)?.id ?? after;
    if (page.length < limit) return seen;
    await between();
  }
}

function idsOf(products: readonly Product[], filter: FilterTexts): string[] {
  const wanted = filterOf(filter);
  return products.filter((product) => productTest(wanted, 0)(product)).map(({ id }) => id).sort();
}

withWorkspace.test("listProducts() gives the same as judging every product, for random filters", async (ctx) => {
  const products = await addChangedProducts(ctx, 300);
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 60 }), async (filter, limit) => {
      assertEquals(await readAll(ctx, filter, limit), idsOf(products, filter));
    }),
    { numRuns: extent(60, 20) },
  );
});

withWorkspace.test("a product that was deleted after its id was found is left out", async (ctx) => {
  const products = await addNumbered(ctx, 20);
  const filter = { brand: "o" };
  const ids = idsOf(products, filter);
  const request = { filter: filterOf(filter), includeDeleted: false, after: null, limit: 2 };
  const walk = walkProducts(ctx, ctx.cache, request);
  const first = await walk.next();
  await deleteProduct(ctx, ids[2] ?? "", null);
  const rest = await Array.fromAsync(walk, ({ id }) => id);
  assertEquals([first.value?.id, ...rest], ids.filter((_, at) => at !== 2));
});

withWorkspace.test("updatedSince is inclusive, and continues by id", async (ctx) => {
  const products = await addNumbered(ctx, 40);
  ctx.advance(60_000);
  const changed = products.filter((_, n) => n % 3 === 0);
  for (const { id } of changed.toReversed()) {
    const options = { expected: null, allowsLargeChange: false };
    await changeProduct(ctx, id, { title: "new" }, options);
  }
  const since = ctx.now().toISOString();
  const expected = changed.map(({ id }) => id).sort();
  assertEquals(await readAll(ctx, { updatedSince: since }, 6), expected);
  ctx.advance(1);
  assertEquals(await readAll(ctx, { updatedSince: ctx.now().toISOString() }, 6), []);
});

withWorkspace.test("includeDeleted merges deleted products in id order", async (ctx) => {
  const products = await addNumbered(ctx, 50);
  for (const { id } of products.filter((_, n) => n % 4 === 0)) await deleteProduct(ctx, id, null);
  for (const filter of [{}, { brand: "bosch" }, { sku: "SKU-4" }]) {
    const seen = await readAll(ctx, filter, 6, undefined, true);
    assertEquals(seen, idsOf(products, filter));
  }
});
