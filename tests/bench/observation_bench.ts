/**
 * Compares pushes of observations with a loop that only writes three rows per observation: the
 * observation, its index row, and the product's offers. A push contains one price per product, or
 * four prices from different shops. Prices stay the same or change; each change creates an event.
 * `deno task bench observation`
 */

import { anObservation } from "../shops/observations/made_observations.ts";
import { idBytes } from "../../src/base/id.ts";
import { blankProduct, shard } from "../../src/catalogue/products/product.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { listObservations } from "../../src/shops/observations/read_observations.ts";
import { type Observation, positionOf } from "../../src/shops/observations/observation.ts";
import { encodeRow } from "../../src/shops/observations/observation_store.ts";
import { encodeOffers, findOffers } from "../../src/shops/offers/offer_store.ts";
import { pushObservations } from "../../src/shops/recording/record_rows.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";
import { contextOf, seedProducts } from "./seed_catalogue.ts";
import { compareRates, inProcess, ratesOf, report, type Slice } from "./slices.ts";

const PRODUCTS = 5_000;
const SHOPS = 4;
const ROWS_PER_PUSH = 1_000;
const ROWS_PER_COMMIT = 150;

/** Each observation gets its own time, so that no two observations are equal. */
let nextMs = 1;

await comparePushes();

interface Feed {
  readonly together: number;
  readonly changesPrices: boolean;
}

async function comparePushes(): Promise<void> {
  await using ours = await startTestApp();
  await using theirs = await startTestApp();
  const skus = await addMatchedProducts(ours);
  const floor = await bareWrites(theirs);
  for (const changesPrices of [false, true]) {
    for (const together of [1, SHOPS]) {
      const subject = pushes(ours, skus, { together, changesPrices });
      const [pushed, bare] = await compareRates(subject, floor);
      const prices = changesPrices ? "prices change" : "prices stay";
      const name = `rows pushed / bare loop, ${together} per product, ${prices}`;
      report(name, pushed / bare, "≥ 0.70", ratesOf(pushed, bare));
    }
  }
}

async function addMatchedProducts(app: TestApp): Promise<string[]> {
  const skus = await addProducts(app, PRODUCTS);
  for (let shop = 0; shop < SHOPS; shop++) {
    for (let at = 0; at < PRODUCTS; at += ROWS_PER_PUSH) {
      const some = skus.slice(at, at + ROWS_PER_PUSH);
      await push(contextOf(app), some.map((sku) => rowOf(sku, shop, 0, 0)));
    }
  }
  return skus;
}

/** Measures pushed rows per second, without the time for parsing JSON. */
function pushes(app: TestApp, skus: readonly string[], { together, changesPrices }: Feed): Slice {
  const ctx = contextOf(app);
  let n = 0;
  const slice = inProcess(1, async () => {
    const rows = Array.from({ length: ROWS_PER_PUSH }, () => {
      n++;
      const sku = skus[Math.floor(n / together) * 7 % PRODUCTS] ?? "";
      return rowOf(sku, n % SHOPS, nextMs++, changesPrices ? n : 0);
    });
    await push(ctx, rows);
  });
  return async (ms) => await slice(ms) * ROWS_PER_PUSH;
}

async function push(ctx: Context, observations: unknown[]): Promise<void> {
  const { rejected } = await pushObservations(ctx, { observations }, NOTHING_ALLOWED);
  if (rejected > 0) throw new Error("A row of the bench was refused");
}

function rowOf(sku: string, shop: number, ms: number, price: number) {
  return {
    sku,
    url: `https://shop-${shop}.example/p/${sku}.html`,
    price: (1_000 + price % 9_000) / 100,
    currency: "EUR",
    inStock: true,
    observedAt: new Date(Date.parse("2026-02-20T00:00:00Z") + ms).toISOString(),
  };
}

async function bareWrites(app: TestApp): Promise<Slice> {
  const skus = await addProducts(app, PRODUCTS);
  const ctx = contextOf(app);
  await push(ctx, [0, 1, 2, 3].map((shop) => rowOf(skus[0] ?? "", shop, 0, 0)));
  const [first] = (await listObservations(ctx, { order: "desc", limit: 1 })).items;
  const { offers } = await findOffers(ctx, first?.productId ?? "");
  const value = encodeOffers(offers);
  const workspace = idBytes(app.workspaceId);
  const ids = Array.from({ length: PRODUCTS }, () => app.app.clock.newId())
    .sort((a, b) => shard(a) - shard(b));
  const shops = offers.map(({ competitorId }) => idBytes(competitorId));
  let n = 0;
  const slice = inProcess(1, async () => {
    const atomic = app.store.kv.atomic();
    for (let row = 0; row < ROWS_PER_COMMIT; row++, n++) {
      const productId = ids[n % PRODUCTS] ?? "";
      const observation = observationOf(productId, offers[n % SHOPS]?.matchId ?? "", n);
      const { atMs, id } = positionOf(observation);
      const [product, shop] = [idBytes(productId), shops[n % SHOPS] ?? workspace];
      atomic.set(["ob", workspace, product, atMs, idBytes(id)], encodeRow(observation));
      atomic.set(["oc", workspace, shop, atMs, idBytes(id)], product);
      atomic.set(["o", workspace, product], value);
    }
    await atomic.commit();
  });
  return async (ms) => await slice(ms) * ROWS_PER_COMMIT;
}

function observationOf(productId: string, matchId: string, n: number): Observation {
  const observedAtMs = Date.parse("2026-02-20T00:00:00Z") + n;
  const priceCents = 1_000 + n % 9_000;
  return anObservation({ productId, matchId, competitorId: matchId, priceCents, observedAtMs });
}

async function addProducts(app: TestApp, count: number): Promise<string[]> {
  const { now, newId } = app.app.clock;
  const skus = Array.from({ length: count }, (_, n) => `SKU-${n}`);
  await seedProducts(app, count, (n) => {
    const sku = `SKU-${n}`;
    const createdAt = now().toISOString();
    return blankProduct({ id: newId(), sku, title: sku, currency: "EUR", createdAt });
  });
  return skus;
}
