/** When a file is fetched and when one is expected: plain functions of clock and zone. */
import { z } from "@hono/zod-openapi";
import { type Day, DAYS, PULL_PERIODS } from "../source_choices.ts";

const EVERY_MS = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000 } as const;

/** A time of day, as in the example. */
export function timeOfDay(example: string) {
  return z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, `Must be a time such as "${example}"`)
    .meta({ description: "In the time zone of the workspace", example });
}

export const Days = z.array(z.enum(DAYS)).min(1, "Must name at least one day")
  .refine((days) => new Set(days).size === days.length, "Must not name a day twice")
  .default([...DAYS])
  .meta({ uniqueItems: true, description: "On which days of the week" });

const At = z.strictObject({ at: timeOfDay("04:30"), days: Days });

/** Every so often, or at a time of some days. */
export const PullSchedule = z.union([z.strictObject({ every: z.enum(PULL_PERIODS) }), At])
  .meta({ id: "ImportSourceSchedule" });

export type PullSchedule = Readonly<z.infer<typeof PullSchedule>>;

/**
 * The last planned time that is later than `since` and not after `now`; null where there is none.
 * A period counts from `since`, so that sources do not all come at once.
 */
export function plannedTime(
  schedule: PullSchedule,
  { since, now, timeZone }: { readonly since: Date; readonly now: Date; readonly timeZone: string },
): Date | null {
  if ("every" in schedule) {
    const periodMs = EVERY_MS[schedule.every];
    const periods = Math.floor((now.getTime() - since.getTime()) / periodMs);
    return periods < 1 ? null : new Date(since.getTime() + periods * periodMs);
  }
  const last = lastTimeOf({ by: schedule.at, days: schedule.days }, now, timeZone);
  return last > since ? last : null;
}

/** The last time of day on one of the days that is not after `now`. A time that a change of the clock leaves out is the one behind it. */
export function lastTimeOf(
  { by, days }: { readonly by: string; readonly days: readonly Day[] },
  now: Date,
  timeZone: string,
): Date {
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const today = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const plainTime = Temporal.PlainTime.from(by);
  for (let back = 0; back <= 8; back++) {
    const date = today.subtract({ days: back });
    const day = DAYS[date.dayOfWeek - 1];
    if (day === undefined || !days.includes(day)) continue;
    const atMs = date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
    if (atMs <= now.getTime()) return new Date(atMs);
  }
  throw new Error("A week has none of the days");
}
