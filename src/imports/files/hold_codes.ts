import type { FindingCode } from "./finding.ts";

/** Codes of the guards that stop an import before it is applied. A person may override a guard. */
export const HOLD_CODES = [
  "price_guard",
  "cost_guard",
  "change_guard",
  "replace_guard",
  "new_guard",
  "currency_guard",
  "unit_guard",
] as const satisfies readonly FindingCode[];

/** Time in which the file of a dry run or a held import can be applied. */
export const KEPT_HOURS = 24;

/** Error code of an import in which a whole price column is unusable. */
export const PRICES_REFUSED = "prices_refused" satisfies FindingCode;

/** `minor` reads the amounts as cents; `decimals` swaps decimal and thousands separators. */
export const UNIT_REMEDIES = ["minor", "decimals"] as const;
export type UnitRemedy = (typeof UNIT_REMEDIES)[number];

export type HoldCode = (typeof HOLD_CODES)[number];

export function isHoldCode(code: string | null | undefined): code is HoldCode {
  return HOLD_CODES.some((known) => known === code);
}
