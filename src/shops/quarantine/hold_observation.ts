/**
 * Decides whether an observed price becomes the offer's price or waits in quarantine
 * (docs/decisions/rules.md, Quarantine).
 */

import type { Product } from "../../catalogue/products/product.ts";
import type { Seen } from "../observations/observation.ts";
import type { HeldPrice } from "../offers/held_price_store.ts";
import { type Offer, type SaleTerms, showsOtherProduct, withObservation } from "../offers/offer.ts";
import type { OwnSellers } from "../offers/own_sellers.ts";

const HOUR_MS = 3_600_000;
/** A price that stands for so long is believed. */
const STANDS_MS = 6 * HOUR_MS;
/** And believed no more than this: nothing is applied by itself because of it. */
const CONFIDENCE_MAX = 0.7;

/** Our prices that an observation is compared with. */
export type OurPrices = Pick<Comparison, "cost" | "own">;

/** The product of an observation and what is known of it, in a workspace that holds prices. */
export interface ObservationContext {
  readonly product: { readonly id: string; readonly sku: string };
  /** All offers of the product as they are. */
  readonly offers: readonly Offer[];
  /** Our cost and price per piece. */
  readonly ours: OurPrices;
  readonly isOurs: OwnSellers;
  /** The offer's waiting price; `null` when none waits. */
  readonly held: HeldPrice | null;
}

/** The offer after a sighting, and what waits of it now; `held` is null when it is as before, or gone. */
export interface JudgedObservation {
  readonly after: Offer;
  readonly held: HeldPrice | null;
}

/** The sighting becomes the offer's price, or waits where the workspace holds prices. */
export function judgeObservation(
  offer: Offer,
  seen: Seen,
  latestMs: number,
  context: ObservationContext | null,
  sale: Partial<SaleTerms> = {},
): JudgedObservation {
  if (context === null) return { after: withObservation(offer, seen, latestMs), held: null };
  const { held, isOurs } = context;
  const isLate = seen.observedAtMs < Math.max(offer.observedAtMs ?? 0, held?.observedAtMs ?? 0);
  // A page that shows another product, or our own offer, does not count anyway.
  if (isLate || showsOtherProduct(offer) || isOurs({ ...offer, ...sale })) {
    return { after: isLate ? offer : withObservation(offer, seen, latestMs), held: null };
  }
  const isAgain = held !== null && held.priceCents === seen.priceCents &&
    held.currency === seen.currency;
  // A price that waits because of its whole shop waits until a person has reviewed it.
  const ofShop = isAgain ? shopSuspicion(held) : null;
  const suspicion = ofShop ?? suspicionOf({ ...seen, packFactor: offer.packFactor }, {
    accepted: acceptedOf(offer),
    others: context.offers.flatMap((other) =>
      other === offer || isOurs(other) ? [] : othersPrice(other)
    ),
    ...context.ours,
  });
  const free = offer.heldAtMs === null ? offer : { ...offer, heldAtMs: null };
  if (suspicion === null) return { after: withObservation(free, seen, latestMs), held: null };
  if (isAgain && ofShop === null && seen.observedAtMs >= held.heldAtMs + STANDS_MS) {
    const confidence = Math.min(CONFIDENCE_MAX, seen.confidence);
    return { after: withObservation(free, { ...seen, confidence }, latestMs), held: null };
  }
  const heldAtMs = isAgain ? held.heldAtMs : seen.observedAtMs;
  const { priceCents, currency, availability, confidence, source, observedAtMs } = seen;
  // The page was read, so nothing is the matter with it but its price.
  const checked = { checkedAtMs: observedAtMs, status: "ok", error: null, failingSinceMs: null };
  return {
    after: { ...offer, ...checked, heldAtMs },
    held: {
      productId: context.product.id,
      sku: context.product.sku,
      matchId: offer.matchId,
      competitorId: offer.competitorId,
      priceCents,
      currency,
      availability,
      confidence,
      source,
      heldAtMs,
      observedAtMs,
      ...suspicion,
    },
  };
}

/** The offer after a sighting of which it is known, too, how the article is sold. */
export function withSale(
  before: Offer,
  { after, held }: JudgedObservation,
  sale: Partial<SaleTerms> | undefined,
): Offer {
  // A sighting that comes late says nothing of today's terms either, nor does one that waits.
  return after === before || held !== null ? after : { ...after, ...sale };
}

