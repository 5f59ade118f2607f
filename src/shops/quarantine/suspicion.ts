/**
 * Whether a price that was seen looks wrong (docs/decisions/rules.md, Quarantine): against the last one
 * that was accepted of the same match, against what others ask, against our cost; where there is none of
 * these, against our own price. Exact.
 */

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
  /** What it was compared with, in minor units and for as many pieces as the price; null: nothing. */
  readonly againstCents: number | null;
}

interface PriceOf {
  readonly priceCents: number;
  readonly currency: string;
}

/** A price for several pieces. */
interface PackPrice extends PriceOf {
  /** At most 4 decimals. */
  readonly packFactor: number;
}

/** What a sight is compared with. */
export interface Comparison {
  /** The last accepted price of the match; null before the first. */
  readonly accepted: PriceOf | null;
  /** What other matches of the product ask. */
  readonly others: readonly PackPrice[];
  /** Our cost of one piece; null where it is not known. */
  readonly cost: PriceOf | null;
  /** What we ask for one piece; null where we ask nothing. */
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
