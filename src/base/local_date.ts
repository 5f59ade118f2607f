/** Dates as a calendar on the wall has them, which depends on where it hangs. */

const DAY_MS = 86_400_000;

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
