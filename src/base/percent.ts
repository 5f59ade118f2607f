/** Percentages for display. */

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

/** Returns the change in percent, with one decimal. `fromCents` must be above 0. */
export function changePct(fromCents: number, to: number | Fraction): number {
  const change = subtract(typeof to === "number" ? whole(to) : to, whole(fromCents));
  return inTenths(divide(multiply(change, whole(100)), whole(fromCents)));
}

/** Returns how far our price is above `theirs`, in percent of our price; null if our price is 0. */
export function ourGapPct(ourCents: number, theirs: Fraction): number | null {
  return ourCents === 0 ? null : 0 - changePct(ourCents, theirs);
}

/** Converts a share from 0 to 1 to percent. The result is not exact, so do not use it for money. */
export function sharePct(share: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(share * 100 * scale) / scale;
}

/** Returns percentages whose sum is 100; only zeros if all counts are 0. */
export function sharesPct(counts: readonly number[], decimals: number): number[] {
  const scale = 10 ** decimals;
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const exact = counts.map((count) => count * 100 * scale / total);
  const floors = exact.map(Math.floor);
  const missing = 100 * scale - floors.reduce((sum, floor) => sum + floor, 0);
  const raised = new Set(
    exact.map((value, at) => ({ at, rest: value - Math.floor(value) }))
      .sort((a, b) => b.rest - a.rest)
      .slice(0, missing)
      .map(({ at }) => at),
  );
  return floors.map((floor, at) => (floor + (raised.has(at) ? 1 : 0)) / scale);
}

export function meanPct(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round(sum / values.length * 10) / 10;
}

function inTenths(value: Fraction): number {
  const isNegative = value.num < 0;
  const size = isNegative ? subtract(whole(0), value) : value;
  const tenths = floorOf(add(multiply(size, whole(10)), { num: 1, den: 2 }));
  return (isNegative ? -tenths : tenths) / 10 + 0;
}

interface Costed {
  readonly costPriceCents: number | null;
}

export interface MarginTerms extends Costed {
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
}

/** Returns null for a cost of 0, which ERPs write for an unknown cost. */
export function knownCost({ costPriceCents }: Costed): number | null {
  return costPriceCents !== null && costPriceCents > 0 ? costPriceCents : null;
}

const SHOWN_DECIMALS = 2;

/** Rounds down. `net` must be above 0. */
export function marginPctOf(net: Fraction, costCents: number, decimals = SHOWN_DECIMALS): number {
  const scale = 10 ** decimals;
  const margin = divide(subtract(net, whole(costCents)), net);
  return floorOf(multiply(margin, whole(100 * scale))) / scale;
}

export function netOf(
  priceCents: number,
  { pricesIncludeVat, vatRatePct }: Omit<MarginTerms, "costPriceCents">,
): Fraction | null {
  if (!pricesIncludeVat) return whole(priceCents);
  if (vatRatePct === null) return null;
  return divide(whole(priceCents), add(whole(1), percent(vatRatePct)));
}

/** Returns null if price or cost is unknown, or if the price includes VAT at an unknown rate. */
export function marginPct(
  priceCents: number | null,
  terms: MarginTerms,
  decimals = SHOWN_DECIMALS,
): number | null {
  const cost = knownCost(terms);
  if (priceCents === null || priceCents <= 0 || cost === null) return null;
  const net = netOf(priceCents, terms);
  return net && marginPctOf(net, cost, decimals);
}
