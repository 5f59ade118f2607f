/** When a rule is asked by the clock of its workspace (docs/decisions/rules.md, Schedule). */
import { z } from "zod";
import { dateIn, daysBefore } from "../../base/local_date.ts";
import { orDefault } from "./field.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const RuleSchedule = z.strictObject({
  at: z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Must be a time such as "06:00"').meta({
    description: "On the clock of the workspace",
    example: "06:00",
  }),
  days: orDefault(z.array(z.enum(WEEKDAYS)).min(1).max(7), [...WEEKDAYS])
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    .meta({ description: "The days of the week; null: all", default: [...WEEKDAYS] }),
  only: orDefault(z.boolean(), false).meta({
    description: "True: the rule is asked at no other time",
  }),
});

export type RuleSchedule = Readonly<z.output<typeof RuleSchedule>>;

/** What a process was down for is caught up on for so long. */
const LATE_MS_MAX = 2 * 3_600_000;

/** A time of a schedule that has come. */
export interface DueSlot {
  /** `2026-11-20 06:00`: each once. */
  readonly slot: string;
  readonly atMs: number;
}

/** The last time of the schedule that has come and is at most two hours ago; null without one. */
export function dueSlot(
  { at, days }: RuleSchedule,
  now: Date,
  timeZone: string,
): DueSlot | null {
  const today = dateIn(now, timeZone);
  for (const date of [today, daysBefore(today, 1)]) {
    const atMs = momentOf(date, at, timeZone);
    if (atMs > now.getTime() || !days.includes(weekdayOf(date))) continue;
    return now.getTime() - atMs <= LATE_MS_MAX ? { slot: `${date} ${at}`, atMs } : null;
  }
  return null;
}

function weekdayOf(date: string): Weekday {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "mon";
}

/** A time that the clock leaves out is the next minute that it has; of one that comes twice the first. */
function momentOf(date: string, at: string, timeZone: string): number {
  const local = Temporal.PlainDateTime.from(`${date}T${at}`);
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  return (earlier.getTimeZoneTransition("next") ?? earlier).epochMilliseconds;
}
