/** Percentages for eyes: exact until they are rounded to one decimal, half away from 0. */
import { add, divide, floorOf, type Fraction, multiply, subtract, whole } from "./fraction.ts";

/** How far `to` is from a price above 0, both in minor units: 110 from 100 is 10. */
export function changePct(fromCents: number, to: number | Fraction): number {
  const change = subtract(typeof to === "number" ? whole(to) : to, whole(fromCents));
  return inTenths(divide(multiply(change, whole(100)), whole(fromCents)));
}

/** How far we are above another price, in percent of that one: + is dearer. Null where that one is 0. */
export function gapPct(ourCents: number, theirs: Fraction): number | null {
  if (theirs.num === 0) return null;
  const gap = subtract(whole(ourCents), theirs);
  return inTenths(divide(multiply(gap, whole(100)), theirs));
}

/** A share from 0 to 1, which is no money, in percent with so many decimals. */
export function sharePct(share: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(share * 100 * scale) / scale;
}

/** The mean of percentages; null of none. */
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
