import type { FindingCode } from "./finding.ts";

/** Guards that end an import before anything is applied; a person may override them. */
export const HOLD_CODES = [
  "price_guard",
  "cost_guard",
  "change_guard",
  "replace_guard",
  "new_guard",
  "currency_guard",
  "unit_guard",
] as const satisfies readonly FindingCode[];

/** How long the file of a dry run or a held import can be applied (docs/decisions/imports.md). */
export const KEPT_HOURS = 24;

/** The error of an import if a whole column of its prices cannot be used. */
export const PRICES_REFUSED = "prices_refused" satisfies FindingCode;

/** Remedies for prices in a wrong unit: amounts in cents, or another decimal sign. */
export const UNIT_REMEDIES = ["minor", "decimals"] as const;
export type UnitRemedy = (typeof UNIT_REMEDIES)[number];

export type HoldCode = (typeof HOLD_CODES)[number];

export function isHoldCode(code: string | null | undefined): code is HoldCode {
  return HOLD_CODES.some((known) => known === code);
}
