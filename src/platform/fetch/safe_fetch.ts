/**
 * The only way from the service to a foreign address: shops, their robots.txt, webhooks
 * (docs/decisions/scraping.md, SSRF). Every hop is checked by its text, resolved once, checked by
 * all its addresses, and connected to one of those. Failures are data; only an abort is thrown.
 */

import { type AddressAllowList, judgeUrl, type UrlError } from "./address_guard.ts";
import {
  checkedAddresses,
  Deadline,
  type FetchErrorCode,
  FetchTrouble,
  type Resolve,
} from "./safe_fetch_deadline.ts";
import {
  ACCEPTED_ENCODINGS,
  type Answer,
  type BodyLimits,
  type Dial,
  exchange,
  type Message,
  readBody,
} from "./safe_fetch_exchange.ts";

export interface SafeFetchSetup {
  readonly allowed: AddressAllowList;
  /** Ports that an address may be reached on which is not let through expressly. */
  readonly ports: ReadonlySet<number>;
  readonly userAgent: string;
  readonly resolve: Resolve;
  readonly dial: Dial;
}

export interface FetchRequest extends BodyLimits {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** For everything together, from the look-up of the name to the last byte. */
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  /** Asked before each redirect, which has been judged; false hands it back to the caller. */
  readonly follows?: (next: URL) => boolean | Promise<boolean>;
  /** Headers for this URL alone, wherever in a chain of redirects it is met. */
  readonly conditional?: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  } | null;
  readonly signal: AbortSignal;
}

export type FetchResult =
  | {
    readonly kind: "answer";
    /** Where the answer came from, after redirects. */
    readonly url: string;
    readonly status: number;
    readonly headers: Headers;
    readonly body: Uint8Array<ArrayBuffer>;
  }
  /** A redirect that `follows` did not take. */
  | { readonly kind: "moved"; readonly url: string; readonly hops: number }
  | { readonly kind: "failed"; readonly errorCode: FetchErrorCode; readonly message: string };

export type SafeFetch = (request: FetchRequest) => Promise<FetchResult>;

/** A body that only explains an error is cut to this, and waited for no longer than that. */
const ERROR_BYTES_MAX = 64 * 1024;
const ERROR_BODY_MS = 2_000;

export function createSafeFetch(setup: SafeFetchSetup): SafeFetch {
  return async (request) => {
    using deadline = new Deadline(request.timeoutMs, request.signal);
    try {
      return await fetchHops(setup, request, deadline);
    } catch (error) {
      // Whatever broke over an abort, the abort is what happened.
      request.signal.throwIfAborted();
      if (!(error instanceof FetchTrouble)) throw error;
      return { kind: "failed", errorCode: error.errorCode, message: error.message };
    }
  };
}

async function fetchHops(
  setup: SafeFetchSetup,
  request: FetchRequest,
  deadline: Deadline,
): Promise<FetchResult> {
  // It was judged when it was saved, but for its port; what has closed since, cannot be reached.
  let url = judged(setup, request.url, "unreachable");
  for (let hops = 0;; hops++) {
    const addresses = await checkedAddresses(url, { ...setup, deadline });
    const message = messageTo(url, setup, request);
    using answer = await exchange(url, addresses, message, { dial: setup.dial, deadline });
    const location = locationOf(answer, url);
    if (location === null) return await answerOf(answer, url, request, deadline);
    if (hops >= request.redirectsMax) {
      throw new FetchTrouble("redirect_refused", `More than ${request.redirectsMax} redirects`);
    }
    const next = judged(setup, location, "redirect_refused");
    if (request.follows && !await request.follows(next)) {
      return { kind: "moved", url: next.href, hops: hops + 1 };
    }
    url = next;
  }
}

/** The text of a URL says whether it may be followed at all; `code` is that of most reasons why not. */
function judged({ allowed, ports }: SafeFetchSetup, text: string, code: FetchErrorCode): URL {
  const verdict = judgeUrl(text, { allowed, ports });
  if ("url" in verdict) return verdict.url;
  const { misfit } = verdict;
  const isPrivate = misfit === "private_address";
  throw new FetchTrouble(isPrivate ? "private_address" : code, MISFIT_WORDS[misfit]);
}

const MISFIT_WORDS: Record<UrlError, string> = {
  malformed: "Leads to something that is no web address",
  scheme: "Leads to something that is neither http nor https",
  credentials: "Leads to a URL with a user name or a password",
  port: "Leads to a port that is not open to this service",
  private_address: "Leads to an address that is not public",
};

function messageTo(
  url: URL,
  { userAgent }: SafeFetchSetup,
  { method = "GET", headers, body, conditional }: FetchRequest,
): Message {
  const onlyHere = conditional?.url === url.href ? conditional.headers : {};
  return {
    method,
    headers: {
      "User-Agent": userAgent,
      Accept: "*/*",
      "Accept-Encoding": ACCEPTED_ENCODINGS,
      ...headers,
      ...onlyHere,
    },
    body: body ?? null,
  };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Null for an answer that is no redirect, or leads nowhere. */
function locationOf({ status, headers }: Answer, url: URL): string | null {
  const location = headers.get("Location");
  if (!REDIRECTS.has(status) || location === null) return null;
  const text = asUtf8(location);
  return URL.parse(text, url)?.href ?? text;
}

/** Headers have one character per byte, but shops write umlauts into this one. */
function asUtf8(header: string): string {
  const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the characters are what they are.
    return header;
  }
}

async function answerOf(
  answer: Answer,
  { href }: URL,
  request: FetchRequest,
  deadline: Deadline,
): Promise<FetchResult> {
  const { status, headers } = answer;
  if (status === 206 && request.method !== "POST") {
    throw new FetchTrouble("unsupported_content", "The server sent a part of the file (206)");
  }
  const isGood = status >= 200 && status < 300;
  const body = isGood
    ? await readWhole(answer, request, deadline)
    : await readErrorBody(answer, request, deadline);
  return { kind: "answer", url: href, status, headers, body };
}

async function readWhole(
  answer: Answer,
  request: FetchRequest,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBody(answer, request, deadline);
  } catch (cause) {
    if (cause instanceof FetchTrouble) throw cause;
    throw new FetchTrouble("unreachable", "The page broke off", { cause });
  }
}

/** The status names the failure, whatever the body says. */
async function readErrorBody(
  answer: Answer,
  { signal }: FetchRequest,
  whole: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  using deadline = new Deadline(Math.min(ERROR_BODY_MS, whole.leftMs), signal);
  const limits = { bytesMax: ERROR_BYTES_MAX, onTooLarge: "cut" } as const;
  try {
    return await readBody(answer, limits, deadline);
  } catch (error) {
    if (signal.aborted) throw error;
    return new Uint8Array();
  }
}
