import { PAGE_STATUSES, type PageStatus } from "../../engine/extraction/page_status.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import type { BodyRoom } from "../../platform/fetch/body_room.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import type { AnswerVerdict, ShopAnswer } from "./judge_answer.ts";
import type { RobotsReader } from "./robots_file.ts";
import type { Permits } from "./turns.ts";

export type ReadingPermit = SandboxTurn;

/** Reads shops' texts in the sandbox; throws `TooComplex` when they are too much work. */
export interface ShopReader extends RobotsReader {
  page(answer: ShopAnswer, permit: ReadingPermit): Promise<AnswerVerdict>;
}

export interface FetchDeps {
  readonly safeFetch: SafeFetch;
  readonly reader: ShopReader;
  /** Of all pages that are fetched at once. */
  readonly bodies: BodyRoom;
  readonly pages: PageCounts;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

export interface ScrapeDeps extends FetchDeps {
  /** The limits of `safeFetch`, to predict refusals. */
  readonly limits: UrlLimits;
  /** The whole header; its first product is who robots.txt files know us as. */
  readonly userAgent: string;
  /** Between the starts of two requests to one domain. */
  readonly delayMs: number;
  readonly turns: Permits;
}

/** Beyond its own time-out a request has this long to be noted before its permit is given away. */
const NOTE_MS = 5_000;

export function paceOf({ delayMs, timeoutMs }: ScrapeDeps) {
  return { delayMs, holdMs: timeoutMs + NOTE_MS };
}

/** Together over all hops of one page (docs/decisions/scraping.md). */
export const REDIRECTS_MAX = 5;

/** Counts of the pages that this process has read since its start. */
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
