import { z } from "@hono/zod-openapi";
import { Extractor } from "../../shops/extractor.ts";
import { ReadPage } from "./preview.ts";

/** A sent page is as long as one that is fetched, in characters. */
const HTML_CHARACTERS_MAX = 4 * 1024 * 1024;
/** A character takes up to 3 bytes, and more where JSON escapes it. */
export const EXTRACT_BYTES_MAX = 3 * HTML_CHARACTERS_MAX;

const url = z.string().min(1).max(4_096).meta({
  format: "uri",
  description: "Fetched once, as politely as a run does; with `html` only where the page was",
  example: "https://www.mediamarkt.de/p/1.html",
});
const html = z.string().min(1).max(HTML_CHARACTERS_MAX).meta({
  description: "The page; nothing is fetched then",
});
const asked = {
  extractor: Extractor.nullish(),
  product: z.strictObject({
    ean: z.string().max(14).nullish(),
    mpn: z.string().max(200).nullish(),
    title: z.string().max(500).nullish(),
    currency: z.string().max(3).nullish(),
  }).optional().meta({ description: "What is looked for on the page" }),
};

/** A page to be read aloud: at its address, or as it is sent along. */
export const ExtractRequest = z.union([
  z.strictObject({ html, url: url.optional(), ...asked }).meta({ id: "ExtractSentPage" }),
  z.strictObject({ url, ...asked }).meta({ id: "ExtractAddress" }),
], {
  error: "Must have `url` or `html`, and beside them `extractor` and `product` as documented",
}).meta({ id: "ExtractRequest" });

export type ExtractRequest = z.infer<typeof ExtractRequest>;

/** What a page says, with every way of reading it, and why one of them counts. */
export const ExtractReport = ReadPage.extend({
  listPrice: z.int().nullable().meta({ description: "Minor units; what it cost before" }),
  shipping: z.int().nullable().meta({ description: "Minor units; 0 is free" }),
  httpStatus: z.int().nullable(),
  trace: z.array(z.string()).meta({
    description: "What each way found, what speaks for each shown price, and what decided; English",
  }),
}).meta({ id: "ExtractReport" });

export type ExtractReport = Readonly<z.infer<typeof ExtractReport>>;
