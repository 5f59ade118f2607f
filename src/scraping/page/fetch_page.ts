import { extractPrice } from "../../extraction/extract_price.ts";
import type { ExplicitExtractor } from "../../extraction/extraction_page.ts";
import { decodePage } from "../../extraction/page/decode_page.ts";
import type { WantedProduct } from "../../extraction/page_product.ts";
import type { Alternative, ExtractedPrice } from "../../extraction/settle_price.ts";
import type { FetchResult, SafeFetch } from "../../platform/safe_fetch.ts";
import { type Aftermath, parseRetryAfter } from "../politeness/domain_state.ts";
import { isBotWall } from "./bot_wall.ts";

/** What a shop gave to be asked with next time, so that it need not send the same page again. */
export interface Validators {
  /** The URL that they belong to, after redirects. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What came of one request for a page. */
export type PageOutcome =
  /** It lies elsewhere, where its own rules have to be looked at first. */
  | { readonly kind: "moved"; readonly url: string; readonly hops: number }
  | {
    readonly kind: "priced";
    readonly httpStatus: number;
    readonly found: ExtractedPrice;
    readonly validators: Validators | null;
  }
  | { readonly kind: "unchanged"; readonly httpStatus: 304 }
  | {
    readonly kind: "failed";
    readonly httpStatus: number | null;
    readonly errorCode: string;
    readonly message: string;
    readonly alternatives: readonly Alternative[];
  };

export interface PageRequest {
  readonly url: string;
  readonly extractor: ExplicitExtractor | null;
  /** Null where no product is known: a preview. */
  readonly product: WantedProduct | null;
  readonly validators: Validators | null;
  readonly redirectsMax: number;
  /** Whether robots.txt of this origin allows another page of it. */
  allows(url: URL): boolean;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  now(): Date;
}

export interface FetchedPage {
  readonly outcome: PageOutcome;
  readonly aftermath: Aftermath;
}

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.5";
const FINE: Aftermath = { kind: "fine" };

/** Fetches a page once and reads its price; a redirect to another origin is handed back. */
export async function fetchPage(safeFetch: SafeFetch, request: PageRequest): Promise<FetchedPage> {
  const { origin } = new URL(request.url);
  const result = await safeFetch({
    url: request.url,
    headers: { Accept: ACCEPT, "Accept-Language": "de-DE,de;q=0.9,en;q=0.5" },
    timeoutMs: request.timeoutMs,
    redirectsMax: request.redirectsMax,
    bytesMax: request.bytesMax,
    onTooLarge: "refuse",
    follows: (next) => next.origin === origin && request.allows(next),
    conditional: request.validators && {
      url: request.validators.url,
      headers: conditionsOf(request.validators),
    },
    signal: request.signal,
  });
  return judgeResult(result, request);
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
  };
}

function judgeResult(result: FetchResult, request: PageRequest): FetchedPage {
  switch (result.kind) {
    case "moved":
      return { outcome: result, aftermath: FINE };
    case "failed": {
      const { errorCode, message } = result;
      const isTrouble = errorCode === "timeout" || errorCode === "unreachable";
      return {
        outcome: failed(null, errorCode, message),
        aftermath: isTrouble ? { kind: "trouble", retryAfterMs: null } : FINE,
      };
    }
    case "answer":
      return {
        outcome: judgeAnswer(result, request),
        aftermath: aftermathOf(result, request.now().getTime()),
      };
  }
}

type Answered = Extract<FetchResult, { kind: "answer" }>;

function aftermathOf({ status, headers }: Answered, nowMs: number): Aftermath {
  if (status !== 429 && status < 500) return FINE;
  return { kind: "trouble", retryAfterMs: parseRetryAfter(headers.get("Retry-After"), nowMs) };
}

function judgeAnswer(answer: Answered, request: PageRequest): PageOutcome {
  const { status, headers } = answer;
  if (status === 304 && request.validators) return { kind: "unchanged", httpStatus: 304 };
  const contentType = headers.get("Content-Type");
  const { text } = decodePage(answer.body, contentType);
  if (status < 200 || status >= 300) return judgeRefusal(status, text, headers);
  const page = { url: answer.url, contentType, text };
  const { extractor, product } = request;
  const { result } = extractPrice(page, { extractor, product });
  if ("price" in result) {
    const validators = validatorsOf(answer);
    return { kind: "priced", httpStatus: status, found: result, validators };
  }
  const { errorCode, message, alternatives } = result;
  if (errorCode === "no_price" && isBotWall(text, headers)) return blocked(status);
  return failed(status, errorCode, message, alternatives);
}

function judgeRefusal(status: number, text: string, headers: Headers): PageOutcome {
  if (status === 403 || status === 429 || isBotWall(text, headers)) return blocked(status);
  return failed(status, "http_error", `The shop answers ${status}`);
}

function blocked(status: number): PageOutcome {
  const why = status === 429 ? "asks for fewer requests" : "lets no programs in";
  return failed(status, "blocked", `The shop ${why} (${status})`);
}

function validatorsOf({ url, headers }: Answered): Validators | null {
  const etag = headers.get("ETag");
  const lastModified = headers.get("Last-Modified");
  const isUsable = (text: string | null) =>
    text === null || text.length <= VALIDATOR_CHARACTERS_MAX;
  if (etag === null && lastModified === null) return null;
  return isUsable(etag) && isUsable(lastModified) ? { url, etag, lastModified } : null;
}

const VALIDATOR_CHARACTERS_MAX = 500;

function failed(
  httpStatus: number | null,
  errorCode: string,
  message: string,
  alternatives: readonly Alternative[] = [],
): PageOutcome {
  return { kind: "failed", httpStatus, errorCode, message, alternatives };
}
