import { divide, multiply, roundOf, subtract, whole } from "../base/fraction.ts";

/** How far one price is from another in percent, with 2 decimals, half up; null from nothing. */
export function changePct(fromCents: number, toCents: number): number | null {
  if (fromCents <= 0) return null;
  const part = subtract(whole(toCents), whole(fromCents));
  return roundOf(divide(multiply(part, whole(10_000)), whole(fromCents))) / 100;
}
