import {
  type ExplicitExtractor,
  type ExtractionPage,
  type PageAnswer,
  readPage,
} from "./page/extraction_page.ts";
import { EXTRACTORS } from "./extractors.ts";
import { pageIdentity } from "./page_identity.ts";
import type { WantedProduct } from "./page_product.ts";
import { type NoReading, type Reading, readingOf } from "./reading.ts";
import {
  type ExtractedPrice,
  type ExtractionFailure,
  failure,
  reconcileReadings,
} from "./reconcile_readings.ts";

/** What is known beside the page. */
export interface ExtractOptions {
  readonly extractor?: ExplicitExtractor | null;
  readonly product?: WantedProduct | null;
  /** ISO 4217 code to assume where the page names no currency, which is then a doubt. */
  readonly currencyHint?: string | null;
}

/** The outcome, and in a few lines for people what each method found and why one won. */
export interface Extraction {
  readonly result: ExtractedPrice | ExtractionFailure;
  readonly trace: readonly string[];
}

/**
 * Reads the price of a product off a page (docs/decisions/scraping.md). Pure: the same page gives
 * the same answer. Throws `TooComplex`, and nothing else, for a page, a selector or a path that
 * means more work than the page has a budget for, which is linear in its length.
 */
export function extractPrice(answer: PageAnswer, options: ExtractOptions = {}): Extraction {
  const extractor = options.extractor ?? {};
  const read = readPage(answer, extractor);
  if ("unsupported" in read) {
    return { result: failure("unsupported_content", read.unsupported), trace: [] };
  }
  const { page } = read;
  const identity = pageIdentity(answer.url, page.html, page.work);
  const currency = extractor.currency ?? options.currencyHint ?? null;
  const outcomes = EXTRACTORS.map((one) =>
    readingOf(one, page, identity, options.product ?? null, currency)
  );
  const trace = outcomes.flatMap(traceOf);
  if (page.html && !page.html.isWhole) {
    trace.push("the page nests too deep: only its begin was read");
  }
  const readings = outcomes.filter((outcome) => "decimal" in outcome);
  if (readings.length === 0) return { result: whyNone(outcomes, page), trace };
  const reconciled = reconcileReadings(
    readings,
    page,
    options.currencyHint ?? null,
    options.product?.title ?? null,
  );
  return { result: reconciled.result, trace: [...trace, reconciled.why] };
}

function traceOf(outcome: Reading | NoReading): string[] {
  const { method } = outcome;
  if ("decimal" in outcome) {
    return [`${method}: ${outcome.decimal} ${outcome.currency ?? "(no currency)"}, ${outcome.why}`];
  }
  const words = {
    nothing: null,
    no_price: "a product without a price",
    ambiguous_price: "a price that can be read in two ways",
    other_product: "prices of other products alone",
  }[outcome.reason];
  return words === null ? [] : [`${method}: ${words}`];
}

function whyNone(outcomes: readonly (Reading | NoReading)[], page: ExtractionPage) {
  if (outcomes.some((outcome) => "reason" in outcome && outcome.reason === "ambiguous_price")) {
    return failure(
      "ambiguous_price",
      "The price on the page can be read in two ways: set the currency or the locale of the extractor",
    );
  }
  if (page.extractor.priceSelector || page.extractor.jsonPath) {
    return failure("no_price", "The extractor finds no price on the page, and its markup has none");
  }
  return failure(
    "no_price",
    page.html
      ? "The markup of the page has no price: set a price selector for it"
      : "The answer is JSON without schema.org markup: set a JSON path for it",
  );
}