function acceptedOf({ priceCents, currency }: Offer): Comparison["accepted"] {
  return priceCents === null || currency === null ? null : { priceCents, currency };
}

function othersPrice(offer: Offer): Comparison["others"] {
  const { enabled, priceCents, currency, packFactor } = offer;
  if (!enabled || priceCents === null || currency === null || showsOtherProduct(offer)) return [];
  return [{ priceCents, currency, packFactor }];
}

/**
 * Unconverted, whether or not shop prices include VAT, because they are compared only with half and twice
 * the amount.
 */
export function ourPricesOf(
  { costPriceCents, ourPriceCents, currency }: Pick<
    Product,
    "costPriceCents" | "ourPriceCents" | "currency"
  >,
): OurPrices {
  const priceOf = (priceCents: number | null) =>
    priceCents === null ? null : { priceCents, currency };
  return { cost: priceOf(costPriceCents), own: priceOf(ourPriceCents) };
}

/** Why a price is held. The codes are public and only ever grow. */
export const SUSPICIONS = [
  "unit",
  "currency",
  "fell",
  "rose",
  "below_market",
  "above_market",
  "below_cost",
  "shop_jump",
  "shop_same_price",
  "first_price_off",
] as const;

export type SuspicionCode = (typeof SUSPICIONS)[number];

export interface Suspicion {
  readonly code: SuspicionCode;
  /** The compared price in minor units, for as many pieces as the price; `null`: none. */
  readonly againstCents: number | null;
}

interface PriceOf {
  readonly priceCents: number;
  readonly currency: string;
}

interface PackPrice extends PriceOf {
  /** At most 4 decimals. */
  readonly packFactor: number;
}

export interface Comparison {
  /** The last accepted price of the match; null before the first. */
  readonly accepted: PriceOf | null;
  /** Prices of the product's other matches. */
  readonly others: readonly PackPrice[];
  /** Our cost of one piece; null if it is not known. */
  readonly cost: PriceOf | null;
  /** Our price per piece; `null` without one. */
  readonly own: PriceOf | null;
}

/** In steps that a slipped comma or another unit makes. */
const UNITS = [10n, 100n, 1_000n];
const OTHERS_MIN = 3;
const PACK_SCALE = 10_000;

/** The first thing that speaks against the price; null when nothing does. */
export function suspicionOf(seen: PackPrice, comparison: Comparison): Suspicion | null {
  return againstAccepted(seen, comparison.accepted) ?? againstMarket(seen, comparison.others) ??
    againstCost(seen, comparison.cost) ?? againstOwn(seen, comparison);
}

function againstAccepted(
  { priceCents, currency }: PackPrice,
  accepted: PriceOf | null,
): Suspicion | null {
  if (accepted === null || accepted.priceCents <= 0) return null;
  const againstCents = accepted.priceCents;
  if (currency !== accepted.currency) return { code: "currency", againstCents };
  const [is, was] = [BigInt(priceCents), BigInt(againstCents)];
  if (UNITS.some((unit) => isAbout(is, was * unit) || isAbout(is * unit, was))) {
    return { code: "unit", againstCents };
  }
  if (is * 2n <= was) return { code: "fell", againstCents };
  return is >= was * 2n ? { code: "rose", againstCents } : null;
}

/** Within 1 % of it. */
function isAbout(is: bigint, wanted: bigint): boolean {
  return is * 100n >= wanted * 99n && is * 100n <= wanted * 101n;
}

/** Prices of one piece, compared crosswise. */
function againstMarket(seen: PackPrice, others: readonly PackPrice[]): Suspicion | null {
  const units = others.filter((other) => isComparable(seen, other)).map(unitOf)
    .sort((a, b) => sign(a.cents * b.pieces - b.cents * a.pieces));
  const { length } = units;
  const [low, high] = [units[(length - 1) >> 1], units[length >> 1]];
  if (length < OTHERS_MIN || !low || !high) return null;
  // Twice the median, because of an even number it is the mean of the two in the middle.
  const twice = {
    cents: low.cents * high.pieces + high.cents * low.pieces,
    pieces: low.pieces * high.pieces,
  };
  const is = unitOf(seen);
  const [ours, market] = [is.cents * twice.pieces, twice.cents * is.pieces];
  const againstCents = Number(market / (2n * twice.pieces));
  if (ours * 4n < market) return { code: "below_market", againstCents };
  return ours * 2n > market * 3n ? { code: "above_market", againstCents } : null;
}

