import { PAGE_STATUSES, type PageStatus } from "../../engine/extraction/page_status.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import type { BodyRoom } from "../../platform/fetch/body_room.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import type { AnswerVerdict, ShopAnswer } from "./answer_verdict.ts";
import type { RobotsReader } from "./robots_file.ts";
import type { Permits } from "./domain_queue.ts";

export type ReadingPermit = SandboxPermit;

/** Throws `TooComplex` if reading a text takes too much work. */
export interface ShopReader extends RobotsReader {
  page(answer: ShopAnswer, permit: ReadingPermit): Promise<AnswerVerdict>;
}

export interface FetchDeps {
  readonly safeFetch: SafeFetch;
  readonly reader: ShopReader;
  readonly bodies: BodyRoom;
  readonly pages: PageCounts;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

export interface ScrapeDeps extends FetchDeps {
  readonly limits: UrlLimits;
  /** Its first product token is our name in robots.txt files. */
  readonly userAgent: string;
  readonly delayMs: number;
  readonly permits: Permits;
}

export function paceOf({ delayMs, timeoutMs }: ScrapeDeps) {
  // Five seconds to store the result after a timeout.
  return { delayMs, holdMs: timeoutMs + 5_000 };
}

/** Maximum number of redirects per page (docs/decisions/scraping.md). */
export const REDIRECTS_MAX = 5;

/** Counts the pages that were read by this process, by status. */
interface PageCounts {
  note(status: PageStatus): void;
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
