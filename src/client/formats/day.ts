/** Days that people choose, in the workspace's time zone; the service uses UTC. */

const DAY_MS = 86_400_000;

/**
 * Returns the first instant of a day such as `2026-03-29`; an invalid day is returned unchanged.
 */
export function startOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs, timeZone));
}

/** Returns the last millisecond of a day; an invalid day is returned unchanged. */
export function endOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs + DAY_MS, timeZone) - 1);
}

/** Returns the day of an instant; a text with only a date is that day. */
export function dayOf(instant: string, timeZone: string): string {
  const atMs = Date.parse(instant);
  if (!Number.isFinite(atMs)) return "";
  const localMs = midnightOf(instant) ?? atMs + offsetMs(atMs, timeZone);
  return isoText(localMs).slice(0, 10);
}

/** Returns the first instant of tomorrow in the workspace's time zone. */
export function startOfTomorrow(timeZone: string, now: Date): string {
  const last = Date.parse(endOfDay(dayOf(now.toISOString(), timeZone), timeZone));
  return new Date(last + 1).toISOString();
}

const EARLY_MS = 6 * 3_600_000;

/**
 * Returns the time at which a proposal that is put off until tomorrow reappears: at six, before
 * people start to work.
 */
export function earlyTomorrow(timeZone: string, now: Date): string {
  const day = dayOf(startOfTomorrow(timeZone, now), timeZone);
  return new Date(Date.parse(startOfDay(day, timeZone)) + EARLY_MS).toISOString();
}

/** Returns the midnight of the day in UTC; null if the day is invalid. */
function midnightOf(day: string): number | null {
  const midnightMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isFinite(midnightMs) ? midnightMs : null;
}

/**
 * Returns the start of a day. If the clock skips midnight, the day starts later; if it repeats
 * midnight, the day starts at the first one.
 */
function startMs(midnightMs: number, timeZone: string): number {
  const offsets = [midnightMs - DAY_MS, midnightMs + DAY_MS].map((ms) => offsetMs(ms, timeZone));
  const earliestMs = midnightMs - Math.max(...offsets);
  const isThatDay = earliestMs + offsetMs(earliestMs, timeZone) >= midnightMs;
  return isThatDay ? earliestMs : midnightMs - Math.min(...offsets);
}

/** Returns by how much the time zone is ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // The form is `GMT+01:00`, or `GMT` for no offset; historical offsets have seconds.
  const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ??
    [];
  const ms = (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ms : ms;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Number of days between the first and the last point of a trend. */
export function daysOf(points: readonly { readonly date: string }[]): number {
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? Math.round((Date.parse(last.date) - Date.parse(first.date)) / DAY_MS) : 0;
}
