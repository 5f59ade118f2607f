/**
 * Decides whether an observed price is accepted or goes into quarantine (docs/decisions/rules.md,
 * "Quarantine").
 */
import {
  add,
  compareFractions,
  decimal,
  divide,
  floorOf,
  type Fraction,
  multiply,
  percent,
  whole,
} from "../../base/fraction.ts";
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
import { COUNTS_AFTER_HOURS, SHOP_CODES, shopCodeOf, type SuspicionCode } from "./suspicion.ts";

export type OurPrices = Pick<Comparison, "cost" | "own">;

interface ObservationContext {
  readonly product: { readonly id: string; readonly sku: string };
  readonly offers: readonly Offer[];
  readonly ours: OurPrices;
  readonly isOurs: OwnSellers;
  readonly held: HeldPrice | null;
}

interface JudgedObservation {
  readonly after: Offer;
  readonly held: HeldPrice | null;
}

/**
 * If the price is outdated or goes into quarantine, the offer keeps its terms of sale, such as
 * shipping.
 */
export function judgeObservation(
  offer: Offer,
  seen: Seen,
  latestMs: number,
  context: ObservationContext | null,
  sale: Partial<SaleTerms> = {},
): JudgedObservation {
  const accepted = (before: Offer, price = seen): JudgedObservation => {
    const after = withObservation(before, price, latestMs);
    return { after: after === offer ? offer : { ...after, ...sale }, held: null };
  };
  if (context === null) return accepted(offer);
  const { held, isOurs } = context;
  const isLate = seen.observedAtMs < Math.max(offer.observedAtMs ?? 0, held?.observedAtMs ?? 0);
  // Our own offers and prices of other products are never suspicious, because rules do not use
  // them.
  if (isLate || showsOtherProduct(offer) || isOurs({ ...offer, ...sale })) {
    return isLate ? { after: offer, held: null } : accepted(offer);
  }
  const isAgain = held !== null && held.priceCents === seen.priceCents &&
    held.currency === seen.currency;
  const ofShop = isAgain ? shopSuspicion(held) : null;
  const others = context.offers.filter((other) =>
    other !== offer && other.enabled && !isOurs(other) && !showsOtherProduct(other)
  );
  const [known = null] = pricesOf([offer]);
  const suspicion = ofShop ?? suspicionOf(
    { ...seen, packFactor: offer.packFactor },
    { accepted: known, others: pricesOf(others), ...context.ours },
  );
  const free = offer.heldAtMs === null ? offer : { ...offer, heldAtMs: null };
  if (suspicion === null) return accepted(free);
  const waitMs = COUNTS_AFTER_HOURS * HOUR_MS;
  if (isAgain && ofShop === null && seen.observedAtMs >= held.heldAtMs + waitMs) {
    const confidence = Math.min(0.7, seen.confidence);
    return accepted(free, { ...seen, confidence });
  }
  const heldAtMs = isAgain ? held.heldAtMs : seen.observedAtMs;
  const { priceCents, currency, availability, confidence, source, observedAtMs } = seen;
  const checked = { checkedAtMs: observedAtMs, status: "ok", error: null, failingSinceMs: null };
  const { id: productId, sku } = context.product;
  const { matchId, competitorId } = offer;
  const place = { productId, sku, matchId, competitorId };
  const price = { priceCents, currency, availability, confidence, source };
  return {
    after: { ...offer, ...checked, heldAtMs },
    held: { ...place, ...price, heldAtMs, observedAtMs, ...suspicion },
  };
}

function pricesOf(offers: readonly Offer[]): PackPrice[] {
  return offers.flatMap(({ priceCents, currency, packFactor }) =>
    priceCents === null || currency === null ? [] : [{ priceCents, currency, packFactor }]
  );
}

/** VAT is not converted, because only large differences from our prices are suspicious. */
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

interface Suspicion {
  readonly code: SuspicionCode;
  /** Price in minor units with which the observed price was compared; null if there was none. */
  readonly againstCents: number | null;
}

