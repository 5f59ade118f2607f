/** Days that people choose, in the calendar of their workspace; the service counts in UTC. */

const DAY_MS = 86_400_000;

/** The first instant of a day such as `2026-03-29` there; what is no such day stays as it is. */
export function startOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs, timeZone));
}

/** The last millisecond of that day; what is no such day stays as it is. */
export function endOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs + DAY_MS, timeZone) - 1);
}

/** The day of an instant in that calendar; a text with only a date is that day. */
export function dayOf(instant: string, timeZone: string): string {
  const atMs = Date.parse(instant);
  if (!Number.isFinite(atMs)) return "";
  const localMs = midnightOf(instant) ?? atMs + offsetMs(atMs, timeZone);
  return isoText(localMs).slice(0, 10);
}

/** The first instant of tomorrow, where the workspace is. */
export function startOfTomorrow(timeZone: string, now: Date): string {
  const last = Date.parse(endOfDay(dayOf(now.toISOString(), timeZone), timeZone));
  return new Date(last + 1).toISOString();
}

const EARLY_MS = 6 * 3_600_000;

/** When what is put off until tomorrow is back: at six, before anybody looks. */
export function earlyTomorrow(timeZone: string, now: Date): string {
  const day = dayOf(startOfTomorrow(timeZone, now), timeZone);
  return new Date(Date.parse(startOfDay(day, timeZone)) + EARLY_MS).toISOString();
}

/** As if the day were one of UTC; null for what is no day. */
function midnightOf(day: string): number | null {
  const midnightMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isFinite(midnightMs) ? midnightMs : null;
}

/** Where the clock skips midnight a day starts later, where it repeats it with the first one. */
function startMs(midnightMs: number, timeZone: string): number {
  const offsets = [midnightMs - DAY_MS, midnightMs + DAY_MS].map((ms) => offsetMs(ms, timeZone));
  const earliestMs = midnightMs - Math.max(...offsets);
  const isThatDay = earliestMs + offsetMs(earliestMs, timeZone) >= midnightMs;
  return isThatDay ? earliestMs : midnightMs - Math.min(...offsets);
}

/** How far the clock there is ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // `GMT+01:00`; `GMT` alone is none, and old times have seconds.
  const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ??
    [];
  const ms = (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ms : ms;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
