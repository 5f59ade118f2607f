/** Codes for the results of comparing a page with our product. */
import { z } from "zod";

export const VERDICTS = ["same", "probably", "different", "unknown"] as const;

export type Verdict = (typeof VERDICTS)[number];

const REASON_SIDES = ["for", "against", "doubt"] as const;

export type ReasonSide = (typeof REASON_SIDES)[number];

const HARD_KINDS = [
  "quantity",
  "pack",
  "size",
  "gender",
  "colour",
  "edition",
  "series",
  "model",
  "accessory",
  "condition",
] as const;

export type HardKind = (typeof HARD_KINDS)[number];

/** Stored results of comparisons contain these codes, so never remove a code. */
const IDENTITY_CODES = [
  "gtin_same",
  "gtin_other_pack",
  "gtin_differs",
  "mpn_same",
  "mpn_differs",
  "mpn_in_title",
  "brand_same",
  "brand_differs",
  "title",
  "title_foreign",
  "title_differs",
  "page_silent",
  "variant_unknown",
  ...HARD_KINDS,
] as const;

export type IdentityCode = (typeof IDENTITY_CODES)[number];

export const IdentityEvidence = z.object({
  code: z.enum(IDENTITY_CODES).describe("What was compared, and the result"),
  side: z.enum(REASON_SIDES)
    .describe("Whether it is for or against the page; a doubt can prevent the verdict `same`"),
  ours: z.string().nullable().describe("Our value; null: none"),
  theirs: z.string().nullable().describe("The page's value; null: none"),
}).meta({ id: "IdentityEvidence" });

export type IdentityEvidence = Readonly<z.infer<typeof IdentityEvidence>>;
