/** Reads past events page by page, as a program would. */
import type { Caller } from "../../caller.ts";

export interface PastEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function readEvents(key: Caller, since = "", limit = 500) {
  const events: PastEvent[] = [];
  for (let cursor = "";;) {
    const query = `since=${encodeURIComponent(since)}&limit=${limit}&cursor=${cursor}`;
    const page = await key.read(`/api/public/v1/events?${query}`);
    events.push(...page.data);
    if (page.nextCursor === null) {
      return { events, nextSince: String(page.nextSince), isComplete: page.isComplete };
    }
    cursor = page.nextCursor;
  }
}
