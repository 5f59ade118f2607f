import fc from "fast-check";
import { contextFor } from "../../../src/platform/store/context.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import type { Offer } from "../../../src/shops/offers/offer.ts";
import { OfferCache, type OfferPlace, PushCache } from "../../../src/shops/push/offer_cache.ts";
import { pushObservations } from "../../../src/shops/push/record_rows.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { NOTHING_ALLOWED } from "../../nothing_allowed.ts";
import { BLANK_OFFER } from "../offers/blank_offer.ts";
import { watchedStore } from "../../watched_store.ts";
import { addProduct } from "../shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const SHARDS = 2;
const PRODUCTS = 4;
const PROCESSES = 2;
/** Number of simultaneous pushes, distributed over the processes. */
const WORKERS = 5;

const offersOf = (price: number, count = 1): Offer[] =>
  Array.from({ length: count }, (_, n) => ({
    ...BLANK_OFFER,
    matchId: n.toString(16).padStart(24, "0"),
    urlHash: n.toString(16).padStart(32, "0"),
    priceCents: price,
  }));

/** A simulated store: offers by product, and the version counter of each shard. */
class Truth {
  #stamp = 0;
  readonly offers = new Map<string, readonly Offer[]>();
  readonly versionCounters = new Map<number, string>();

  commit(shard: number, written: ReadonlyMap<string, readonly Offer[]>): string {
    const versionCounter = (++this.#stamp).toString(16).padStart(20, "0");
    this.versionCounters.set(shard, versionCounter);
    for (const [product, offers] of written) this.offers.set(product, offers);
    return versionCounter;
  }
}

/** A push in progress: it reads the version counter, then offers, and then commits. */
interface PushInProgress {
  readonly place: OfferPlace;
  readonly products: readonly string[];
  readonly decidedFrom: Map<string, readonly Offer[]>;
}

const steps = fc.array(
  fc.record({
    worker: fc.nat(WORKERS - 1),
    shard: fc.nat(SHARDS - 1),
    products: fc.uniqueArray(fc.nat(PRODUCTS - 1), { minLength: 1, maxLength: PRODUCTS }),
    writes: fc.boolean(),
  }),
  { minLength: 40, maxLength: 200 },
);

Deno.test("in any order of pushes by several processes, each successful commit was based on the stored offers", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (schedule, max) => {
      const truth = new Truth();
      const caches = Array.from({ length: PROCESSES }, () => new OfferCache(max));
      const inFlight = new Map<number, PushInProgress>();
      let price = 0;
      for (const { worker, shard, products, writes } of schedule) {
        const cache = caches[worker % PROCESSES] ?? new OfferCache();
        const push = inFlight.get(worker);
        if (!push) {
          const versionCounter = truth.versionCounters.get(shard) ?? truth.commit(shard, new Map());
          const place = { workspaceId: "w", shard, versionCounter };
          const names = products.map((n) => `${shard} ${n}`);
          inFlight.set(worker, { place, products: names, decidedFrom: new Map() });
        } else if (push.decidedFrom.size < push.products.length) {
          const product = push.products[push.decidedFrom.size] ?? "";
          const known = cache.find(push.place, product);
          const offers = known ?? truth.offers.get(product) ?? [];
          if (!known) cache.note(push.place, product, offers);
          push.decidedFrom.set(product, offers);
        } else {
          inFlight.delete(worker);
          if (truth.versionCounters.get(push.place.shard) !== push.place.versionCounter) continue;
          for (const [product, offers] of push.decidedFrom) {
            assertEquals(offers, truth.offers.get(product) ?? []);
          }
          const written = new Map(
            writes ? push.products.map((name) => [name, offersOf(++price, price % 4)]) : [],
          );
          const next = truth.commit(push.place.shard, written);
          cache.advance(push.place, next, written);
        }
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("the offer cache stays within its limit, and keeps the shards used last", () => {
  const cache = new OfferCache(10);
  const placeOf = (shard: number) => ({ workspaceId: "w", shard, versionCounter: "1" });
  for (let shard = 0; shard < 100; shard++) cache.note(placeOf(shard), "p", offersOf(1, 3));
  const kept = Array.from({ length: 100 }, (_, shard) => cache.find(placeOf(shard), "p"));
  assertEquals(kept.flatMap((offers, shard) => offers ? [shard] : []), [98, 99]);
});

/** A simulated process on an app's store, with its own cache. */
function processOn({ app, workspaceId }: TestApp, store: Store) {
  const cache = new PushCache();
  const { clock } = app;
  const actor = { type: "system", id: clock.newId(), name: "test" } as const;
  return async (...observations: unknown[]) => {
    const ctx = contextFor({ store, clock, requestId: "test" }, workspaceId, actor);
    const deps = { allowed: NOTHING_ALLOWED, cache };
    const { accepted } = await pushObservations(ctx, { observations }, deps);
    assertEquals(accepted, observations.length);
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
  const store = watchedStore(app.store, {
    got: (keys) => Promise.resolve(void reads.push(...keys.map(([table]) => String(table)))),
  });
  const [here, elsewhere] = [processOn(app, store), processOn(app, app.store)];
  const offersRead = () => reads.splice(0).filter((table) => table === "o").length;
  const skus = ["A", "B", "C"];
  const ids = new Map<string, string>();
  for (const sku of skus) ids.set(sku, await addProduct(app.manager, sku));
  const all = (price: number, shop?: string) => skus.map((sku) => rowOf(sku, price, shop));
  await here(...all(1));
  await here(...all(2));
  ok(offersRead() >= skus.length);
  await here(...all(3));
  await here(...all(4));
  assertEquals(offersRead(), 0);
  await elsewhere(...all(5, "other"));
  await here(...all(6));
  assertEquals(offersRead(), skus.length);
  for (const [, id] of ids) {
    const product = await (await app.viewer.get(`/api/products/${id}`)).json();
    const prices = product.competitorPrices.map(({ price }: { price: number }) => price);
    assertEquals(prices.toSorted(), [500, 600]);
  }
});

withApp.test("cached version counters are not read again, and an outdated one refuses no row", async (app) => {
  const reads: string[] = [];
  const store = watchedStore(app.store, {
    got: (keys) => Promise.resolve(void reads.push(...keys.map(([table]) => String(table)))),
  });
  const here = processOn(app, store);
  const versionCountersRead = () => reads.splice(0).filter((table) => table === "go").length;
  const productId = await addProduct(app.manager, "A");
  await here(rowOf("A", 1));
  await here(rowOf("A", 2));
  versionCountersRead();
  await here(rowOf("A", 3));
  assertEquals(versionCountersRead(), 0);
  // The new match changes the version counter, so the cache is outdated.
  const url = "https://other.example/p/A";
  const made = app.manager.post("/api/competitor-products", { productId, url });
  const { id } = await (await made).json();
  await here({ sku: "A", competitorProductId: id, price: 4, currency: "EUR" });
  ok(versionCountersRead() > 0);
  // A commit that is based on outdated offers fails, and the push repeats it.
  await app.manager.post("/api/competitor-products", { productId, url: `${url}/2` });
  await here(rowOf("A", 5));
  const product = await (await app.viewer.get(`/api/products/${productId}`)).json();
  const prices = product.competitorPrices.map(({ price }: { price: number | null }) => price);
  assertEquals(prices.toSorted(), [400, 500, null]);
});
