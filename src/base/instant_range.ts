/** Bounds of a time range as callers write them: an instant, or a bare date for that whole day in UTC. */
const DAY_MS = 86_400_000;
const FORM = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Milliseconds of a bound, both bounds being inclusive: a bare date starts at midnight UTC as a
 * `start` and ends a millisecond before the next one as an `end`. Null for what is no such text,
 * a 30th of February included.
 */
export function parseBound(text: string, edge: "start" | "end"): number | null {
  if (!FORM.test(text)) return null;
  const date = text.slice(0, 10);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isRealDate = Number.isFinite(midnight) &&
    new Date(midnight).toISOString().startsWith(date);
  if (!isRealDate) return null;
  if (text.length === 10) return edge === "start" ? midnight : midnight + DAY_MS - 1;
  const instant = Date.parse(text);
  return Number.isFinite(instant) ? instant : null;
}
