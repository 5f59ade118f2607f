/**
 * Converts days in the workspace's time zone to instants in UTC and back, and formats days and
 * instants for people. A day is a string such as `2026-03-29`.
 */
import { memoize } from "../../base/collections.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { languageOf } from "../../base/codes.ts";
import type { Show } from "../../engine/wording/show.ts";

export function startOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs, timeZone));
}

/** Returns the day's last millisecond, or an invalid day unchanged. */
export function endOfDay(day: string, timeZone: string): string {
  const midnightMs = midnightOf(day);
  return midnightMs === null ? day : isoText(startMs(midnightMs + DAY_MS, timeZone) - 1);
}

/** `instant` may also be a day; returns "" for an invalid text. */
export function dayOf(instant: string, timeZone: string): string {
  const atMs = Date.parse(instant);
  if (!Number.isFinite(atMs)) return "";
  const localMs = midnightOf(instant) ?? atMs + offsetMs(atMs, timeZone);
  return isoText(localMs).slice(0, 10);
}

export function hourOf(instant: string, timeZone: string): number {
  const clock = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
  return Number(clock.format(new Date(instant)));
}

export function startOfTomorrow(timeZone: string, now: Date): string {
  const last = Date.parse(endOfDay(dayOf(now.toISOString(), timeZone), timeZone));
  return new Date(last + 1).toISOString();
}

const EARLY = 6;

export function earlyTomorrow(timeZone: string, now: Date): string {
  return atHour(dayOf(startOfTomorrow(timeZone, now), timeZone), EARLY, timeZone);
}

/** Returns the instant when clocks in `timeZone` show `hour`, also on days with a clock change. */
export function atHour(day: string, hour: number, timeZone: string): string {
  return isoText(startMs(Date.parse(day) + hour * HOUR_MS, timeZone));
}

function midnightOf(day: string): number | null {
  const midnightMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isFinite(midnightMs) ? midnightMs : null;
}

/**
 * If a clock change skips midnight, the day starts after the skipped hour. If a clock change
 * repeats midnight, the day starts at the first of the two midnights.
 */
function startMs(midnightMs: number, timeZone: string): number {
  const offsets = [midnightMs - DAY_MS, midnightMs + DAY_MS].map((ms) => offsetMs(ms, timeZone));
  const earliestMs = midnightMs - Math.max(...offsets);
  const isThatDay = earliestMs + offsetMs(earliestMs, timeZone) >= midnightMs;
  return isThatDay ? earliestMs : midnightMs - Math.min(...offsets);
}

const offsetFormat = memoize(
  (timeZone) => new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }),
  100,
);

function offsetMs(atMs: number, timeZone: string): number {
  const parts = offsetFormat(timeZone).formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // `name` is `GMT`, or a text such as `GMT+01:00`; very old offsets also have seconds.
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

/**
 * Returns `06:12` for today, `Fr, 22:04` for a day at most six days away, and otherwise the date
 * and time.
 */
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
  // Shows `Fr, 22:04` instead of `Fr., 22:04`.
  return new Intl.DateTimeFormat(locale, parts).format(new Date(instant)).replace(".,", ",");
}

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

export function shortDay(
  { locale, timeZone }: Pick<Show, "locale" | "timeZone">,
  instant: string,
): string {
  const parts = languageOf(locale) === "en"
    ? { day: "numeric", month: "short", timeZone } as const
    : { day: "2-digit", month: "2-digit", timeZone } as const;
  return new Intl.DateTimeFormat(locale, parts).format(new Date(instant));
}

export function daysBetween(instant: string, nowMs: number, timeZone: string): number {
  const today = dayOf(new Date(nowMs).toISOString(), timeZone);
  return Math.round((Date.parse(today) - Date.parse(dayOf(instant, timeZone))) / DAY_MS);
}
