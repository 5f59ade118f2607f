import type { FindingCode } from "./finding.ts";

/** Guards that end an import before anything is applied, and that a person may pass on purpose. */
export const HOLD_CODES = [
  "price_guard",
  "cost_guard",
  "change_guard",
  "replace_guard",
  "new_guard",
  "currency_guard",
  "unit_guard",
] as const satisfies readonly FindingCode[];

/** How an import ends of which a whole column of prices cannot be used. */
export const PRICES_REFUSED = "prices_refused" satisfies FindingCode;

/** Remedies for prices in another unit: amounts in cents, or another decimal sign. */
export const UNIT_REMEDIES = ["minor", "decimals"] as const;
export type UnitRemedy = (typeof UNIT_REMEDIES)[number];

export type HoldCode = (typeof HOLD_CODES)[number];

export function isHoldCode(code: string | null | undefined): code is HoldCode {
  return HOLD_CODES.some((known) => known === code);
}
