import { PAGE_STATUSES, type PageStatus } from "../../engine/extraction/page_status.ts";

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
