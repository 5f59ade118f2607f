import { BLANK_OFFER } from "../offers/blank_offer.ts";
import { contextFor } from "../../../src/platform/store/context.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { PushCache, pushObservations } from "../../../src/shops/push/record_rows.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { NOTHING_ALLOWED } from "../../nothing_allowed.ts";
import { watchedStore } from "../../watched_store.ts";
import { addProduct } from "../shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

Deno.test("the push cache forgets old entries, so that its size is limited", () => {
  const cache = new PushCache();
  const state = { workspaceId: "w", shard: 0, versions: "1" };
  const products = Array.from({ length: 70_000 }, (_, n) => ({ id: `${n}`, sku: `${n}` }));
  for (const product of products) cache.note(state, { product, offers: [] });
  assertEquals([cache.find(state, "0"), cache.find(state, "69999")?.product.id], [null, "69999"]);
});

Deno.test("the push cache also counts the offers that commits add to its products", () => {
  const cache = new PushCache();
  const state = { workspaceId: "w", shard: 0, versions: "1" };
  const products = Array.from({ length: 1_000 }, (_, n) => ({ id: `${n}`, sku: `${n}` }));
  for (const product of products) cache.note(state, { product, offers: [] });
  const offers = Array.from({ length: 100 }, () => BLANK_OFFER);
  cache.advance(state, "2", products.map((product) => ({ product, offers })));
  assertEquals(cache.find({ ...state, versions: "2" }, "0"), null);
});

/** A simulated process on an app's store, with its own cache. Returns the number of accepted rows. */
function processOn({ app, workspaceId }: TestApp, store: Store) {
  const cache = new PushCache();
  const { clock } = app;
  const actor = { type: "system", id: clock.newId(), name: "test" } as const;
  return async (...observations: unknown[]) => {
    const ctx = contextFor({ store, clock, requestId: "test" }, workspaceId, actor);
    const deps = { allowed: NOTHING_ALLOWED, cache };
    return (await pushObservations(ctx, { observations }, deps)).accepted;
  };
}

const rowOf = (sku: string, price: number, shop = "shop") => ({
  sku,
  url: `https://${shop}.example/p/${sku}`,
  price,
  currency: "EUR",
});

withApp.test("unchanged offers are not read again, but offers that another process changed are", async (app) => {
  const reads: string[] = [];
  let beforeCommit: (() => Promise<void>) | null = null;
  const store = watchedStore(app.store, {
    got: (keys) => Promise.resolve(void reads.push(...keys.map(([table]) => String(table)))),
    async committing() {
      const interrupt = beforeCommit;
      beforeCommit = null;
      await interrupt?.();
    },
  });
  const accepting = (push: ReturnType<typeof processOn>) => async (...rows: unknown[]) =>
    assertEquals(await push(...rows), rows.length);
  const here = accepting(processOn(app, store));
  const elsewhere = accepting(processOn(app, app.store));
  const offersRead = () => reads.splice(0).filter((table) => table === "o").length;
  const skus = ["A", "B", "C"];
  const ids = new Map<string, string>();
  for (const sku of skus) ids.set(sku, await addProduct(app.manager, sku));
  const all = (price: number, shop?: string) => skus.map((sku) => rowOf(sku, price, shop));
  const pricesOf = async (sku: string) => {
    const product = await (await app.viewer.get(`/api/products/${ids.get(sku)}`)).json();
    return product.competitorPrices.map(({ price }: { price: number | null }) => price).toSorted();
  };
  // The first push adds matches.
  await here(...all(1));
  await here(...all(2));
  ok(offersRead() >= skus.length);
  await here(...all(3));
  await here(...all(4));
  assertEquals(offersRead(), 0);
  await elsewhere(...all(5, "other"));
  await here(...all(6));
  assertEquals(offersRead(), skus.length);
  for (const sku of skus) assertEquals(await pricesOf(sku), [500, 600]);
  // A commit based on outdated offers fails, and the push repeats it.
  beforeCommit = () => elsewhere(...all(7, "other"));
  await here(...all(8));
  for (const sku of skus) assertEquals(await pricesOf(sku), [700, 800]);
  // A match that was created by hand makes the known offers outdated.
  const link = { productId: ids.get("A"), url: "https://third.example/p/A" };
  const { id } = await (await app.manager.post("/api/competitor-products", link)).json();
  await here({ sku: "A", competitorProductId: id, price: 4, currency: "EUR" });
  assertEquals(await pricesOf("A"), [400, 700, 800]);
});

withApp.test("a product that is deleted while a push adds a match is unknown to the next push", async (app) => {
  let beforeCommit: (() => Promise<unknown>) | null = null;
  const store = watchedStore(app.store, {
    async committing() {
      const interrupt = beforeCommit;
      beforeCommit = null;
      await interrupt?.();
    },
  });
  const push = processOn(app, store);
  const id = await addProduct(app.manager, "A");
  beforeCommit = () => app.manager.delete(`/api/products/${id}`);
  await push(rowOf("A", 1));
  assertEquals(beforeCommit, null);
  assertEquals(await push(rowOf("A", 2)), 0);
});
