import { PAGE_STATUSES, type PageStatus } from "../../engine/extraction/page_status.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import type { BodyRoom } from "../../platform/fetch/body_room.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import type { AnswerVerdict, ShopAnswer } from "./judge_answer.ts";
import type { RobotsReader } from "./robots_store.ts";

/** Whose text it is, and how long anybody wants to know what it says. */
export type ReadingTurn = SandboxTurn;

/** Reads what shops send, where it hurts nobody; throws `TooComplex` when that is too much work. */
export interface ShopReader extends RobotsReader {
  page(answer: ShopAnswer, turn: ReadingTurn): Promise<AnswerVerdict>;
}

/** What it takes to fetch something and to know what it says. */
export interface FetchDeps {
  readonly safeFetch: SafeFetch;
  readonly reader: ShopReader;
  /** Of all pages that are fetched at once. */
  readonly bodies: BodyRoom;
  /** What the pages were. */
  readonly pages: PageCounts;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** What the composition root gives to scraping. */
export interface ScrapeDeps extends FetchDeps {
  /** What `safeFetch` goes by, to tell beforehand what it will refuse. */
  readonly limits: UrlLimits;
  /** The whole header; its first product is who robots.txt files know us as. */
  readonly userAgent: string;
  /** Between the starts of two requests to one domain. */
  readonly delayMs: number;
}

/** Beyond its own time-out a request has this long to be noted before its turn is given away. */
const NOTE_MS = 5_000;

/** How requests to one domain follow each other. */
export function paceOf({ delayMs, timeoutMs }: ScrapeDeps) {
  return { delayMs, holdMs: timeoutMs + NOTE_MS };
}

/** Together over all hops of one page (docs/decisions/scraping.md). */
export const REDIRECTS_MAX = 5;

/** What pages were that this process has read, since it started. */
export interface PageCounts {
  note(status: PageStatus): void;
  /** Every status, those that never came with 0. */
  counts(): Readonly<Record<string, number>>;
}

export function createPageCounts(): PageCounts {
  const counts: Record<string, number> = Object.fromEntries(
    PAGE_STATUSES.map((status) => [status, 0]),
  );
  return {
    note(status) {
      counts[status] = (counts[status] ?? 0) + 1;
    },
    counts: () => ({ ...counts }),
  };
}
