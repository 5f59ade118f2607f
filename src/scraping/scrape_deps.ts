import type { UrlLimits } from "../platform/address_guard.ts";
import type { SafeFetch } from "../platform/safe_fetch.ts";

/** What the composition root gives to scraping. */
export interface ScrapeDeps {
  readonly safeFetch: SafeFetch;
  /** What `safeFetch` goes by, to tell beforehand what it will refuse. */
  readonly limits: UrlLimits;
  /** The whole header; its first product is who robots.txt files know us as. */
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Between the starts of two requests to one domain. */
  readonly delayMs: number;
}

/** Beyond its own time-out a request has this long to be noted before its turn is given away. */
const NOTE_MS = 5_000;

/** How requests to one domain follow each other. */
export function paceOf({ delayMs, timeoutMs }: ScrapeDeps) {
  return { delayMs, holdMs: timeoutMs + NOTE_MS };
}

/** Together over all hops of one page (decisions §6). */
export const REDIRECTS_MAX = 5;
