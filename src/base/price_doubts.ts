/** Doubts about a price that a person enters; the person can still set the price. */

import {
  add,
  compareFractions,
  divide,
  type Fraction,
  knownCost,
  marginPct,
  type MarginTerms,
  multiply,
  percent,
  roundOf,
  subtract,
  whole,
} from "./fraction.ts";
import { isLargeMove, MINOR_UNITS_MAX } from "./money.ts";

export type PriceRival = "old" | "market" | "cost";

export type PriceDoubt =
  | {
    readonly code: "factor";
    /** The new price is about `thatCents` × `factor` if `isMore`, else `thatCents` / `factor`. */
    readonly factor: 10 | 100 | 1_000;
    readonly isMore: boolean;
    readonly against: PriceRival;
    readonly thatCents: number;
    readonly likelyCents: number;
  }
  | {
    readonly code: "far_off";
    readonly oldCents: number;
    readonly likelyCents: number;
  }
  | { readonly code: "below_cost" }
  | { readonly code: "below_floor"; readonly marginPct: number; readonly floorPct: number }
  | BrokenBound
  | { readonly code: "locked" | "held" };

export const BROKEN_BOUNDS = ["below_min", "above_max"] as const;

export interface BrokenBound {
  readonly code: (typeof BROKEN_BOUNDS)[number];
  readonly limitCents: number;
}

export function brokenBound(
  cents: number | null,
  { minPriceCents: min, maxPriceCents: max }: Pick<PriceLimits, "minPriceCents" | "maxPriceCents">,
): BrokenBound | null {
  if (cents === null) return null;
  if (min !== null && cents < min) return { code: "below_min", limitCents: min };
  return max !== null && cents > max ? { code: "above_max", limitCents: max } : null;
}

export interface PriceLimits {
  readonly minPriceCents: number | null;
  readonly maxPriceCents: number | null;
  readonly isLocked: boolean;
  readonly isHeld: boolean;
}

export const NO_LIMITS: PriceLimits = {
  minPriceCents: null,
  maxPriceCents: null,
  isLocked: false,
  isHeld: false,
};

export interface PriceInQuestion {
  readonly cents: number;
  readonly oldCents: number | null;
  readonly marketCents: number | null;
  /** Minimum margin in percent; null if no rule has a minimum margin. */
  readonly floorPct: number | null;
  readonly terms: MarginTerms;
  readonly limits: PriceLimits;
}

const FACTORS = [10, 100, 1_000] as const;
const FAR = { beyondPct: 25 };
/** Prices whose ratio is 10, 100 or 1,000 (± this %) suggest a misplaced decimal point. */
const ABOUT_PCT = 25;
const DECIMALS = 4;

/** Returns the most serious doubt first. */
export function priceDoubts(asked: PriceInQuestion): readonly PriceDoubt[] {
  const { cents, oldCents } = asked;
  if (cents === oldCents) return [];
  const slip = slipOf(asked);
  const far = slip === null && oldCents !== null && isLargeMove(FAR, oldCents, cents)
    ? [{ code: "far_off", oldCents, likelyCents: oldCents } as const]
    : [];
  return [...(slip === null ? [] : [slip]), ...lossOf(asked), ...beyondLimits(asked), ...far];
}

export function needsReason(doubts: readonly PriceDoubt[]): boolean {
  return doubts.some(({ code }) => code !== "factor" && code !== "far_off");
}

function beyondLimits({ cents, limits }: PriceInQuestion): PriceDoubt[] {
  const broken = brokenBound(cents, limits);
  return [
    ...(broken === null ? [] : [broken]),
    ...(limits.isLocked ? [{ code: "locked" } as const] : []),
    ...(limits.isHeld ? [{ code: "held" } as const] : []),
  ];
}

function lossOf({ cents, floorPct, terms }: PriceInQuestion): PriceDoubt[] {
  const margin = cents === 0 && knownCost(terms) !== null
    ? -Infinity
    : marginPct(cents, terms, DECIMALS);
  if (margin === null) return [];
  if (margin < 0) return [{ code: "below_cost" }];
  if (floorPct === null || margin >= floorPct) return [];
  return [{ code: "below_floor", marginPct: margin, floorPct }];
}

function slipOf(asked: PriceInQuestion): PriceDoubt | null {
  const { cents, oldCents, marketCents } = asked;
  const rivals = [
    ["old", oldCents],
    ["market", marketCents],
    ["cost", grossCost(asked.terms)],
  ] as const;
  for (const [against, thatCents] of rivals) {
    if (thatCents === null || thatCents <= 0) continue;
    const slip = movedDigits(cents, thatCents);
    if (slip === null) continue;
    const before = oldCents === null ? null : movedDigits(oldCents, thatCents);
    if (before?.factor === slip.factor && before.isMore === slip.isMore) continue;
    return { code: "factor", ...slip, against, thatCents };
  }
  return null;
}

function movedDigits(cents: number, thatCents: number) {
  for (const factor of FACTORS) {
    if (isAbout(whole(cents), multiply(whole(thatCents), whole(factor)))) {
      const likelyCents = roundOf(divide(whole(cents), whole(factor)));
      return { factor, isMore: true, likelyCents };
    }
    const likelyCents = cents * factor;
    if (likelyCents <= MINOR_UNITS_MAX && isAbout(whole(likelyCents), whole(thatCents))) {
      return { factor, isMore: false, likelyCents };
    }
  }
  return null;
}

function isAbout(value: Fraction, other: Fraction): boolean {
  const distance = compareFractions(value, other) < 0
    ? subtract(other, value)
    : subtract(value, other);
  return compareFractions(distance, multiply(other, percent(ABOUT_PCT))) <= 0;
}

function grossCost(terms: MarginTerms): number | null {
  const cost = knownCost(terms);
  if (cost === null || !terms.pricesIncludeVat) return cost;
  if (terms.vatRatePct === null) return null;
  return roundOf(multiply(whole(cost), add(whole(1), percent(terms.vatRatePct))));
}
