/** Margin = (net price − cost) ÷ net price; a cost is net, prices are as the workspace keeps them. Exact. */
import {
  add,
  divide,
  floorOf,
  type Fraction,
  multiply,
  percent,
  subtract,
  whole,
} from "./fraction.ts";

interface Costed {
  /** Net, in minor units; null when nobody said one. */
  readonly costPriceCents: number | null;
}

/** What a margin is computed with. */
export interface MarginTerms extends Costed {
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
}

/**
 * The cost that margins and floors are computed from: net, in minor units, above 0. Null when nobody
 * said one, and for 0, which ERPs write where they know none: any price would clear a floor above it.
 */
export function knownCost({ costPriceCents }: Costed): number | null {
  return costPriceCents !== null && costPriceCents > 0 ? costPriceCents : null;
}

/** Of margins that are told: screens that show fewer decimals all round the same figure. */
const TOLD_DECIMALS = 2;

/** In percent, rounded down to so many decimals; `net` is above 0. */
export function marginPctOf(net: Fraction, costCents: number, decimals = TOLD_DECIMALS): number {
  const scale = 10 ** decimals;
  const margin = divide(subtract(net, whole(costCents)), net);
  return floorOf(multiply(margin, whole(100 * scale))) / scale;
}

/** A price in minor units without VAT; null where it has VAT of a rate that nobody knows. */
export function netOf(
  priceCents: number,
  { pricesIncludeVat, vatRatePct }: Omit<MarginTerms, "costPriceCents">,
): Fraction | null {
  if (!pricesIncludeVat) return whole(priceCents);
  if (vatRatePct === null) return null;
  return divide(whole(priceCents), add(whole(1), percent(vatRatePct)));
}

/** As `marginPctOf`, of a price in minor units; null without a price, a cost or a VAT rate that is needed. */
export function marginPct(
  priceCents: number | null,
  terms: MarginTerms,
  decimals = TOLD_DECIMALS,
): number | null {
  const cost = knownCost(terms);
  if (priceCents === null || priceCents <= 0 || cost === null) return null;
  const net = netOf(priceCents, terms);
  return net && marginPctOf(net, cost, decimals);
}
