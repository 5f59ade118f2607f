/**
 * Calculates with exact fractions, also percentages and margins. Integers of 2^53 or more are
 * `bigint`; smaller integers may be numbers or `bigint`.
 */
type Int = number | bigint;

/** `den` is above 0; the fraction need not be reduced. */
export interface Fraction {
  readonly num: Int;
  readonly den: Int;
}

export function times(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return BigInt(a) * BigInt(b);
}

function plus(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum + 0;
  }
  return BigInt(a) + BigInt(b);
}

export function whole(value: number): Fraction {
  return { num: value, den: 1 };
}

export function decimal(value: number): Fraction {
  return reduced(Math.round(value * 10_000), 10_000);
}

export function percent(pct: number): Fraction {
  return reduced(Math.round(pct * 10_000), 1_000_000);
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return { num: times(a.num, b.num), den: times(a.den, b.den) };
}

export function isWhole({ num, den }: Fraction): boolean {
  return BigInt(num) % BigInt(den) === 0n;
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return { num: times(a.num, b.den), den: times(a.den, b.num) };
}

export function add(a: Fraction, b: Fraction): Fraction {
  if (a.den === b.den) return { num: plus(a.num, b.num), den: a.den };
  return reduced(plus(times(a.num, b.den), times(b.num, a.den)), times(a.den, b.den));
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { num: times(b.num, -1), den: b.den });
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const left = times(a.num, b.den);
  const right = times(b.num, a.den);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rounds down, for example -0.5 to -1. The result is exact below 2^53. */
export function floorOf({ num, den }: Fraction): number {
  if (typeof num === "number" && typeof den === "number" && num >= 0) {
    return (num - num % den) / den;
  }
  const [dividend, divisor] = [BigInt(num), BigInt(den)];
  const quotient = dividend / divisor;
  const isCut = dividend < 0n && quotient * divisor !== dividend;
  return Number(isCut ? quotient - 1n : quotient);
}

export function ceilOf({ num, den }: Fraction): number {
  return -floorOf({ num: times(num, -1), den }) + 0;
}

/** Rounds halves up. */
export function roundOf({ num, den }: Fraction): number {
  return floorOf({ num: plus(times(num, 2), den), den: times(den, 2) });
}

function reduced(num: Int, den: Int): Fraction {
  if (typeof num === "number" && typeof den === "number") {
    let [divisor, rest] = [Math.abs(num), den];
    while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
    return { num: num / divisor, den: den / divisor };
  }
  const [dividend, whole] = [BigInt(num), BigInt(den)];
  let [divisor, rest] = [dividend < 0n ? -dividend : dividend, whole];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { num: narrow(dividend / divisor), den: narrow(whole / divisor) };
}

function narrow(value: bigint): Int {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** `fromCents` must be above 0; the result has one decimal, and halves are rounded away from 0. */
export function changePct(fromCents: number, to: number | Fraction): number {
  const change = subtract(typeof to === "number" ? whole(to) : to, whole(fromCents));
  return inTenths(divide(multiply(change, whole(100)), whole(fromCents)));
}

/** Returns (ours - theirs) / ours in percent, with one decimal; null if our price is 0. */
export function ourGapPct(ourCents: number, theirs: Fraction): number | null {
  return ourCents === 0 ? null : 0 - changePct(ourCents, theirs);
}

/** Converts a share (0 to 1) to percent; the result is not exact enough for money. */
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

/** Returns the margin in percent of `net`, rounded down; `net` must be above 0. */
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
