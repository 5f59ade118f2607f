import { z } from "@hono/zod-openapi";
import { Extractor } from "../../competitors/extractor.ts";
import { FOUND_FIELDS } from "../runs/run.ts";

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
  ...FOUND_FIELDS,
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
}).meta({ id: "Preview" });

export type Preview = Readonly<z.infer<typeof Preview>>;
