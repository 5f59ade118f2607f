/** Reads the history of many products for a back-test (docs/decisions/rules.md, Back-test). */
import { isInStock } from "../../base/codes.ts";
import {
  listPriceChanges,
  type WalkedChange,
  walkPriceChangesOf,
} from "../../catalogue/products/price_changes.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { PastObservation, PastProduct } from "../../engine/pricing/backtest.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { PlacedObservation } from "../../shops/observations/observation.ts";
import { productPages, readProducts } from "../../shops/observations/read_stretch.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import { pricedProductOf, pricingOffersOf } from "../proposals/priced_product.ts";
import type { Surroundings } from "./situation_reader.ts";

const OBSERVATIONS_AT_ONCE = 1_000;
const PRICES_MAX = 10_000;

type Reader = Pick<StepTools<never>, "store" | "workspaceId" | "now" | "beat">;

interface ReadPasts {
  readonly pasts: readonly PastProduct[];
  readonly leftAt: string | null;
}

/** `products` must be sorted by id. Reads as many products as the limits allow, at least one. */
export async function readPasts(
  tools: Reader,
  products: readonly Product[],
  { fromMs, endMs }: { readonly fromMs: number; readonly endMs: number },
  surroundings: Surroundings,
): Promise<ReadPasts> {
  const [first, last] = [products.at(0), products.at(-1)];
  if (!first || !last) return { pasts: [], leftAt: null };
  const time = { fromMs, toMs: endMs };
  const among = { first: first.id, last: last.id };
  // This limit is for all products together.
  const { found, cutAt } = await readProducts(tools, among, time, 20_000);
  const leftAt = cutAt === first.id ? products[1]?.id ?? null : cutAt;
  const read = products.filter(({ id }) => leftAt === null || id < leftAt);
  const [rows, prices] = await Promise.all([
    findOffersOf(tools, read.map(({ id }) => id)),
    readPrices(tools, read, endMs),
  ]);
  const pasts: PastProduct[] = [];
  for (const [place, product] of read.entries()) {
    const observations = product.id === cutAt
      ? await readObservations(tools, product.id, time)
      : found.get(product.id) ?? [];
    const changes = prices.get(product.id) ?? [];
    const ownPrices = changes.length === 0
      ? [{ atMs: 0, cents: product.ourPriceCents }]
      : changes.map(({ atMs, change }) => ({ atMs, cents: change.toCents }));
    const { offers: matches } = pricingOffersOf(rows[place]?.offers ?? [], surroundings);
    pasts.push({
      product: pricedProductOf(product),
      matches,
      observations: observations.map(observationOf),
      ownPrices,
    });
  }
  return { pasts, leftAt };
}

type DatedChange = Pick<WalkedChange, "atMs" | "change">;

/** The last price changes before `beforeMs`, by product id, oldest first. */
async function readPrices(
  tools: Reader,
  products: readonly Product[],
  beforeMs: number,
): Promise<Map<string, readonly DatedChange[]>> {
  const found = new Map<string, DatedChange[]>(products.map(({ id }) => [id, []]));
  for await (const { productId, ...change } of walkPriceChangesOf(tools, products)) {
    const ofProduct = found.get(productId);
    if (!ofProduct || change.atMs >= beforeMs) continue;
    ofProduct.push(change);
    if (ofProduct.length > PRICES_MAX) ofProduct.shift();
  }
  for (const { id, ourPriceCents } of products) {
    if (ourPriceCents === null || found.get(id)?.length !== 0) continue;
    // The product may have changed while the history was read.
    const changes = await listPriceChanges(tools, id, { fromMs: 0, beforeMs }, PRICES_MAX);
    found.set(id, changes.map((change) => ({ atMs: Date.parse(change.at), change })).reverse());
  }
  return found;
}

async function readObservations(
  tools: Reader,
  productId: string,
  time: { readonly fromMs: number; readonly toMs: number },
): Promise<PlacedObservation[]> {
  const observations: PlacedObservation[] = [];
  const stretch = { ...time, order: "asc" } as const;
  for await (const page of productPages(tools, productId, stretch, OBSERVATIONS_AT_ONCE)) {
    observations.push(...page);
    await tools.beat();
  }
  return observations;
}

function observationOf({ observation }: PlacedObservation): PastObservation {
  const { matchId, observedAtMs, priceCents, currency, availability, confidence } = observation;
  const inStock = isInStock(availability);
  return { matchId, atMs: observedAtMs, priceCents, currency, inStock, confidence };
}
