/** Makes one request to a shop and reads the answer in the sandbox. */
import { TooComplex } from "../../base/failure.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import { type Aftermath, aftermathOf } from "./domain_queue.ts";
import { type AnswerVerdict, failed, type ShopAnswer } from "./answer_verdict.ts";
import { type FetchDeps, type ReadingPermit, REDIRECTS_MAX } from "./scrape_deps.ts";

/** The validators of a conditional request. */
export interface Validators {
  /** The validators are sent only to this URL. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type PageOutcome =
  | { readonly kind: "moved"; readonly url: string; readonly hops: number }
  | Extract<AnswerVerdict, { kind: "priced" }> & { readonly validators: Validators | null }
  | { readonly kind: "unchanged"; readonly httpStatus: 304 }
  | Extract<AnswerVerdict, { kind: "failed" }>;

export interface Asked<Answer> {
  readonly answer: Answer;
  readonly aftermath: Aftermath;
}

export interface ShopRequest {
  readonly reading: ReadingPermit;
  readonly url: string;
  /** True if the robots.txt of the origin allows the URL. */
  allows(url: URL): Promise<boolean>;
  readonly signal: AbortSignal;
  now(): Date;
}

interface PageRequest extends ShopRequest, Pick<ShopAnswer, "extractor" | "product" | "learning"> {
  /** The URL before redirects. */
  readonly askedUrl: string;
  readonly hops?: number;
  readonly validators?: Validators | null;
  readonly isThorough?: boolean;
}

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.5";

interface Wanted {
  readonly headers: Record<string, string>;
  readonly bytesMax: number;
  readonly redirectsMax: number;
  readonly validators?: Validators | null;
}

/** Follows redirects within the origin only. */
export async function askShop<Answer>(
  deps: FetchDeps,
  { url, reading, signal, allows, now }: ShopRequest,
  { validators = null, ...wanted }: Wanted,
  read: (result: FetchResult) => Promise<Answer>,
): Promise<Asked<Answer>> {
  const { origin } = new URL(url);
  // An answer that waits to be parsed still needs memory.
  using place = deps.bodies.begin(reading.partition);
  const result = await deps.safeFetch({
    url,
    ...wanted,
    timeoutMs: deps.timeoutMs,
    onTooLarge: "refuse",
    admit: (bytes) => place.admit(bytes),
    follows: async (next) => next.origin === origin && await allows(next),
    conditional: validators && { url: validators.url, headers: conditionsOf(validators) },
    signal,
  });
  return { answer: await read(result), aftermath: aftermathOf(result, now().getTime()) };
}

export async function fetchPage(
  deps: FetchDeps,
  request: PageRequest,
): Promise<Asked<PageOutcome>> {
  const wanted = {
    headers: { Accept: ACCEPT, "Accept-Language": "de-DE,de;q=0.9,en;q=0.5" },
    bytesMax: deps.bytesMax,
    redirectsMax: REDIRECTS_MAX - (request.hops ?? 0),
    validators: request.validators ?? null,
  };
  return await askShop(deps, request, wanted, async (result): Promise<PageOutcome> => {
    if (result.kind === "moved") return result;
    if (result.kind === "failed") return failed(null, result.errorCode, result.message);
    return await readAnswer(deps, result, request);
  });
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
  };
}

type Answered = Extract<FetchResult, { kind: "answer" }>;

async function readAnswer(
  { reader, pages }: FetchDeps,
  answer: Answered,
  request: PageRequest,
): Promise<PageOutcome> {
  const { url, status, headers, body } = answer;
  if (status === 304 && request.validators) return { kind: "unchanged", httpStatus: 304 };
  const { askedUrl, extractor, product, learning, isThorough = false, reading, signal } = request;
  const contentType = headers.get("Content-Type");
  const isChallenge = headers.get("cf-mitigated") === "challenge";
  try {
    const asked = { askedUrl, extractor, product, learning, isThorough };
    const verdict = await reader.page(
      { ...asked, url, status, contentType, isChallenge, body },
      { ...reading, signal, transfer: [body.buffer] },
    );
    pages.note(verdict.facts.pageStatus);
    return verdict.kind === "priced" ? { ...verdict, validators: validatorsOf(answer) } : verdict;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return failed(status, "too_complex", `The page is too complex to read: ${error.message}`);
  }
}

function validatorsOf({ url, headers }: Answered): Validators | null {
  const etag = headers.get("ETag");
  const lastModified = headers.get("Last-Modified");
  const isUsable = (text: string | null) => text === null || text.length <= 500;
  if (etag === null && lastModified === null) return null;
  return isUsable(etag) && isUsable(lastModified) ? { url, etag, lastModified } : null;
}
