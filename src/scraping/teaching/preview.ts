import { z } from "@hono/zod-openapi";
import { Extractor } from "../../shops/extractor.ts";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import { PriceCandidate, SaidOfArticle } from "../page/page_said.ts";
import { FOUND_FIELDS } from "../runs/run.ts";

/** A page to look at, before a match is made of it. */
export const PreviewRequest = z.strictObject({
  url: z.string().min(1).max(4_096).meta({
    format: "uri",
    example: "https://www.mediamarkt.de/p/1.html",
  }),
  extractor: Extractor.nullish(),
  productId: z.string().max(100).nullish().meta({
    description: "A product of ours: the page is compared with it, and of variants its own counts",
  }),
}).meta({ id: "PreviewRequest" });

export type PreviewRequest = z.infer<typeof PreviewRequest>;

/** What a page says, whoever asks. */
export const ReadPage = z.object({
  status: z.enum(["ok", "failed", "skipped"]).meta({
    description: "Whether the page brought a price, or was not visited",
  }),
  price: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  ...FOUND_FIELDS,
  page: SaidOfArticle.nullable().meta({
    description: "What the page says of its article; null when none was read",
  }),
  candidates: z.array(PriceCandidate).meta({
    description: "Every price that the page has, the best first, at most 8",
  }),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
});

export type ReadPage = Readonly<z.infer<typeof ReadPage>>;

/** What a scrape of the page would find (docs/decisions/competitors.md). */
export const Preview = ReadPage.extend({
  verdict: z.enum(VERDICTS).nullable().meta({
    description: "Whether the page shows our product; null without one, or without a page",
  }),
  reasons: z.array(IdentityEvidence).meta({ description: "Why, the deciding one first" }),
}).meta({ id: "Preview" });

export type Preview = Readonly<z.infer<typeof Preview>>;
