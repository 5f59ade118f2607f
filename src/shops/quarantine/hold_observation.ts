/** Decides whether a price becomes the offer's or waits (docs/decisions/rules.md, Quarantine). */
import { HOUR_MS } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { Seen } from "../observations/observation.ts";
import type { HeldPrice } from "../offers/held_price_store.ts";
import {
  type Offer,
  type OwnSellers,
  type SaleTerms,
  showsOtherProduct,
  withObservation,
} from "../offers/offer.ts";

export type OurPrices = Pick<Comparison, "cost" | "own">;

/** The product of an observation and its prices, in a workspace with a quarantine. */
interface ObservationContext {
  readonly product: { readonly id: string; readonly sku: string };
  readonly offers: readonly Offer[];
  readonly ours: OurPrices;
  readonly isOurs: OwnSellers;
  /** The offer's waiting price; null if none waits. */
  readonly held: HeldPrice | null;
}

/** `held` is the price that waits now; null if none does or it is unchanged. */
interface JudgedObservation {
  readonly after: Offer;
  readonly held: HeldPrice | null;
}

/** Becomes the offer's price, or waits if the workspace has a quarantine. */
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
  // Pages that show another product and our own offers never count, so their prices need not wait.
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
  // A suspicious price that has been the same for this long is accepted.
  if (isAgain && ofShop === null && seen.observedAtMs >= held.heldAtMs + 6 * HOUR_MS) {
    // No rule applies a price by itself because of one that was accepted this way.
    const confidence = Math.min(0.7, seen.confidence);
    return { after: withObservation(free, { ...seen, confidence }, latestMs), held: null };
  }
  const heldAtMs = isAgain ? held.heldAtMs : seen.observedAtMs;
  const { priceCents, currency, availability, confidence, source, observedAtMs } = seen;
  // The page was read successfully; only its price is suspicious.
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

/** Returns the offer after an observation with its terms of sale. */
export function withSale(
  before: Offer,
  { after, held }: JudgedObservation,
  sale: Partial<SaleTerms> | undefined,
): Offer {
  // An outdated or waiting observation does not change the terms either.
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

/** With their VAT as it is, because they are compared with half and twice the amount only. */
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

/** Reasons why a price is held. The codes are public, so none may be removed. */
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

interface Suspicion {
  readonly code: SuspicionCode;
  /** What it was compared with, in minor units for as many pieces; null: nothing. */
  readonly againstCents: number | null;
}

interface PriceOf {
  readonly priceCents: number;
  readonly currency: string;
}

interface PackPrice extends PriceOf {
  /** Has at most 4 decimals. */
  readonly packFactor: number;
}

export interface Comparison {
  /** The last accepted price of the match; null before the first. */
  readonly accepted: PriceOf | null;
  /** Prices of the product's other matches. */
  readonly others: readonly PackPrice[];
  /** Our cost per piece; null if unknown. */
  readonly cost: PriceOf | null;
  /** Our price per piece; `null` without one. */
  readonly own: PriceOf | null;
}

/** Factors of a misplaced decimal point or another unit. */
const UNITS = [10n, 100n, 1_000n];
const OTHERS_MIN = 3;
const PACK_SCALE = 10_000;

/** Returns the first reason to suspect the price; null if there is none. */
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

/** True if the amount is within 1 % of the wanted one. */
function isAbout(is: bigint, wanted: bigint): boolean {
  return is * 100n >= wanted * 99n && is * 100n <= wanted * 101n;
}

/** Compares prices per piece, by cross-multiplication. */
function againstMarket(seen: PackPrice, others: readonly PackPrice[]): Suspicion | null {
  const units = others.filter((other) => isComparable(seen, other)).map(unitOf)
    .sort((a, b) => sign(a.cents * b.pieces - b.cents * a.pieces));
  const { length } = units;
  const [low, high] = [units[(length - 1) >> 1], units[length >> 1]];
  if (length < OTHERS_MIN || !low || !high) return null;
  // The median of an even number of prices is the mean of two.
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

/** Compares with our own price only if there is nothing else to compare with. */
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

/** A pattern in a shop's prices: they all jump in one direction, or all become the same price. */
export type ShopPattern =
  | { readonly kind: "down" | "up" }
  | { readonly kind: "same"; readonly currency: string; readonly priceCents: number };

export interface PriceChange {
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
}

const JUMP_PCT = 30;
const SHARE_PCT = 30;
export const SAME_MIN = 10;

/** Returns the direction of a jump by more than 30 %; null if the price does not jump. */
function jumpOf({ fromCents, toCents }: PriceChange): "down" | "up" | null {
  const isJump = Math.abs(toCents - fromCents) * 100 > fromCents * JUMP_PCT;
  return !isJump ? null : toCents < fromCents ? "down" : "up";
}

export function patternsOf(change: PriceChange): ShopPattern[] {
  const { currency, toCents: priceCents } = change;
  const same: ShopPattern = { kind: "same", currency, priceCents };
  const jump = jumpOf(change);
  return jump === null ? [same] : [{ kind: jump }, same];
}

export function patternName(pattern: ShopPattern): string {
  return pattern.kind === "same" ? `same ${pattern.currency} ${pattern.priceCents}` : pattern.kind;
}

/** True if so many products have the pattern that it is suspicious. */
export function isTooMany(pattern: ShopPattern, count: number, seen: number): boolean {
  if (pattern.kind === "same") return count >= SAME_MIN;
  return seen >= 20 && count * 100 > seen * SHARE_PCT;
}

const CODES = { down: "shop_jump", up: "shop_jump", same: "shop_same_price" } as const;

export function suspicionBy({ kind }: ShopPattern, { fromCents }: PriceChange): Suspicion {
  return { code: CODES[kind], againstCents: fromCents };
}

const SHOP_CODES: readonly SuspicionCode[] = Object.values(CODES);

/** One that concerns the whole shop, which never expires by itself; else null. */
export function shopSuspicion(
  { code, againstCents }: { readonly code: string; readonly againstCents: number | null },
): Suspicion | null {
  const known = SHOP_CODES.find((one) => one === code);
  return known === undefined ? null : { code: known, againstCents };
}
