/**
 * Converts days in the workspace's time zone to instants in UTC and back, and formats both for
 * people. A day is a text such as `2026-03-29`. A formatted time omits what is obvious, such as
 * today's date or the current year.
 */
import { DAY_MS } from "../../base/time.ts";
import { languageOf } from "../../base/language.ts";
import type { Show } from "../../engine/wording/show.ts";

/** The first instant of a day such as `2026-03-29`; an invalid day is returned unchanged. */
export function startOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs, timeZone));
}

/** The last millisecond of a day; an invalid day is returned unchanged. */
export function endOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs + DAY_MS, timeZone) - 1);
}

/** The day of an instant. A day is returned unchanged; an invalid text becomes "". */
export function dayOf(instant: string, timeZone: string): string {
  const atMs = Date.parse(instant);
  if (!Number.isFinite(atMs)) return "";
  const localMs = midnightOf(instant) ?? atMs + offsetMs(atMs, timeZone);
  return isoText(localMs).slice(0, 10);
}

/** The hour of an instant in the time zone, from 0 to 23. */
export function hourOf(instant: string, timeZone: string): number {
  const clock = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
  return Number(clock.format(new Date(instant)));
}

export function startOfTomorrow(timeZone: string, now: Date): string {
  const last = Date.parse(endOfDay(dayOf(now.toISOString(), timeZone), timeZone));
  return new Date(last + 1).toISOString();
}

const EARLY_MS = 6 * 3_600_000;

/** Tomorrow at six o'clock in the morning, before work starts. */
export function earlyTomorrow(timeZone: string, now: Date): string {
  const day = dayOf(startOfTomorrow(timeZone, now), timeZone);
  return new Date(Date.parse(startOfDay(day, timeZone)) + EARLY_MS).toISOString();
}

/** Midnight of the day in UTC; null if the day is invalid. */
function midnightOf(day: string): number | null {
  const midnightMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isFinite(midnightMs) ? midnightMs : null;
}

/** If the clock skips midnight, the day starts later. If midnight comes twice, the first counts. */
function startMs(midnightMs: number, timeZone: string): number {
  const offsets = [midnightMs - DAY_MS, midnightMs + DAY_MS].map((ms) => offsetMs(ms, timeZone));
  const earliestMs = midnightMs - Math.max(...offsets);
  const isThatDay = earliestMs + offsetMs(earliestMs, timeZone) >= midnightMs;
  return isThatDay ? earliestMs : midnightMs - Math.min(...offsets);
}

/** The time zone's distance from UTC; positive if the time zone is ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // `name` is `GMT+01:00`, or `GMT` without an offset. Historical offsets also have seconds.
  const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ??
    [];
  const ms = (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ms : ms;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}

export function daysOf(points: readonly { readonly date: string }[]): number {
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? Math.round((Date.parse(last.date) - Date.parse(first.date)) / DAY_MS) : 0;
}

/** For example `06:12` today, `Fr, 22:04` within six days, else date and time; "–" for null. */
export function momentText(
  { locale, timeZone, dateTime }: Pick<Show, "locale" | "timeZone" | "dateTime">,
  instant: string | null | undefined,
  nowMs = Date.now(),
): string {
  if (!instant) return "–";
  const days = daysBetween(instant, nowMs, timeZone);
  if (Math.abs(days) > 6) return dateTime(instant);
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const parts = days === 0 ? clock : { weekday: "short", ...clock } as const;
  // The dot of "Fr.," looks like the end of a sentence.
  return new Intl.DateTimeFormat(locale, parts).format(new Date(instant)).replace(".,", ",");
}

/** A day with its weekday and month, and with the year if it is not the current year. */
export function longDay(
  { locale, timeZone }: Pick<Show, "locale" | "timeZone">,
  atMs: number,
  nowMs: number,
): string {
  const yearOf = (ms: number) => dayOf(new Date(ms).toISOString(), timeZone).slice(0, 4);
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(yearOf(atMs) !== yearOf(nowMs) && { year: "numeric" }),
  }).format(atMs);
}

/** A day without its year, such as `02.12.` or `2 Dec`. */
export function shortDay(
  { locale, timeZone }: Pick<Show, "locale" | "timeZone">,
  instant: string,
): string {
  const parts = languageOf(locale) === "en"
    ? { day: "numeric", month: "short", timeZone } as const
    : { day: "2-digit", month: "2-digit", timeZone } as const;
  return new Intl.DateTimeFormat(locale, parts).format(new Date(instant));
}

/** Days from the instant to now; negative if the instant is in the future. */
export function daysBetween(instant: string, nowMs: number, timeZone: string): number {
  const today = dayOf(new Date(nowMs).toISOString(), timeZone);
  return Math.round((Date.parse(today) - Date.parse(dayOf(instant, timeZone))) / DAY_MS);
}
