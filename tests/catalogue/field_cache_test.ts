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
import { findLogEnd } from "../../src/catalogue/products/change_log_store.ts";
import type { Product } from "../../src/catalogue/products/product.ts";
import { sweepLog } from "../../src/market/current/sweep_log.ts";
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

withWorkspace.test("only changed products are read again, once for all waiting callers", async (ctx) => {
  const products = await addNumbered(ctx, 50);
  const asked: string[] = [];
  const store = watchedStore(ctx.store, {
    reading: (name, keys) => void asked.push(`${name} ${JSON.stringify(keys)}`),
  });
  const cache = createFieldCache();
  /** Names of the reads of documents that these simultaneous callers cause. */
  const readBy = async (callers: number) => {
    asked.length = 0;
    await Promise.all(Array.from({ length: callers }, () => cache.read({ ...ctx, store })));
    return asked.filter((one) => one.includes('["p",')).map((one) => one.split(" ")[0]);
  };
  assertEquals(await readBy(8), ["list"]);
  assertEquals(await readBy(1), []);
  await changeProduct(ctx, products[0]!.id, { title: "Neu" }, OPTIONS);
  assertEquals(await readBy(8), ["getMany"]);
});

withWorkspace.test("products that change, come or go while all are read are right afterwards", async (ctx) => {
  const products = await addNumbered(ctx, 4);
  const [changed, deleted, added] = [products[0]!, products[1]!, productOf(ctx, 9)];
  let writes = 0;
  const store = watchedStore(ctx.store, {
    listed: async ({ prefix, ...range }) => {
      if (!JSON.stringify(prefix ?? range).includes('"p"') || writes++ > 0) return;
      await changeProduct(ctx, changed.id, { brand: "Neu" }, OPTIONS);
      await deleteProduct(ctx, deleted.id, null);
      await addProducts(ctx, [{ ...added, brand: "Neu" }]);
    },
  });
  const cache = createFieldCache();
  await cache.read({ ...ctx, store });
  assertEquals(writes, 1);
  const fields = await cache.read(ctx);
  assertEquals(idsOf(fields, { brand: "neu" }), [changed.id, added.id].sort());
  const all = [...products, added].filter((one) => one !== deleted).map(({ id }) => id).sort();
  assertEquals(idsOf(fields, {}), all);
});

withWorkspace.test("a cache reads all products again after the change log has lost changes", async (ctx) => {
  const products = await addNumbered(ctx, 1_500);
  const cache = createFieldCache();
  await cache.read(ctx);
  await changeProduct(ctx, products[0]!.id, { brand: "Neu" }, OPTIONS);
  for (const _ of [1, 2]) {
    await sweepLog(ctx);
    ctx.advance(24 * 3_600_000);
  }
  assertEquals(await findLogEnd(ctx) !== "", true);
  assertEquals(idsOf(await cache.read(ctx), { brand: "neu" }), [products[0]!.id]);
});

withWorkspace.test("new products anywhere among thousands are found in order", async (ctx) => {
  const products = Array.from({ length: 3_000 }, (_, n) => ({ ...productOf(ctx, n), brand: "A" }));
  const [early, late] = [0, 1].map((rest) => products.filter((_, n) => n % 2 === rest));
  const cache = createFieldCache();
  for (const some of [early!, late!]) {
    await addProducts(ctx, some);
    await cache.read(ctx);
  }
  for (const { id } of products.slice(500, 510)) await deleteProduct(ctx, id, null);
  const fields = await cache.read(ctx);
  const ids = products.toSpliced(500, 10).map(({ id }) => id).sort();
  assertEquals(idsOf(fields, { brand: "a" }), ids);
  assertEquals(idsOf(fields, { brand: "a" }, ids[1_234]), ids.slice(1_235));
  ok(fields.parts.length < 8, `${fields.parts.length} parts`);
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
