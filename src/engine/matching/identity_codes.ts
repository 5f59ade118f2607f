/**
 * Codes for the results of comparing a page with our product. The module contains only constants, so that
 * the web client may import it.
 */
import { z } from "zod";

/** From the surest to the one that says nothing. */
export const VERDICTS = ["same", "probably", "different", "unknown"] as const;

export type Verdict = (typeof VERDICTS)[number];

/** Which way a reason points; a doubt decides nothing. */
export const REASON_SIDES = ["for", "against", "doubt"] as const;

export type ReasonSide = (typeof REASON_SIDES)[number];

/** Kinds of words that two titles of one article hardly ever have. */
export const HARD_KINDS = [
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

/** The codes are public and only ever grow. */
export const IDENTITY_CODES = [
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

/** One thing that speaks for or against a page, or makes it doubtful, as interfaces tell it. */
export const IdentityEvidence = z.object({
  code: z.enum(IDENTITY_CODES).meta({ description: "What was compared, and how it came out" }),
  side: z.enum(REASON_SIDES).meta({ description: "Which way it points; a doubt decides nothing" }),
  ours: z.string().nullable().meta({ description: "What we have; null: nothing" }),
  theirs: z.string().nullable().meta({ description: "What the page has; null: nothing" }),
}).meta({ id: "IdentityEvidence" });

export type IdentityEvidence = Readonly<z.infer<typeof IdentityEvidence>>;
