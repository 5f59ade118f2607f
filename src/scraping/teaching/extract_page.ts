import { Failure, TooComplex } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { Extractor, type ExtractorCheck, requireUsable } from "../../shops/extractor.ts";
import { failed } from "../page/judge_answer.ts";
import { NOT_LEARNING } from "../page/judge_answer.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import {
  type AskedPage,
  lookAt,
  type Looked,
  readingOf,
  ReadPage,
  toPreview,
} from "./preview_page.ts";
import { z } from "@hono/zod-openapi";

/** The address of a page without a known one. */
export const NOWHERE = "https://page.invalid/";
const OK = 200;

/**
 * Reads a page and tells all of it: a sent one where it stands, another one as a preview does. Stores
 * nothing of it. Refuses with `validation_failed` an address that is none, and for one that is to be
 * fetched what a preview refuses.
 */
export async function extractPage(
  ctx: Context,
  deps: ScrapeDeps,
  { url, extractor, product, ...sent }: ExtractRequest,
  misfitsOf: ExtractorCheck,
): Promise<ExtractReport> {
  const asked = { url: url ?? NOWHERE, extractor: extractor ?? null, product: product ?? null };
  if (!("html" in sent)) return reportOf(await lookAt(ctx, deps, asked, misfitsOf));
  await requireUsable(ctx, misfitsOf, asked.extractor);
  if (!/^https?:$/.test(URL.parse(asked.url)?.protocol ?? "")) {
    throw new Failure("validation_failed", "`url` is no address of the web");
  }
  return reportOf(await readSent(ctx, deps, asked, sent.html));
}

async function readSent(
  ctx: Context,
  { reader }: ScrapeDeps,
  { url, extractor, product }: AskedPage,
  html: string,
): Promise<Looked> {
  try {
    const answer = { ...sentPage(url, html), extractor, product };
    const turn = { ...readingOf(ctx), transfer: [answer.body.buffer] };
    return await reader.page(answer, turn);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return failed(OK, "too_complex", `The page is too much work to read: ${error.message}`);
  }
}

/** A page from the request body, as if its shop had sent it now. */
export function sentPage(url: string, html: string) {
  const contentType = "text/html; charset=utf-8";
  const body = new TextEncoder().encode(html);
  const how = { isChallenge: false, isThorough: true, learning: NOT_LEARNING };
  return { url, askedUrl: url, status: OK, contentType, body, ...how };
}

export function reportOf(looked: Looked): ExtractReport {
  const found = looked.kind === "priced" ? looked.found : null;
  return {
    ...toPreview(looked),
    listPrice: found?.listPrice ?? null,
    shipping: found?.shipping ?? null,
    httpStatus: "httpStatus" in looked ? looked.httpStatus : null,
    trace: "trace" in looked ? [...looked.trace] : [],
  };
}

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

export const ExtractReport = ReadPage.extend({
  listPrice: z.int().nullable().meta({ description: "Minor units; what it cost before" }),
  shipping: z.int().nullable().meta({ description: "Minor units; 0 is free" }),
  httpStatus: z.int().nullable(),
  trace: z.array(z.string()).meta({
    description: "What each way found, what speaks for each shown price, and what decided; English",
  }),
}).meta({ id: "ExtractReport" });

export type ExtractReport = Readonly<z.infer<typeof ExtractReport>>;
