const DAY_MS = 86_400_000;
const LOOSE_DAYS = 30;
/** Tolerance for clocks of two processes that differ, and for the duration of a job. */
const SLACK_MS = DAY_MS;

/**
 * Observations before this time are to be packed by a job that begins now
 * (docs/decisions/competitors.md).
 */
export function packLimitMs(now: Date): number {
  return now.getTime() - LOOSE_DAYS * DAY_MS;
}

/** No job that ever ran has packed an observation from this time on. */
export function packedBeforeMs(now: Date): number {
  return packLimitMs(now) + SLACK_MS;
}

/** Whole days in UTC before this time keep one observation per match: the lowest. */
export function thinLimitMs(now: Date, retentionDays: number): number {
  return dayOf(now.getTime() - retentionDays * DAY_MS);
}

/** The start of a time's day in UTC. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** The last millisecond of the day that starts at `dayMs`. */
export function endOfDay(dayMs: number): number {
  return dayMs + DAY_MS - 1;
}
