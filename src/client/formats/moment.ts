/** Formats recent times as briefly as possible. */
import { DAY_MS } from "../../base/time.ts";
import { languageOf } from "../../base/language.ts";
import type { Show } from "../../engine/wording/show.ts";
import { dayOf } from "./day.ts";

/** `06:12` for today, `Fr, 22:04` up to six days away, else date and time; a dash for null. */
export function momentText(
  { locale, timeZone, dateTime }: Pick<Show, "locale" | "timeZone" | "dateTime">,
  instant: string | null | undefined,
  nowMs: number,
): string {
  if (!instant) return "–";
  const days = daysBetween(instant, nowMs, timeZone);
  if (Math.abs(days) > 6) return dateTime(instant);
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const parts = days === 0 ? clock : { weekday: "short", ...clock } as const;
  // The dot of "Fr.," looks like the end of a sentence.
  return new Intl.DateTimeFormat(locale, parts).format(new Date(instant)).replace(".,", ",");
}

/** For example `Freitag, 20. November`; a year other than the current one is added. */
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

/** Without the year, such as `02.12.` or `2 Dec`. */
export function shortDay(
  { locale, timeZone }: Pick<Show, "locale" | "timeZone">,
  instant: string,
): string {
  const parts = languageOf(locale) === "en"
    ? { day: "numeric", month: "short", timeZone } as const
    : { day: "2-digit", month: "2-digit", timeZone } as const;
  return new Intl.DateTimeFormat(locale, parts).format(new Date(instant));
}

/** Negative if the instant is in the future. */
export function daysBetween(instant: string, nowMs: number, timeZone: string): number {
  const today = dayOf(new Date(nowMs).toISOString(), timeZone);
  return Math.round((Date.parse(today) - Date.parse(dayOf(instant, timeZone))) / DAY_MS);
}
