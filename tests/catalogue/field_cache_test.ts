import fc from "fast-check";
import { changeProduct, deleteProduct } from "../../src/catalogue/changes/change_product.ts";
import {
  createFieldCache,
  matchingIds,
  type ProductFields,
} from "../../src/catalogue/lists/field_cache.ts";
import {
  fieldQueryOf,
  filterOf,
  type FilterTexts,
  productTest,
} from "../../src/catalogue/lists/product_list.ts";
import { type Product, shard } from "../../src/catalogue/products/product.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import { openTestWorkspace, withWorkspace } from "./catalogue_workspace.ts";
import {
  addNumbered,
  addProducts,
  BRANDS,
  CATEGORIES,
  productOf,
  TIERS,
} from "./random_products.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const OPTIONS = { expected: null, allowsLargeChange: true };

const idsOf = (fields: ProductFields, filter: FilterTexts, after: string | null = null) => [
  ...matchingIds(fields, fieldQueryOf(filterOf(filter)), after),
];

const filters = fc.record({
  brand: fc.constantFrom("", "bosch", "KÜH", "o", "nobody"),
  category: fc.constantFrom("", "haus", "kühlen", "x"),
  tier: fc.constantFrom("", "STANDARD", "b2b", "B2B"),
  updatedSince: fc.constantFrom("", "2026-08-01T09:00:00Z", "2026-08-01T09:03:00Z"),
});

const step = fc.record({
  kind: fc.constantFrom("add", "change", "delete"),
  n: fc.nat(40),
  brand: fc.constantFrom(...BRANDS),
  category: fc.constantFrom(...CATEGORIES),
  tier: fc.constantFrom(...TIERS),
});

Deno.test("the field caches of two processes are right after every commit of either", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 20 }),
      filters,
      fc.nat(),
      async (steps, filter, at) => {
        using ctx = await openTestWorkspace();
        const caches = [createFieldCache(), createFieldCache(0)];
        const known = new Map<number, Product>();
        for (const { kind, n, ...values } of steps) {
          ctx.advance(60_000);
          const before = known.get(n);
          if (before === undefined) {
            const product = { ...productOf(ctx, n), ...values };
            await addProducts(ctx, [product]);
            known.set(n, product);
          } else if (kind === "delete") {
            await deleteProduct(ctx, before.id, null);
            known.delete(n);
          } else {
            await changeProduct(ctx, before.id, values, OPTIONS);
            const updatedAt = ctx.now().toISOString();
            const isSame = (["brand", "category", "tier"] as const)
              .every((name) => before[name] === values[name]);
            known.set(n, isSame ? before : { ...before, ...values, updatedAt });
          }
          const products = [...known.values()].sort((a, b) => a.id < b.id ? -1 : 1);
          const after = products[at % (products.length + 1)]?.id ?? null;
          const wanted = products.filter((product) => productTest(filterOf(filter), 0)(product))
            .map(({ id }) => id).filter((id) => after === null || id > after);
          for (const cache of caches) {
            const fields = await cache.read(ctx);
            assertEquals(idsOf(fields, filter, after), wanted);
          }
        }
      },
    ),
    { numRuns: extent(25, 8) },
  );
});

withWorkspace.test("a walk continues on the fields it began with while others write", async (ctx) => {
  const products = Array.from({ length: 30 }, (_, n) => ({ ...productOf(ctx, n), brand: "Bosch" }));
  await addProducts(ctx, products);
  const cache = createFieldCache();
  const walk = matchingIds(await cache.read(ctx), fieldQueryOf(filterOf({ brand: "bosch" })), null);
  const seen = [walk.next().value];
  for (const { id } of products.slice(5)) await changeProduct(ctx, id, { brand: "Neu" }, OPTIONS);
  assertEquals(idsOf(await cache.read(ctx), { brand: "bosch" }).length, 5);
  seen.push(...walk);
  assertEquals(seen, products.map(({ id }) => id).sort());
});

withWorkspace.test("only shards with changed fields are read again, once for all waiting callers", async (ctx) => {
  const products = await addNumbered(ctx, 50);
  let shardsRead = 0;
  const store = watchedStore(ctx.store, {
    reading: (name, asked) => {
      if (name === "list" && JSON.stringify(asked).includes('["pf",')) shardsRead++;
    },
  });
  const cache = createFieldCache();
  /** Number of shards that these simultaneous callers cause to be read. */
  const readBy = async (callers: number) => {
    shardsRead = 0;
    await Promise.all(Array.from({ length: callers }, () => cache.read({ ...ctx, store })));
    return shardsRead;
  };
  assertEquals(await readBy(8), new Set(products.map(({ sku }) => shard(sku))).size);
  assertEquals(await readBy(1), 0);
  await changeProduct(ctx, products[0]!.id, { title: "Neu" }, OPTIONS);
  assertEquals(await readBy(1), 1);
});

withWorkspace.test("values that no product has any more are dropped from the cache", async (ctx) => {
  const product = productOf(ctx, 0);
  await addProducts(ctx, [product]);
  const cache = createFieldCache();
  for (let n = 0; n < 1_100; n++) {
    await changeProduct(ctx, product.id, { brand: `Marke ${n}` }, OPTIONS);
    const { values } = await cache.read(ctx);
    ok(values[0]!.texts.length <= 1_010, `${values[0]!.texts.length} values`);
  }
  assertEquals(idsOf(await cache.read(ctx), { brand: "marke 1099" }), [product.id]);
});
