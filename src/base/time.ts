/** Converts times in milliseconds or ISO 8601, dates such as `2026-11-20`, and local times. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : iso(atMs);
}

export function msOrNull(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}

const FORM = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Parses an instant or a UTC date; `edge` chooses the first or last millisecond of a date. */
export function parseBound(text: string, edge: "start" | "end"): number | null {
  if (!FORM.test(text)) return null;
  const date = text.slice(0, 10);
  if (!isDate(date)) return null;
  const midnight = Date.parse(date);
  if (text.length === 10) return edge === "start" ? midnight : midnight + DAY_MS - 1;
  const instant = Date.parse(text);
  return Number.isFinite(instant) ? instant : null;
}

/** Returns false for `2026-02-30`, although `Date.parse` accepts this date. */
export function isDate(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(midnight) && iso(midnight).startsWith(date);
}

export function dateIn(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

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

export function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
}

/** `2026-11-20` gives 202611. */
export function monthOf(date: string): number {
  return Number(date.slice(0, 4) + date.slice(5, 7));
}

export function dayOf(date: string): number {
  return Number(date.slice(8));
}

/** Returns `2026-11-20` for the month 202611 and the day 20. */
export function dateOf(month: number, day: number): string {
  const text = String(month);
  return `${text.slice(0, 4)}-${text.slice(4)}-${String(day).padStart(2, "0")}`;
}

/** Returns months such as 202611, from the month of `from` to the month of `to`. */
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

/** The time of an observation may be at most 5 minutes in the future. */
export const AHEAD_MS_MAX = 5 * 60_000;

export class ZoneClock {
  readonly #timeZone: string;
  readonly #periods: { sinceMs: number; untilMs: number; offsetMs: number }[] = [];

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** Returns `at` plus the zone's offset, so that UTC functions return the local date and time. */
  localMs(at: string): number {
    const ms = Date.parse(at);
    const known = this.#periods.find(({ sinceMs, untilMs }) => ms >= sinceMs && ms < untilMs);
    return ms + (known ?? this.#readPeriod(ms)).offsetMs;
  }

  #readPeriod(ms: number) {
    const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(this.#timeZone);
    // `getTimeZoneTransition` excludes the time itself, so 1 ns more includes a change at `ms`.
    const changed = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
    const period = {
      sinceMs: changed?.epochMilliseconds ?? -Infinity,
      untilMs: time.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity,
      offsetMs: time.offsetNanoseconds / 1_000_000,
    };
    this.#periods.push(period);
    return period;
  }
}

/** Check rows that have an expiry time, because the store may keep expired rows for a while. */
export function isPast(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
