import fc from "fast-check";
import { changeProduct, deleteProduct } from "../../src/catalogue/changes/change_product.ts";
import { fold, hasWords, searchFor } from "../../src/base/text.ts";
import { CatalogueCache } from "../../src/catalogue/lists/catalogue_cache.ts";
import {
  filterOf,
  type FilterTexts,
  findMatchingIds,
  walkProducts,
} from "../../src/catalogue/lists/product_list.ts";
import { sweepLog } from "../../src/app/composition/schedule.ts";
import { findLogEnd } from "../../src/catalogue/products/change_log_store.ts";
import { type Product, searchPart, searchText } from "../../src/catalogue/products/product.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { keepLog } from "../kept_log.ts";
import { addProduct } from "../rules/evaluation/market.ts";
import { openMemoryStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";
import {
  addNumbered,
  addProducts,
  BRANDS,
  CATEGORIES,
  openTestWorkspace,
  productOf,
  type TestWorkspace,
  TIERS,
  withWorkspace,
} from "./catalogue_workspace.ts";
import { isDeepStrictEqual } from "node:util";
import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";

const OPTIONS = { expected: null, allowsLargeChange: true };

const idsOf = async (
  ctx: TestWorkspace,
  cache: CatalogueCache,
  filter: FilterTexts,
  after: string | null = null,
) => [...await findMatchingIds(ctx, cache, filterOf(filter), { after })];

const filters = fc.record({
  brand: fc.constantFrom("", "bosch", "KÜH", "o", "nobody"),
  category: fc.constantFrom("", "haus", "kühlen", "x"),
  tier: fc.constantFrom("", "STANDARD", "b2b", "B2B"),
  q: fc.constantFrom("", "neu", "kühl", "kuhl ge", "KUEHL", "sku1", "9 x", "e"),
  updatedSince: fc.constantFrom("", "2026-08-01T09:00:00Z", "2026-08-01T09:03:00Z"),
});

/** Checks without index or cache whether a product matches the filter. */
function isWanted(
  { brand, category, tier, q, updatedSince = "" }: FilterTexts,
  product: Product,
): boolean {
  const contains = (value: string | null, text = "") => fold(value ?? "").includes(fold(text));
  const search = searchFor(q);
  return contains(product.brand, brand) && contains(product.category, category) &&
    (!tier || tier === product.tier) &&
    Date.parse(product.updatedAt) >= Date.parse(updatedSince || "1970-01-01") &&
    (search === null || hasWords(search, searchPart(product.sku, searchText(product))));
}

const step = fc.record({
  kind: fc.constantFrom("add", "change", "delete"),
  n: fc.nat(40),
  brand: fc.constantFrom(...BRANDS),
  category: fc.constantFrom(...CATEGORIES),
  tier: fc.constantFrom(...TIERS),
  title: fc.constantFrom("Gerät", "Kühlschrank", "Kuehl-Gerät 9", "Kuhl", "ganz neu"),
  mpn: fc.constantFrom(null, "X-9"),
});

Deno.test("the caches of two processes filter and search right after every commit of either", async () => {
  const steps = fc.array(step, { maxLength: 20 });
  const property = fc.asyncProperty(steps, filters, fc.nat(), async (steps, filter, at) => {
    using ctx = await openTestWorkspace();
    const caches = [new CatalogueCache(), new CatalogueCache(0)];
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
        const isSame = isDeepStrictEqual({ ...before, ...values }, before);
        known.set(n, isSame ? before : { ...before, ...values, updatedAt });
      }
      const products = [...known.values()].sort((a, b) => a.id < b.id ? -1 : 1);
      const after = products[at % (products.length + 1)]?.id ?? null;
      const wanted = products.filter((product) => isWanted(filter, product))
        .map(({ id }) => id).filter((id) => after === null || id > after);
      for (const cache of caches) assertEquals(await idsOf(ctx, cache, filter, after), wanted);
    }
  });
  await fc.assert(property, { numRuns: extent(25, 12) });
});

withWorkspace.test("a walk continues on the products it began with while others write", async (ctx) => {
  const products = Array.from({ length: 30 }, (_, n) => ({ ...productOf(ctx, n), brand: "Bosch" }));
  await addProducts(ctx, products);
  const cache = new CatalogueCache();
  const walk = Iterator.from(await findMatchingIds(ctx, cache, filterOf({ brand: "bosch" })));
  const seen = [walk.next().value];
  for (const { id } of products.slice(5)) await changeProduct(ctx, id, { brand: "Neu" }, OPTIONS);
  assertEquals((await idsOf(ctx, cache, { brand: "bosch" })).length, 5);
  seen.push(...walk);
  assertEquals(seen, products.map(({ id }) => id).sort());
});

withWorkspace.test("a product that was deleted after its id was found is left out", async (ctx) => {
  const products = await addNumbered(ctx, 20);
  const filter = filterOf({ brand: "o" });
  const ids = products.filter(({ brand }) => brand?.includes("o")).map(({ id }) => id).sort();
  const request = { filter, includeDeleted: false, after: null, limit: 2 };
  const walk = walkProducts(ctx, ctx.cache, request);
  const first = await walk.next();
  await deleteProduct(ctx, ids[2] ?? "", null);
  const rest = await Array.fromAsync(walk, ({ id }) => id);
  assertEquals([first.value?.id, ...rest], ids.toSpliced(2, 1));
});

