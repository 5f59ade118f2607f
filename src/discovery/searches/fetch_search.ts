/** A shop's search is asked, and its answer read where that hurts nobody. */
import { TooComplex } from "../../base/too_complex.ts";
import { domainOf } from "../../competitors/domain.ts";
import { normaliseUrl } from "../../competitors/matches/match_url.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import { type Aftermath, parseRetryAfter } from "../../scraping/politeness/domain_state.ts";
import {
  type FetchDeps,
  type ReadingTurn,
  REDIRECTS_MAX,
} from "../../scraping/page/scrape_deps.ts";
import type { LinksQuestion, PageLink } from "./read_links.ts";

/** Reads where a page leads; throws `TooComplex` when that is too much work. */
export interface LinkReader {
  links(question: LinksQuestion, turn: SandboxTurn): Promise<PageLink[]>;
}

export interface SearchRequest {
  readonly url: string;
  readonly domain: string;
  readonly reading: ReadingTurn;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  /** Whether robots.txt of this origin allows another address of it. */
  allows(url: URL): Promise<boolean>;
  now(): Date;
}

/** What came of it, and what the shop's queue is told. */
export interface FetchedSearch {
  readonly outcome:
    /** `landed`: the shop leads to its only hit at once. */
    | { readonly kind: "read"; readonly landed: string | null; readonly links: readonly PageLink[] }
    | { readonly kind: "failed"; readonly errorCode: string };
  readonly aftermath: Aftermath;
  readonly durationMs: number;
}

/** Asks within one turn; redirects stay at the origin. Only an abort is thrown. */
export async function fetchSearch(
  deps: FetchDeps,
  reader: LinkReader,
  request: SearchRequest,
): Promise<FetchedSearch> {
  const startedAt = performance.now();
  const asked = new URL(request.url);
  using place = deps.bodies.begin(request.reading.lane);
  const result = await deps.safeFetch({
    url: request.url,
    headers: { Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5" },
    timeoutMs: request.timeoutMs,
    redirectsMax: REDIRECTS_MAX,
    bytesMax: request.bytesMax,
    onTooLarge: "refuse",
    admit: (bytes) => place.admit(bytes),
    follows: async (next) => next.origin === asked.origin && await request.allows(next),
    signal: request.signal,
  });
  const durationMs = Math.round(performance.now() - startedAt);
  const told = (outcome: FetchedSearch["outcome"], aftermath: Aftermath = { kind: "fine" }) => ({
    outcome,
    aftermath,
    durationMs,
  });
  if (result.kind === "moved") return told({ kind: "failed", errorCode: "redirect_refused" });
  if (result.kind === "failed") {
    const { errorCode } = result;
    const isTrouble = errorCode === "timeout" || errorCode === "unreachable";
    return told(
      { kind: "failed", errorCode },
      isTrouble ? { kind: "trouble", retryAfterMs: null } : { kind: "fine" },
    );
  }
  const { status, headers, url, body } = result;
  if (status < 200 || status >= 300) {
    const isBlocked = status === 403 || status === 429;
    const isTrouble = status === 429 || status >= 500;
    const retryAfterMs = parseRetryAfter(headers.get("Retry-After"), request.now().getTime());
    // A search that finds nothing may say so by this.
    const outcome = status === 404
      ? { kind: "read", landed: null, links: [] } as const
      : { kind: "failed", errorCode: isBlocked ? "blocked" : "http_error" } as const;
    return told(outcome, isTrouble ? { kind: "trouble", retryAfterMs } : { kind: "fine" });
  }
  const at = new URL(url);
  const hasLanded = at.pathname !== asked.pathname && domainOf(at) === request.domain;
  if (hasLanded) return told({ kind: "read", landed: normaliseUrl(at), links: [] });
  try {
    const contentType = headers.get("Content-Type");
    const question = { body, contentType, url, domain: request.domain };
    const { reading, signal } = request;
    const links = await reader.links(question, { ...reading, signal, transfer: [body.buffer] });
    return told({ kind: "read", landed: null, links });
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return told({ kind: "failed", errorCode: "too_complex" });
  }
}
