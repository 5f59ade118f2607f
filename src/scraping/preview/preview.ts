import { z } from "@hono/zod-openapi";
import { AVAILABILITIES } from "../../base/availability.ts";
import { Extractor } from "../../competitors/extractor.ts";
import { PriceAlternative } from "../runs/run.ts";

/** A page to look at, before a match is made of it. */
export const PreviewRequest = z.strictObject({
  url: z.string().min(1).max(4_096).meta({
    format: "uri",
    example: "https://www.mediamarkt.de/p/1.html",
  }),
  extractor: Extractor.nullish(),
}).meta({ id: "PreviewRequest" });

export type PreviewRequest = z.infer<typeof PreviewRequest>;

/** What a scrape of the page would find (docs/decisions/competitors.md). */
export const Preview = z.object({
  status: z.enum(["ok", "failed", "skipped"]),
  price: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  method: z.string().nullable(),
  confidence: z.number().nullable(),
  alternatives: z.array(PriceAlternative),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
}).meta({ id: "Preview" });

export type Preview = Readonly<z.infer<typeof Preview>>;

/** A page that told nothing. */
export const NO_PREVIEW: Omit<Preview, "status"> = {
  price: null,
  currency: null,
  inStock: null,
  availability: null,
  method: null,
  confidence: null,
  alternatives: [],
  errorCode: null,
  message: null,
};
