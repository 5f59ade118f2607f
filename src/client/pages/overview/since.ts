/** Since when the page of the morning tells what has moved. */

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

/** What can be chosen: the last visit, or so many days. */
export const SPANS = ["visit", "1", "3", "7", "30"] as const;
export type Span = (typeof SPANS)[number];

export function spanOf(text: string): Span {
  return SPANS.find((span) => span === text) ?? "visit";
}

/**
 * The time that a span begins at, to the minute, so that it is the same question for a while. Of a last
 * visit that nobody knows a day, of one that is longer ago than moves are kept as long as they are.
 */
export function sinceOf(span: Span, lastVisitAt: string | null, nowMs: number): string {
  const visitMs = lastVisitAt === null ? nowMs - DAY_MS : Date.parse(lastVisitAt);
  const wantedMs = span === "visit" ? visitMs : nowMs - Number(span) * DAY_MS;
  const sinceMs = Math.max(wantedMs, nowMs - KEPT_DAYS * DAY_MS + 60_000);
  return new Date(Math.floor(sinceMs / 60_000) * 60_000).toISOString();
}