interface PriceOf {
  readonly priceCents: number;
  readonly currency: string;
}

interface PackPrice extends PriceOf {
  readonly packFactor: number;
}

export interface Comparison {
  readonly accepted: PriceOf | null;
  readonly others: readonly PackPrice[];
  readonly cost: PriceOf | null;
  readonly own: PriceOf | null;
}

/** A price change by one of these factors suggests a wrong decimal point or another quantity. */
const UNITS = [whole(10), whole(100), whole(1_000)];
const OTHERS_MIN = 3;
const HALF = decimal(0.5);
const TWICE = whole(2);
const THRICE = whole(3);

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
  const ratio = divide(whole(priceCents), whole(againstCents));
  if (UNITS.some((unit) => isAboutOne(divide(ratio, unit)) || isAboutOne(multiply(ratio, unit)))) {
    return { code: "unit", againstCents };
  }
  if (compareFractions(ratio, HALF) <= 0) return { code: "fell", againstCents };
  return compareFractions(ratio, TWICE) >= 0 ? { code: "rose", againstCents } : null;
}

function isAboutOne(ratio: Fraction): boolean {
  return compareFractions(ratio, percent(99)) >= 0 && compareFractions(ratio, percent(101)) <= 0;
}

function againstMarket(seen: PackPrice, others: readonly PackPrice[]): Suspicion | null {
  const units = others.filter((other) => isComparable(seen, other))
    .map(({ priceCents, packFactor }) => divide(whole(priceCents), decimal(packFactor)))
    .sort(compareFractions);
  const { length } = units;
  const [low, high] = [units[(length - 1) >> 1], units[length >> 1]];
  if (length < OTHERS_MIN || !low || !high) return null;
  const { ratio, againstCents } = comparedWith(seen, divide(add(low, high), TWICE));
  if (compareFractions(ratio, HALF) < 0) return { code: "below_market", againstCents };
  return compareFractions(ratio, THRICE) > 0 ? { code: "above_market", againstCents } : null;
}

function againstCost(seen: PackPrice, cost: PriceOf | null): Suspicion | null {
  if (!isComparable(seen, cost)) return null;
  const { ratio, againstCents } = comparedWith(seen, whole(cost.priceCents));
  return compareFractions(ratio, HALF) < 0 ? { code: "below_cost", againstCents } : null;
}

function againstOwn(
  seen: PackPrice,
  { accepted, others, cost, own }: Comparison,
): Suspicion | null {
  const isKnown = (accepted !== null && accepted.priceCents > 0) || isComparable(seen, cost) ||
    others.filter((other) => isComparable(seen, other)).length >= OTHERS_MIN;
  if (isKnown || !isComparable(seen, own)) return null;
  const { ratio, againstCents } = comparedWith(seen, whole(own.priceCents));
  const isNear = compareFractions(ratio, HALF) >= 0 && compareFractions(ratio, TWICE) <= 0;
  return isNear ? null : { code: "first_price_off", againstCents };
}

function isComparable<T extends PriceOf>(seen: PriceOf, other: T | null): other is T {
  return other !== null && other.priceCents > 0 && other.currency === seen.currency;
}

function comparedWith({ priceCents, packFactor }: PackPrice, perPiece: Fraction) {
  const against = multiply(perPiece, decimal(packFactor));
  return { ratio: divide(whole(priceCents), against), againstCents: floorOf(against) };
}

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

export function isTooMany(pattern: ShopPattern, count: number, seen: number): boolean {
  if (pattern.kind === "same") return count >= SAME_MIN;
  return seen >= 20 && count * 100 > seen * SHARE_PCT;
}

export function suspicionBy({ kind }: ShopPattern, { fromCents }: PriceChange): Suspicion {
  return { code: SHOP_CODES[kind], againstCents: fromCents };
}

export function shopSuspicion(
  held: { readonly code: string; readonly againstCents: number | null },
): Suspicion | null {
  const code = shopCodeOf(held.code);
  return code === null ? null : { code, againstCents: held.againstCents };
}
