/**
 * Measures the cost of hostile inputs and prints a line of JSON for each. It runs in a process of
 * its own, so that an input that exhausts memory or never ends does not end the tests. Arguments:
 * the bytes of the longest page, and the limits as JSON.
 */

import process, { stdout } from "node:process";
import { TooComplex } from "../../../src/base/failure.ts";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import {
  decodePage,
  type ExplicitExtractor,
} from "../../../src/engine/extraction/page/extraction_page.ts";
import { withinTime } from "../../../src/platform/sandbox/serve_sandbox.ts";
import { processMs } from "../../processor_time.ts";
import {
  documentsForPaths,
  HOSTILE_JSON_PATHS,
  HOSTILE_PAGES,
  HOSTILE_SELECTORS,
  pagesForSelectors,
} from "./hostile_pages.ts";

/** Attempts for an input that took too long, because other programs may have slowed it down. */
const TRIES = 3;
const URL_OF_PAGE = "https://shop.example/p/kaffeemaschine";
const PRODUCT = {
  sku: "A1",
  ean: "4006381333931",
  mpn: "KM 300",
  title: "Kaffee 256 GB rot, 3 x 5 cm",
};

/**
 * For each kind of input, the time limit of a reading, and the time after which the reading must
 * have ended.
 */
export type HostileLimits = Readonly<
  Record<"pages" | "selectors" | "paths", { readonly limitMs: number; readonly allowedMs: number }>
>;

/** The cost of one reading. `name` is the name of the page, or the selector or JSON path. */
export interface Measured {
  readonly kind: string;
  readonly name: string;
  readonly length: number;
  readonly ms: number;
  /** `price`, an error code, `too_complex`, or an unexpected exception. */
  readonly outcome: string;
}

interface Input {
  readonly name: string;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly extractor: ExplicitExtractor;
}

function* inputsOf(kind: string, longest: number): Iterable<Input> {
  if (kind === "pages") {
    for (const { name, contentType, make } of HOSTILE_PAGES) {
      yield { name, contentType, body: make(longest), extractor: {} };
    }
  } else if (kind === "selectors") {
    for (const name of HOSTILE_SELECTORS) {
      for (const body of pagesForSelectors(longest / 2)) {
        yield { name, contentType: "text/html", body, extractor: { priceSelector: name } };
      }
    }
  } else {
    for (const name of HOSTILE_JSON_PATHS) {
      for (const body of documentsForPaths(longest / 2)) {
        yield { name, contentType: "application/json", body, extractor: { jsonPath: name } };
      }
    }
  }
}

/** The fastest of up to `TRIES` attempts. The first attempt within the limit is the last one. */
function measured(
  { name, contentType, extractor, body }: Input,
  { limitMs, allowedMs }: { limitMs: number; allowedMs: number },
): Omit<Measured, "kind"> {
  let ms = Infinity;
  let outcome = "";
  for (let n = 0; n < TRIES && ms > allowedMs; n++) {
    const before = processMs();
    outcome = outcomeOf(contentType, body, extractor, limitMs);
    ms = Math.min(ms, processMs() - before);
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
    const { result } = withinTime(
      limitMs,
      () => extractPrice(answer, { extractor, product: PRODUCT }),
    );
    return "errorCode" in result ? result.errorCode : "price";
  } catch (error) {
    return error instanceof TooComplex ? "too_complex" : `an exception: ${error}`;
  }
}

const [, , longest = "", limits = ""] = process.argv;
for (const [kind, limit] of Object.entries<HostileLimits["pages"]>(JSON.parse(limits))) {
  for (const input of inputsOf(kind, Number(longest))) {
    stdout.write(`${JSON.stringify({ kind, ...measured(input, limit) })}\n`);
  }
}
