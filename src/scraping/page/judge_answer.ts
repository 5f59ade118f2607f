/** What the answer of a shop says; plain functions, for text that its sender may have made to be costly. */
import { extractPrice } from "../../extraction/extract_price.ts";
import type { ExplicitExtractor } from "../../extraction/page/extraction_page.ts";
import { decodePage } from "../../extraction/page/decode_page.ts";
import type { WantedProduct } from "../../extraction/page_product.ts";
import type { Alternative, ExtractedPrice } from "../../extraction/reconcile_readings.ts";
import { isBotWall } from "./bot_wall.ts";

/** An answer as it came, and what is looked for in it. */
export interface ShopAnswer {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  /** A header says that this is no page but a question whether somebody is a person. */
  readonly isChallenge: boolean;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly extractor: ExplicitExtractor | null;
  /** Null where no product is known: a preview. */
  readonly product: WantedProduct | null;
}

/** A price, or why there is none. */
export type AnswerVerdict =
  | { readonly kind: "priced"; readonly httpStatus: number; readonly found: ExtractedPrice }
  | {
    readonly kind: "failed";
    readonly httpStatus: number | null;
    readonly errorCode: string;
    readonly message: string;
    readonly alternatives: readonly Alternative[];
  };

/** Decodes, parses and reads an answer. Throws `TooComplex` when the page is over its budget. */
export function judgeAnswer(answer: ShopAnswer): AnswerVerdict {
  const { url, status, contentType, isChallenge, extractor, product } = answer;
  const { text } = decodePage(answer.body, contentType);
  if (status < 200 || status >= 300) {
    const isBlocked = status === 403 || status === 429 || isChallenge || isBotWall(text);
    return isBlocked ? blocked(status) : failed(status, "http_error", `The shop answers ${status}`);
  }
  const { result } = extractPrice({ url, contentType, text }, { extractor, product });
  if ("price" in result) return { kind: "priced", httpStatus: status, found: result };
  const { errorCode, message, alternatives } = result;
  if (errorCode === "no_price" && (isChallenge || isBotWall(text))) return blocked(status);
  return failed(status, errorCode, message, alternatives);
}

function blocked(status: number): AnswerVerdict {
  const why = status === 429 ? "asks for fewer requests" : "lets no programs in";
  return failed(status, "blocked", `The shop ${why} (${status})`);
}

/** A page that gave no price. */
export function failed(
  httpStatus: number | null,
  errorCode: string,
  message: string,
  alternatives: readonly Alternative[] = [],
): Extract<AnswerVerdict, { kind: "failed" }> {
  return { kind: "failed", httpStatus, errorCode, message, alternatives };
}
