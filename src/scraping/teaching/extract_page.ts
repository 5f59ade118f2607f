import { Failure, TooComplex } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { type ExtractorCheck, requireUsable } from "../../shops/extractor.ts";
import { failed } from "../page/judge_answer.ts";
import { NOT_LEARNING } from "../page/page_lesson.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import type { ExtractReport, ExtractRequest } from "./extract_report.ts";
import { type AskedPage, lookAt, type Looked, readingOf, toPreview } from "./preview_page.ts";

/** Where a page is that nobody says it of. */
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

/** A page that somebody has, as if its shop had sent it just now. */
export function sentPage(url: string, html: string) {
  const contentType = "text/html; charset=utf-8";
  const body = new TextEncoder().encode(html);
  const how = { isChallenge: false, isThorough: true, learning: NOT_LEARNING };
  return { url, askedUrl: url, status: OK, contentType, body, ...how };
}

/** What was found, as people are told. */
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
