/**
 * Measures the cost of hostile input, a line of JSON for each: in a process of its own, so that
 * input which eats all memory or never ends does not end the tests. Arguments: `pages`, `selectors`
 * or `paths`, the bytes of the longest page, and `each` to measure a quarter of every page.
 */

import process, { stdout } from "node:process";
import { TooComplex } from "../../../src/base/failure.ts";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import {
  decodePage,
  type ExplicitExtractor,
} from "../../../src/engine/extraction/page/extraction_page.ts";
import { processMs } from "../../processor_time.ts";
import {
  documentsForPaths,
  HOSTILE_JSON_PATHS,
  HOSTILE_PAGES,
  HOSTILE_SELECTORS,
  pagesForSelectors,
} from "./hostile_pages.ts";
import { ALLOWED_MS, type Measured, type MeasuredPair } from "./measured.ts";

const TRIES = 3;
const URL_OF_PAGE = "https://shop.example/p/kaffeemaschine";
const PRODUCT = { sku: "A1", ean: "4006381333931", mpn: "KM 300" };

interface Input {
  readonly name: string;
  readonly contentType: string;
  /** Four times as long as `quarter`. */
  readonly body: string | Uint8Array;
  quarter(): string | Uint8Array;
  readonly extractor: ExplicitExtractor;
}

function* pages(longest: number): Iterable<Input> {
  for (const { name, contentType, make } of HOSTILE_PAGES) {
    const quarter = () => make(longest / 4);
    yield { name, contentType, body: make(longest), quarter, extractor: {} };
  }
}

function* selectors(longest: number): Iterable<Input> {
  for (const { query } of HOSTILE_SELECTORS) {
    const extractor = { priceSelector: query };
    yield* inPairs(query, "text/html", extractor, longest, pagesForSelectors);
  }
}

function* paths(longest: number): Iterable<Input> {
  for (const { query } of HOSTILE_JSON_PATHS) {
    const extractor = { jsonPath: query };
    yield* inPairs(query, "application/json", extractor, longest, documentsForPaths);
  }
}

function* inPairs(
  name: string,
  contentType: string,
  extractor: ExplicitExtractor,
  longest: number,
  bodiesOf: (bytes: number) => readonly string[],
): Iterable<Input> {
  const quarters = bodiesOf(longest / 8);
  for (const [n, body] of bodiesOf(longest / 2).entries()) {
    yield { name, contentType, body, quarter: () => quarters[n] ?? "", extractor };
  }
}

/** Growth from nothing to `ALLOWED_MS` is allowed: below that a quarter cannot tell too much of it. */
function pairOf(input: Input, isEach: boolean): MeasuredPair {
  const large = measured(input, input.body);
  const isTelling = isEach || large.ms > ALLOWED_MS;
  return { name: input.name, small: isTelling ? measured(input, input.quarter()) : null, large };
}

/** Processor time and outcome of the cheapest of some tries; one is enough when no bound is below it. */
function measured({ contentType, extractor }: Input, body: string | Uint8Array): Measured {
  let ms = Infinity;
  let outcome = "";
  for (let n = 0; n < TRIES && ms > ALLOWED_MS; n++) {
    const before = processMs();
    outcome = outcomeOf(contentType, body, extractor);
    ms = Math.min(ms, processMs() - before);
  }
  return { length: body.length, ms, outcome };
}

function outcomeOf(
  contentType: string,
  body: string | Uint8Array,
  extractor: ExplicitExtractor,
): string {
  try {
    const text = typeof body === "string" ? body : decodePage(body, contentType).text;
    const answer = { url: URL_OF_PAGE, contentType, text };
    const { result } = extractPrice(answer, { extractor, product: PRODUCT });
    return "errorCode" in result ? result.errorCode : "price";
  } catch (error) {
    return error instanceof TooComplex ? "too_complex" : `an exception: ${error}`;
  }
}

const INPUTS: Readonly<Record<string, (longest: number) => Iterable<Input>>> = {
  pages,
  selectors,
  paths,
};
const [, , kind = "", longest = "", quarters = ""] = process.argv;
for (const input of INPUTS[kind]?.(Number(longest)) ?? []) {
  stdout.write(`${JSON.stringify(pairOf(input, quarters === "each"))}\n`);
}