const isOfProducts = ({ prefix, ...range }: { prefix?: Deno.KvKey }) =>
  JSON.stringify(prefix ?? range).includes('"p",');

withWorkspace.test("only changed products are read again, once for all waiting callers", async (ctx) => {
  const products = await addNumbered(ctx, 50);
  const asked: string[] = [];
  const store = watchedStore(ctx.store, {
    reading: (name, keys) => void asked.push(`${name} ${JSON.stringify(keys)}`),
  });
  const cache = new CatalogueCache();
  /** Reads the cache `callers` times at once; returns the store calls that read products. */
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
    listed: async (range) => {
      if (!isOfProducts(range) || writes++ > 0) return;
      await changeProduct(ctx, changed.id, { brand: "Neu" }, OPTIONS);
      await deleteProduct(ctx, deleted.id, null);
      await addProducts(ctx, [{ ...added, brand: "Neu" }]);
    },
  });
  const cache = new CatalogueCache();
  await cache.read({ ...ctx, store });
  assertEquals(writes, 1);
  assertEquals(await idsOf(ctx, cache, { brand: "neu" }), [changed.id, added.id].sort());
  const all = [...products, added].filter((one) => one !== deleted).map(({ id }) => id).sort();
  assertEquals(await idsOf(ctx, cache, {}), all);
});

withWorkspace.test("a cache reads all products again after the change log has lost changes", async (ctx) => {
  const products = await addNumbered(ctx, 1_500);
  const cache = new CatalogueCache();
  await cache.read(ctx);
  await changeProduct(ctx, products[0]!.id, { brand: "Neu" }, OPTIONS);
  for (const _ of [1, 2]) {
    await sweepLog(ctx);
    ctx.advance(24 * 3_600_000);
  }
  assertEquals(await findLogEnd(ctx) !== "", true);
  assertEquals(await idsOf(ctx, cache, { brand: "neu" }), [products[0]!.id]);
});

withWorkspace.test("new products anywhere among thousands are found in order", async (ctx) => {
  const products = Array.from({ length: 3_000 }, (_, n) => ({ ...productOf(ctx, n), brand: "A" }));
  const [early, late] = [0, 1].map((rest) => products.filter((_, n) => n % 2 === rest));
  const cache = new CatalogueCache();
  for (const some of [early!, late!]) {
    await addProducts(ctx, some);
    await cache.read(ctx);
  }
  for (const { id } of products.slice(500, 510)) await deleteProduct(ctx, id, null);
  const ids = products.toSpliced(500, 10).map(({ id }) => id).sort();
  assertEquals(await idsOf(ctx, cache, { brand: "a" }), ids);
  assertEquals(await idsOf(ctx, cache, { brand: "a" }, ids[1_234]), ids.slice(1_235));
  const { length } = await cache.read(ctx);
  ok(length < 8, `${length} parts`);
});

withWorkspace.test("after close() only loaded products are listed, any other list is refused", async (ctx) => {
  await addNumbered(ctx, 50);
  const [loaded, empty] = [new CatalogueCache(), new CatalogueCache()];
  await loaded.warm(ctx);
  for (const cache of [loaded, empty]) await cache.close();
  assertEquals((await idsOf(ctx, loaded, { q: "sku1" })).length, 11);
  await empty.warm(ctx);
  await rejects(idsOf(ctx, empty, { q: "sku1" }), { code: "unavailable" });
});

Deno.test("a list that a stop interrupts is refused with 503, which is no error in the log", async () => {
  using log = keepLog();
  const memory = await openMemoryStore();
  let stop = () => {};
  const store = watchedStore(memory, {
    listed({ prefix }) {
      if (prefix?.[0] === "p") stop();
      return Promise.resolve();
    },
  });
  await using app = await startTestApp({ store });
  await addProduct(app.owner, "A");
  stop = () => void app.app.drain();
  const { error } = await bodyOf(app.owner.get("/api/products?q=a"), 503);
  match(error.message, /shutting down/);
  const failed = log.lines().filter((line) => line.includes("request failed"));
  assertEquals(failed.map((line) => JSON.parse(line).level), ["warning"]);
});

withWorkspace.test("close() stops a read of many changed products", async (ctx) => {
  const cache = new CatalogueCache();
  await cache.read(ctx);
  await addNumbered(ctx, 2_500);
  let read = 0;
  const store = watchedStore(ctx.store, {
    got(keys) {
      read += keys.filter(([table]) => table === "p").length;
      if (read > 0) void cache.close();
      return Promise.resolve();
    },
  });
  await rejects(cache.read({ ...ctx, store }), { code: "unavailable" });
  ok(read > 0 && read <= 1_000, `${read} products were read`);
});

Deno.test("signing in and opening the list load the products into memory", async () => {
  for (const path of ["/api/auth/me", "/api/products"]) {
    const opened = await openMemoryStore();
    using _kv = opened.kv;
    let lists = 0;
    const store = watchedStore(opened, {
      listed(range) {
        if (isOfProducts(range)) lists++;
        return Promise.resolve();
      },
    });
    await using app = await startTestApp({ store });
    await app.owner.create("/api/products", { sku: "SKU-1", title: "T" });
    await app.owner.read(path);
    // The cache and the market data each list all products; `GET /api/products` also lists a page.
    const expected = path === "/api/products" ? 3 : 2;
    await until(`the products are loaded after ${path}`, () => lists === expected);
    assertEquals((await app.owner.read("/api/products?q=sku-1")).items.length, 1);
    assertEquals(lists, expected);
  }
});
