/**
 * The past of a product, replayed: what was known of it at every moment (docs/decisions/rules.md).
 */
import type { Offer } from "./offer.ts";
import type { PricedProduct } from "./situation.ts";

/** What one match showed at a time. */
export interface PastSight {
  readonly matchId: string;
  readonly atMs: number;
  readonly priceCents: number;
  readonly currency: string;
  readonly inStock: boolean | null;
  readonly confidence: number;
}

/** What does not change about a match. */
export type PastMatch = Pick<
  Offer,
  | "matchId"
  | "competitorId"
  | "competitor"
  | "packFactor"
  | "pricesIncludeVat"
  | "matchCreatedAtMs"
  | "matchType"
  | "condition"
  | "seller"
  | "shippingCents"
  | "shop"
>;

/**
 * A product with its past, each list ascending in time; entries before the window set the scene.
 */
export interface PastProduct {
  readonly product: PricedProduct;
  readonly matches: readonly PastMatch[];
  readonly sights: readonly PastSight[];
  readonly ownPrices: readonly { readonly atMs: number; readonly cents: number | null }[];
}

/** What is known at a moment of the past. */
export interface Scene {
  readonly ourPriceCents: number | null;
  readonly offers: ReadonlyMap<string, Offer>;
}

/** All that happened at one time. */
export interface Moment {
  readonly atMs: number;
  readonly sights: PastSight[];
  readonly ownPrices: { readonly cents: number | null }[];
}

/** Before anything happened. */
export function firstScene({ matches }: PastProduct): Scene {
  return {
    ourPriceCents: null,
    offers: new Map(matches.map((match) => [match.matchId, unseen(match)])),
  };
}

/**
 * All that happened before `endMs`, and the times at which something is asked anyway; ascending.
 */
export function momentsOf(
  past: PastProduct,
  askedAtMs: readonly number[],
  endMs: number,
): Moment[] {
  const moments = new Map<number, Moment>();
  const at = (atMs: number): Moment => {
    const moment = moments.get(atMs) ?? { atMs, sights: [], ownPrices: [] };
    moments.set(atMs, moment);
    return moment;
  };
  for (const sight of past.sights) at(sight.atMs).sights.push(sight);
  for (const price of past.ownPrices) at(price.atMs).ownPrices.push(price);
  for (const atMs of askedAtMs) at(atMs);
  return [...moments.values()].filter(({ atMs }) => atMs < endMs)
    .sort((a, b) => a.atMs - b.atMs);
}

/** What is known after a moment. */
export function sceneAfter(scene: Scene, moment: Moment): Scene {
  const offers = new Map(scene.offers);
  for (const sight of moment.sights) {
    const before = offers.get(sight.matchId);
    if (before) offers.set(sight.matchId, seen(before, sight));
  }
  const last = moment.ownPrices.at(-1);
  return { offers, ourPriceCents: last ? last.cents : scene.ourPriceCents };
}

function unseen(match: PastMatch): Offer {
  return {
    ...match,
    priceCents: null,
    currency: null,
    inStock: null,
    confidence: null,
    observedAtMs: null,
    previousPriceCents: null,
    priceSinceMs: null,
  };
}

function seen(before: Offer, sight: PastSight): Offer {
  const isSamePrice = before.priceCents === sight.priceCents && before.currency === sight.currency;
  return {
    ...before,
    priceCents: sight.priceCents,
    currency: sight.currency,
    inStock: sight.inStock,
    confidence: sight.confidence,
    observedAtMs: sight.atMs,
    previousPriceCents: before.currency === sight.currency ? before.priceCents : null,
    priceSinceMs: isSamePrice ? before.priceSinceMs : sight.atMs,
  };
}
