import { z } from "zod";
import { IDENTITY_CODES, REASON_SIDES } from "./identity_codes.ts";

/** One thing that speaks for or against a page, or makes it doubtful, as interfaces tell it. */
export const IdentityEvidence = z.object({
  code: z.enum(IDENTITY_CODES).meta({ description: "What was compared, and how it came out" }),
  side: z.enum(REASON_SIDES).meta({ description: "Which way it points; a doubt decides nothing" }),
  ours: z.string().nullable().meta({ description: "What we have; null: nothing" }),
  theirs: z.string().nullable().meta({ description: "What the page has; null: nothing" }),
}).meta({ id: "IdentityEvidence" });

export type IdentityEvidence = Readonly<z.infer<typeof IdentityEvidence>>;
