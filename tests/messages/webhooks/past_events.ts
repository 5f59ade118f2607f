/** Reads past events page by page, as a program would. */
import { pagesOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";

export interface PastEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function readEvents(key: Caller, since = "", limit = 500) {
  const path = `/api/public/v1/events?since=${encodeURIComponent(since)}&limit=${limit}`;
  const pages = await Array.fromAsync(pagesOf(key, path));
  const events: PastEvent[] = pages.flatMap(({ data }) => data);
  const { nextSince, isComplete } = pages.at(-1);
  return { events, nextSince: String(nextSince), isComplete };
}
