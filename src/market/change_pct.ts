import { divide, multiply, roundOf, subtract, whole } from "../base/fraction.ts";

/**
 * The difference between two prices in percent, with 2 decimals, rounded half up; `null` when the
 * first is 0.
 */
export function changePct(fromCents: number, toCents: number): number | null {
  if (fromCents <= 0) return null;
  const part = subtract(whole(toCents), whole(fromCents));
  return roundOf(divide(multiply(part, whole(10_000)), whole(fromCents))) / 100;
}
