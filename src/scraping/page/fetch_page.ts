import { TooComplex } from "../../base/too_complex.ts";
import type { ExplicitExtractor } from "../../extraction/page/extraction_page.ts";
import type { WantedProduct } from "../../extraction/page_product.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import { type Aftermath, parseRetryAfter } from "../politeness/domain_state.ts";
import type { FetchDeps, ReadingTurn } from "./scrape_deps.ts";
import { type AnswerVerdict, failed } from "./judge_answer.ts";
import type { PageLearning } from "./page_lesson.ts";

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
  | Extract<AnswerVerdict, { kind: "priced" }> & { readonly validators: Validators | null }
  | { readonly kind: "unchanged"; readonly httpStatus: 304 }
  | Extract<AnswerVerdict, { kind: "failed" }>;

export interface PageRequest {
  /** In whose turn the page is read. */
  readonly reading: ReadingTurn;
  readonly url: string;
  /** The address of the match, from which redirects of runs have led to `url`. */
  readonly askedUrl: string;
  readonly extractor: ExplicitExtractor | null;
  /** Null where no product is known: a preview. */
  readonly product: WantedProduct | null;
  readonly learning: PageLearning;
  readonly validators: Validators | null;
  /** True for a person who wants to know: every price, and why. */
  readonly isThorough: boolean;
  readonly redirectsMax: number;
  /** Whether robots.txt of this origin allows another page of it. */
  allows(url: URL): Promise<boolean>;
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
export async function fetchPage(deps: FetchDeps, request: PageRequest): Promise<FetchedPage> {
  const { origin } = new URL(request.url);
  // Until the page is read: what waits for its reader is held as well.
  using place = deps.bodies.begin(request.reading.lane);
  const result = await deps.safeFetch({
    url: request.url,
    headers: { Accept: ACCEPT, "Accept-Language": "de-DE,de;q=0.9,en;q=0.5" },
    timeoutMs: request.timeoutMs,
    redirectsMax: request.redirectsMax,
    bytesMax: request.bytesMax,
    onTooLarge: "refuse",
    admit: (bytes) => place.admit(bytes),
    follows: async (next) => next.origin === origin && await request.allows(next),
    conditional: request.validators && {
      url: request.validators.url,
      headers: conditionsOf(request.validators),
    },
    signal: request.signal,
  });
  return await judgeResult(deps, result, request);
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
  };
}

async function judgeResult(
  deps: FetchDeps,
  result: FetchResult,
  request: PageRequest,
): Promise<FetchedPage> {
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
        outcome: await readAnswer(deps, result, request),
        aftermath: aftermathOf(result, request.now().getTime()),
      };
  }
}

type Answered = Extract<FetchResult, { kind: "answer" }>;

function aftermathOf({ status, headers }: Answered, nowMs: number): Aftermath {
  if (status !== 429 && status < 500) return FINE;
  return { kind: "trouble", retryAfterMs: parseRetryAfter(headers.get("Retry-After"), nowMs) };
}

async function readAnswer(
  { reader, pages }: FetchDeps,
  answer: Answered,
  request: PageRequest,
): Promise<PageOutcome> {
  const { url, status, headers, body } = answer;
  if (status === 304 && request.validators) return { kind: "unchanged", httpStatus: 304 };
  const { askedUrl, extractor, product, learning, isThorough, reading, signal } = request;
  const contentType = headers.get("Content-Type");
  const isChallenge = headers.get("cf-mitigated") === "challenge";
  try {
    const verdict = await reader.page(
      {
        url,
        askedUrl,
        status,
        contentType,
        isChallenge,
        body,
        extractor,
        product,
        learning,
        isThorough,
      },
      { ...reading, signal, transfer: [body.buffer] },
    );
    pages.note(verdict.facts.pageStatus);
    return verdict.kind === "priced" ? { ...verdict, validators: validatorsOf(answer) } : verdict;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return failed(status, "too_complex", `The page is too much work to read: ${error.message}`);
  }
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