function againstCost(seen: PackPrice, cost: PriceOf | null): Suspicion | null {
  if (!isComparable(seen, cost)) return null;
  const { cents, pieces } = unitOf(seen);
  const ofPieces = BigInt(cost.priceCents) * pieces;
  if (cents * 2n >= ofPieces) return null;
  return { code: "below_cost", againstCents: Number(ofPieces / BigInt(PACK_SCALE)) };
}

/** Only what nothing else says anything about. */
function againstOwn(
  seen: PackPrice,
  { accepted, others, cost, own }: Comparison,
): Suspicion | null {
  const isKnown = (accepted !== null && accepted.priceCents > 0) || isComparable(seen, cost) ||
    others.filter((other) => isComparable(seen, other)).length >= OTHERS_MIN;
  if (isKnown || !isComparable(seen, own)) return null;
  const { cents, pieces } = unitOf(seen);
  const ofPieces = BigInt(own.priceCents) * pieces;
  if (cents * 2n >= ofPieces && cents <= ofPieces * 2n) return null;
  return { code: "first_price_off", againstCents: Number(ofPieces / BigInt(PACK_SCALE)) };
}

function isComparable<T extends PriceOf>(seen: PriceOf, other: T | null): other is T {
  return other !== null && other.priceCents > 0 && other.currency === seen.currency;
}

function unitOf({ priceCents, packFactor }: PackPrice) {
  return {
    cents: BigInt(priceCents) * BigInt(PACK_SCALE),
    pieces: BigInt(Math.round(packFactor * PACK_SCALE)),
  };
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** A pattern in a shop's prices: the way that they jump, or the price that they become. */
export type ShopPattern =
  | { readonly kind: "down" | "up" }
  | { readonly kind: "same"; readonly currency: string; readonly priceCents: number };

/** A changed price of an offer in the same currency. */
export interface PriceChange {
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
}

const JUMP_PCT = 30;
const SHARE_PCT = 30;
const SEEN_MIN = 20;
export const SAME_MIN = 10;

/** The way that a price jumps by more than 30 %; null if it does not. */
export function jumpOf({ fromCents, toCents }: PriceChange): "down" | "up" | null {
  const isJump = Math.abs(toCents - fromCents) * 100 > fromCents * JUMP_PCT;
  return !isJump ? null : toCents < fromCents ? "down" : "up";
}

/** Every pattern that a change has. */
export function patternsOf(change: PriceChange): ShopPattern[] {
  const { currency, toCents: priceCents } = change;
  const same: ShopPattern = { kind: "same", currency, priceCents };
  const jump = jumpOf(change);
  return jump === null ? [same] : [{ kind: jump }, same];
}

export function patternName(pattern: ShopPattern): string {
  return pattern.kind === "same" ? `same ${pattern.currency} ${pattern.priceCents}` : pattern.kind;
}

/** Whether so many products are too many to be believed. */
export function isTooMany(pattern: ShopPattern, count: number, seen: number): boolean {
  if (pattern.kind === "same") return count >= SAME_MIN;
  return seen >= SEEN_MIN && count * 100 > seen * SHARE_PCT;
}

const CODES = { down: "shop_jump", up: "shop_jump", same: "shop_same_price" } as const;

/** The suspicion about a price with the pattern of its shop. */
export function suspicionBy({ kind }: ShopPattern, { fromCents }: PriceChange): Suspicion {
  return { code: CODES[kind], againstCents: fromCents };
}

const SHOP_CODES: readonly SuspicionCode[] = Object.values(CODES);

/** The suspicion of a whole shop, which time does not clear; null for one of a price alone. */
export function shopSuspicion(
  { code, againstCents }: { readonly code: string; readonly againstCents: number | null },
): Suspicion | null {
  const known = SHOP_CODES.find((one) => one === code);
  return known === undefined ? null : { code: known, againstCents };
}
