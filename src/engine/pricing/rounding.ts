/** Price endings (docs/decisions/rules.md): only for currencies with two decimals. */
import { z } from "zod";
import { currencyExponent } from "../../base/currency.ts";

export const ROUNDINGS = ["none", "x.99", "x.95", "10ct"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

export const RoundingField = z.enum(ROUNDINGS);

const ENDINGS = {
  "x.99": { every: 100, ending: 99 },
  "x.95": { every: 100, ending: 95 },
  "10ct": { every: 10, ending: 0 },
} as const;

/**
 * True for currencies whose prices end in two decimals: only there endings such as x.99 mean
 * something.
 */
export function hasTwoDecimals(currency: string): boolean {
  return currencyExponent(currency) === 2;
}

/**
 * Down to the next lower ending (a price that has it stays), or up to the next higher one when the
 * lower is below the floor.
 */
export function roundPrice(
  cents: number,
  rounding: Exclude<Rounding, "none">,
  floorCents: number | null,
): number {
  const { every, ending } = ENDINGS[rounding];
  const lower = Math.floor((cents - ending) / every) * every + ending;
  return floorCents !== null && lower < floorCents ? lower + every : lower;
}
