/** The rows of a table that compares a product with a page. */
import type { IdentityCode } from "../../../engine/matching/identity_codes.ts";

export type ComparedRow = "title" | "brand" | "gtin" | "mpn" | "condition" | "pack";
type Standing = "same" | "other";

const ROW_CODES: Readonly<Record<ComparedRow, Partial<Record<IdentityCode, Standing>>>> = {
  title: { title: "same", title_foreign: "other" },
  brand: { brand_same: "same", brand_differs: "other" },
  gtin: { gtin_same: "same", gtin_differs: "other", gtin_other_pack: "other" },
  mpn: { mpn_same: "same", mpn_in_title: "same", mpn_differs: "other" },
  condition: { condition: "other" },
  pack: { pack: "other", gtin_other_pack: "other" },
};

/** Each sign repeats what a colour says, because not everyone can tell colours apart. */
export const STANDING_MARKS = { same: "✓", other: "≠" } as const;

export function positionOf(
  row: ComparedRow,
  reasons: readonly { readonly code: IdentityCode }[],
): Standing | undefined {
  return reasons.map(({ code }) => ROW_CODES[row][code]).find((one) => one !== undefined);
}

interface Named {
  readonly code: IdentityCode;
  readonly ours: string | null;
  readonly theirs: string | null;
}

interface PlaceTexts {
  inTitle(text: string): string;
  asSku(sku: string): string;
}

export function brandOnPage(
  page: { readonly brand: string | null; readonly title: string | null },
  ours: string | null,
  { inTitle }: Pick<PlaceTexts, "inTitle">,
): string | null {
  const isNamed = ours !== null && page.title !== null &&
    ` ${page.title} `.toLowerCase().includes(` ${ours} `.toLowerCase());
  return page.brand ?? (isNamed ? inTitle(ours) : null);
}

export function mpnOnPage(
  { mpn, title }: { readonly mpn: string | null; readonly title: string | null },
  reasons: readonly Named[],
  { inTitle, asSku }: PlaceTexts,
): string | null {
  const named = reasons.find(({ code }) => code === "mpn_in_title");
  if (mpn !== null || !named) return mpn;
  return named.theirs === title ? inTitle(named.ours ?? "") : asSku(named.theirs ?? "");
}
