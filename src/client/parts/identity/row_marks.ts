import type { IdentityCode } from "../../../engine/matching/identity_codes.ts";

/** The compared fields of both sides. */
export type ComparedRow = "title" | "brand" | "gtin" | "mpn" | "condition" | "pack";
/** Whether the two sides agree. */
type Standing = "same" | "other";

/** For each row, the codes that tell whether both sides agree. */
const ROW_CODES: Readonly<Record<ComparedRow, Partial<Record<IdentityCode, Standing>>>> = {
  title: { title: "same", title_foreign: "other" },
  brand: { brand_same: "same", brand_differs: "other" },
  gtin: { gtin_same: "same", gtin_differs: "other", gtin_other_pack: "other" },
  mpn: { mpn_same: "same", mpn_differs: "other" },
  condition: { condition: "other" },
  pack: { pack: "other", gtin_other_pack: "other" },
};

/** Marks in addition to the colour. */
export const STANDING_MARKS = { same: "✓", other: "≠" } as const;

/** Returns whether both sides of a row agree; undefined if no reason concerns the row. */
export function positionOf(
  row: ComparedRow,
  reasons: readonly { readonly code: IdentityCode }[],
): Standing | undefined {
  return reasons.map(({ code }) => ROW_CODES[row][code]).find((one) => one !== undefined);
}
