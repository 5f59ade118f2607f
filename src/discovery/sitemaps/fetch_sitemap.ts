/** A sitemap is fetched, and read where that hurts nobody. */
import { TooComplex } from "../../base/too_complex.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import { type Aftermath, parseRetryAfter } from "../../scraping/politeness/domain_state.ts";
import type { FetchDeps, ReadingTurn } from "../../scraping/page/scrape_deps.ts";
import type {
  DirectivesQuestion,
  RobotsDirectives,
} from "../../scraping/robots/robots_directives.ts";
import { REDIRECTS_MAX } from "../../scraping/page/scrape_deps.ts";
import { SITEMAP_BYTES_MAX, type SitemapQuestion, type SitemapReport } from "./read_sitemap.ts";

/** Reads what shops say of their pages; throws `TooComplex` when that is too much work. */
export interface SitemapReader {
  sitemap(question: SitemapQuestion, turn: SandboxTurn): Promise<SitemapReport>;
  directives(question: DirectivesQuestion, turn: SandboxTurn): Promise<RobotsDirectives>;
}

export interface SitemapRequest {
  readonly url: string;
  readonly domain: string;
  readonly country: string | null;
  readonly reading: ReadingTurn;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether robots.txt of this origin allows another address of it. */
  allows(url: URL): Promise<boolean>;
  now(): Date;
}

/** What came of it, and what the shop's queue is told. */
export interface FetchedSitemap {
  readonly outcome:
    | { readonly kind: "read"; readonly report: SitemapReport }
    | { readonly kind: "failed"; readonly errorCode: string };
  readonly aftermath: Aftermath;
  readonly durationMs: number;
}

const FINE: Aftermath = { kind: "fine" };

/** Fetches one file within one turn; redirects stay at its origin. Only an abort is thrown. */
export async function fetchSitemap(
  deps: FetchDeps,
  reader: SitemapReader,
  request: SitemapRequest,
): Promise<FetchedSitemap> {
  const startedAt = performance.now();
  const { origin } = new URL(request.url);
  using place = deps.bodies.begin(request.reading.lane);
  const result = await deps.safeFetch({
    url: request.url,
    headers: { Accept: "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5" },
    timeoutMs: request.timeoutMs,
    redirectsMax: REDIRECTS_MAX,
    bytesMax: SITEMAP_BYTES_MAX,
    onTooLarge: "refuse",
    admit: (bytes) => place.admit(bytes),
    follows: async (next) => next.origin === origin && await request.allows(next),
    signal: request.signal,
  });
  const durationMs = Math.round(performance.now() - startedAt);
  const aftermath = aftermathOf(result, request.now().getTime());
  return { outcome: await outcomeOf(reader, result, request), aftermath, durationMs };
}

function aftermathOf(result: FetchResult, nowMs: number): Aftermath {
  if (result.kind === "moved") return FINE;
  if (result.kind === "failed") {
    const isTrouble = result.errorCode === "timeout" || result.errorCode === "unreachable";
    return isTrouble ? { kind: "trouble", retryAfterMs: null } : FINE;
  }
  const { status, headers } = result;
  if (status !== 429 && status < 500) return FINE;
  return { kind: "trouble", retryAfterMs: parseRetryAfter(headers.get("Retry-After"), nowMs) };
}

async function outcomeOf(
  reader: SitemapReader,
  result: FetchResult,
  { domain, country, reading, signal }: SitemapRequest,
): Promise<FetchedSitemap["outcome"]> {
  if (result.kind === "moved") return { kind: "failed", errorCode: "redirect_refused" };
  if (result.kind === "failed") return { kind: "failed", errorCode: result.errorCode };
  const { status, url, body } = result;
  if (status < 200 || status >= 300) {
    const isBlocked = status === 403 || status === 429;
    return { kind: "failed", errorCode: isBlocked ? "blocked" : "http_error" };
  }
  try {
    const question = { body, fileUrl: url, domain, country };
    const report = await reader.sitemap(question, {
      ...reading,
      signal,
      transfer: [body.buffer],
    });
    if (report.kind === "unreadable") return { kind: "failed", errorCode: "unreadable_sitemap" };
    return { kind: "read", report };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { kind: "failed", errorCode: "too_complex" };
  }
}
