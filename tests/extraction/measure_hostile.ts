/**
 * What hostile input costs, a line of JSON for each: in a process of its own, so that input which
 * eats all memory or never ends takes no test along. Arguments: `pages`, `selectors` or `paths`, and
 * the bytes of the longest page; each kind comes in that length and in a quarter of it.
 */
import process, { stdout } from "node:process";
import { TooComplex } from "../../src/base/too_complex.ts";
import { extractPrice } from "../../src/extraction/extract_price.ts";
import type { ExplicitExtractor } from "../../src/extraction/page/extraction_page.ts";
import { decodePage } from "../../src/extraction/page/decode_page.ts";
import {
  documentsForPaths,
  HOSTILE_JSON_PATHS,
  HOSTILE_PAGES,
  HOSTILE_SELECTORS,
  pagesForSelectors,
} from "./hostile_pages.ts";
import type { Measured } from "./hostile_test.ts";
import { processMs } from "../processor_time.ts";

const TRIES = 3;
const ENOUGH_MS = 400;
const URL_OF_PAGE = "https://shop.example/p/kaffeemaschine";
const PRODUCT = { sku: "A1", ean: "4006381333931", mpn: "KM 300" };

interface Input {
  readonly name: string;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly extractor: ExplicitExtractor;
}

function* pages(longest: number): Iterable<Input> {
  for (const { name, contentType, make } of HOSTILE_PAGES) {
    for (const bytes of [longest / 4, longest]) {
      yield { name, contentType, body: make(bytes), extractor: {} };
    }
  }
}

function* selectors(longest: number): Iterable<Input> {
  const bodies = [longest / 8, longest / 2].flatMap(pagesForSelectors);
  for (const { query } of HOSTILE_SELECTORS) {
    for (const body of bodies) {
      yield { name: query, contentType: "text/html", body, extractor: { priceSelector: query } };
    }
  }
}

function* paths(longest: number): Iterable<Input> {
  const bodies = [longest / 8, longest / 2].flatMap(documentsForPaths);
  for (const { query } of HOSTILE_JSON_PATHS) {
    for (const body of bodies) {
      yield { name: query, contentType: "application/json", body, extractor: { jsonPath: query } };
    }
  }
}

/** Processor time and outcome of the cheapest of some tries; one is enough when it is short. */
function measured({ name, contentType, body, extractor }: Input): Measured {
  let ms = Infinity;
  let outcome = "";
  for (let n = 0; n < TRIES && ms > ENOUGH_MS; n++) {
    const before = processMs();
    outcome = outcomeOf(contentType, body, extractor);
    ms = Math.min(ms, processMs() - before);
  }
  return { name, length: body.length, ms, outcome };
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
const [, , kind = "", longest = ""] = process.argv;
for (const input of INPUTS[kind]?.(Number(longest)) ?? []) {
  stdout.write(`${JSON.stringify(measured(input))}\n`);
}
