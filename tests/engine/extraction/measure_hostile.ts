/**
 * Measures the cost of hostile inputs and prints a line of JSON for each. It runs as a separate
 * process, because an input may exhaust memory or never end. Arguments: the maximum bytes of pages,
 * the same for selectors and paths, and the limits as JSON.
 */

import process, { stdout } from "node:process";
import { TooComplex } from "../../../src/base/failure.ts";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import {
  decodePage,
  type ExplicitExtractor,
} from "../../../src/engine/extraction/page/extraction_page.ts";
import { withinTime } from "../../../src/platform/sandbox/sandbox.ts";
import { threadMs } from "../../processor_time.ts";
import {
  documentsForPaths,
  HOSTILE_JSON_PATHS,
  HOSTILE_PAGES,
  HOSTILE_SELECTORS,
  pagesForSelectors,
} from "./hostile_pages.ts";

/** A slow input is tried again, because other programs may have slowed it down. */
const TRIES = 3;
const URL_OF_PAGE = "https://shop.example/p/kaffeemaschine";
const PRODUCT = {
  sku: "A1",
  ean: "4006381333931",
  mpn: "KM 300",
  title: "Kaffee 256 GB rot, 3 x 5 cm",
};

interface Limit {
  /** The extractor must give up after this time. */
  readonly limitMs: number;
  /** The test fails if reading the page takes longer. */
  readonly allowedMs: number;
  /** If a quarter of the page is read in less time, the whole page is not measured. */
  readonly suspectFromMs?: number;
}

export type HostileLimits = Readonly<Record<"pages" | "selectors" | "paths", Limit>>;

/** `name` is the name of the page, the selector or the JSON path. */
export interface Measured {
  readonly kind: string;
  readonly name: string;
  readonly length: number;
  readonly ms: number;
  /** `price`, an error code, `too_complex`, or the text of an unexpected exception. */
  readonly outcome: string;
}

interface Input {
  readonly name: string;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly quarter?: string | Uint8Array;
  readonly extractor: ExplicitExtractor;
}

function* inputsOf(kind: string, longest: number, explicit: number): Iterable<Input> {
  for (const { name, contentType, make } of kind === "pages" ? HOSTILE_PAGES : []) {
    const [body, quarter] = [make(longest), make(longest / 4)];
    yield { name, contentType, body, quarter, extractor: {} };
  }
  for (const name of kind === "selectors" ? HOSTILE_SELECTORS : []) {
    for (const body of pagesForSelectors(explicit)) {
      yield { name, contentType: "text/html", body, extractor: { priceSelector: name } };
    }
  }
  for (const name of kind === "paths" ? HOSTILE_JSON_PATHS : []) {
    for (const body of documentsForPaths(explicit)) {
      yield { name, contentType: "application/json", body, extractor: { jsonPath: name } };
    }
  }
}

function measured({ quarter, ...input }: Input, limit: Limit): Omit<Measured, "kind"> {
  if (quarter === undefined || limit.suspectFromMs === undefined) return fastest(input, limit);
  const shorter = fastest({ ...input, body: quarter }, limit);
  return shorter.ms < limit.suspectFromMs ? shorter : fastest(input, limit);
}

/** Measures until the time is within `allowedMs`, at most `TRIES` times. */
function fastest({ name, contentType, extractor, body }: Input, { limitMs, allowedMs }: Limit) {
  let ms = Infinity;
  let outcome = "";
  for (let n = 0; n < TRIES && ms > allowedMs; n++) {
    const before = threadMs();
    outcome = outcomeOf(contentType, body, extractor, limitMs);
    ms = Math.min(ms, threadMs() - before);
  }
  return { name, length: body.length, ms, outcome };
}

function outcomeOf(
  contentType: string,
  body: string | Uint8Array,
  extractor: ExplicitExtractor,
  limitMs: number,
): string {
  try {
    const text = typeof body === "string" ? body : decodePage(body, contentType);
    const answer = { url: URL_OF_PAGE, contentType, text };
    const read = () => extractPrice(answer, { extractor, product: PRODUCT });
    const { result } = withinTime(limitMs, read);
    return "errorCode" in result ? result.errorCode : "price";
  } catch (error) {
    return error instanceof TooComplex ? "too_complex" : `an exception: ${error}`;
  }
}

const [, , longest = "", explicit = "", limits = ""] = process.argv;
for (const [kind, limit] of Object.entries<HostileLimits["pages"]>(JSON.parse(limits))) {
  for (const input of inputsOf(kind, Number(longest), Number(explicit))) {
    stdout.write(`${JSON.stringify({ kind, ...measured(input, limit) })}\n`);
  }
}
