import type { FindingCode } from "./finding.ts";

/** Guards that end an import before anything is applied, and that a person may pass on purpose. */
export const HOLD_CODES = [
  "price_guard",
  "replace_guard",
] as const satisfies readonly FindingCode[];

export type HoldCode = (typeof HOLD_CODES)[number];

/** True for the error code of an import that is held. */
export function isHoldCode(code: string | null | undefined): code is HoldCode {
  return HOLD_CODES.some((known) => known === code);
}
