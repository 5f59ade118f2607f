/** Instants, days and months: as milliseconds, as ISO 8601 texts, and on the calendar of a time zone. */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A time of the store as documents say it. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Like `iso`, where there may be no time. */
export function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : iso(atMs);
}

/** The inverse of `isoOrNull`. */
export function msOrNull(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}

const FORM = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Milliseconds of one bound of a time range, as callers write it: an instant, or a bare date for that
 * whole day in UTC. Both bounds are inclusive: a bare date starts at midnight as a `start` and ends a
 * millisecond before the next one as an `end`. Null for other texts, a 30th of February included.
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

/** `2026-11-21` in a time zone. */
export function dateIn(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Day and clock in a time zone, as `2026-11-21` and `06:30`. */
export function clockIn(
  at: Date,
  timeZone: string,
): { readonly date: string; readonly time: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: "minute" }),
  };
}

/** The date so many days before another one. */
export function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
}

/** Of `2026-11-20`. */
export function monthOf(date: string): number {
  return Number(date.slice(0, 4) + date.slice(5, 7));
}

/** 20 of `2026-11-20`. */
export function dayOf(date: string): number {
  return Number(date.slice(8));
}

/** `2026-11-20` of 202611 and 20. */
export function dateOf(month: number, day: number): string {
  const text = String(month);
  return `${text.slice(0, 4)}-${text.slice(4)}-${String(day).padStart(2, "0")}`;
}

/** The months from one date to another. */
export function monthsBetween(from: string, to: string): number[] {
  const months: number[] = [];
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  const last = monthOf(to);
  while (year * 100 + month <= last) {
    months.push(year * 100 + month);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
  return months;
}

/** Clocks differ: what is dated further ahead of ours, in milliseconds, is a mistake. */
export const AHEAD_MS_MAX = 5 * 60_000;
