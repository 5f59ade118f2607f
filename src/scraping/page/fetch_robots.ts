import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { type Aftermath, aftermathOf } from "./domain_state.ts";
import type { KnownRobots } from "./robots_store.ts";

/** What is parsed of a file (RFC 9309 §2.5); the rest is not read. */
const BYTES_MAX = 500 * 1024;
const REDIRECTS_MAX = 5;
const KEPT_MS = 24 * 3_600_000;
/** A server in trouble is asked again soon; the domain's own rest comes on top. */
const CLOSED_KEPT_MS = 10 * 60_000;
/** A host that is not there at all may be there in a minute. */
const MISSING_KEPT_MS = 60_000;

export interface FetchedRobots {
  readonly robots: KnownRobots;
  readonly aftermath: Aftermath;
}

/**
 * Asks an origin for its robots.txt: 4xx, and a chain of redirects without an end, open everything;
 * 5xx and an origin that cannot be reached close it (docs/decisions/scraping.md, RFC 9309 §2.3.1).
 */
export async function fetchRobots(
  { safeFetch, timeoutMs }: { readonly safeFetch: SafeFetch; readonly timeoutMs: number },
  { origin, signal, now }: {
    readonly origin: string;
    readonly signal: AbortSignal;
    now(): Date;
  },
): Promise<FetchedRobots> {
  const result = await safeFetch({
    url: `${origin}/robots.txt`,
    timeoutMs,
    redirectsMax: REDIRECTS_MAX,
    bytesMax: BYTES_MAX,
    onTooLarge: "cut",
    signal,
  });
  const nowMs = now().getTime();
  return { robots: judgeRobots(result, nowMs), aftermath: aftermathOf(result, nowMs) };
}

function judgeRobots(result: FetchResult, nowMs: number): KnownRobots {
  if (result.kind === "failed") return judgeFailure(result, nowMs);
  if (result.kind === "moved") return opened(nowMs);
  const { status, body } = result;
  if (status >= 200 && status < 300) {
    // Broken bytes are no reason to know nothing of the rest.
    return { ...opened(nowMs), kind: "text", text: new TextDecoder().decode(body) };
  }
  if (status < 500) return opened(nowMs);
  const message = `robots.txt answers ${status}, so nothing may be fetched`;
  return closed("robots_disallowed", message, nowMs + CLOSED_KEPT_MS);
}

function judgeFailure(
  { errorCode, message }: Extract<FetchResult, { kind: "failed" }>,
  nowMs: number,
): KnownRobots {
  switch (errorCode) {
    case "redirect_refused":
      return opened(nowMs);
    case "dns_error":
    case "private_address":
    case "unreachable":
      // The page is as far away as its robots.txt: the plain reason says more than "disallowed".
      return closed(errorCode, message, nowMs + MISSING_KEPT_MS);
    case "timeout":
    case "too_large":
    case "unsupported_content": {
      const reason = `robots.txt cannot be read, so nothing may be fetched: ${message}`;
      return closed("robots_disallowed", reason, nowMs + CLOSED_KEPT_MS);
    }
  }
}

function opened(nowMs: number): KnownRobots {
  const expiresAtMs = nowMs + KEPT_MS;
  return { kind: "open", text: "", expiresAtMs, errorCode: null, message: null };
}

function closed(errorCode: string, message: string, expiresAtMs: number): KnownRobots {
  return { kind: "closed", text: "", expiresAtMs, errorCode, message };
}
