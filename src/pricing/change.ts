import { compareFractions, multiply, percent, whole } from "../base/fraction.ts";

/** True when `cents` is at most `pct` percent of `fromCents` away from it, exactly. */
export function isWithinPct(cents: number, fromCents: number, pct: number): boolean {
  const allowed = multiply(whole(fromCents), percent(pct));
  return compareFractions(whole(Math.abs(cents - fromCents)), allowed) <= 0;
}
