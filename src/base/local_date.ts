/** Dates as a calendar on the wall has them, which depends on where it hangs. */

const DAY_MS = 86_400_000;

/** `2026-11-21` in a time zone. */
export function dateIn(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The date so many days before another one. */
export function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
}
