import { DAY_MS } from "../../base/time.ts";

const LOOSE_DAYS = 30;
/** Tolerance for different clocks of two processes, and for the duration of a job. */
const SLACK_MS = DAY_MS;

/** A job that begins now packs observations before this time (docs/decisions/competitors.md). */
export function packLimitMs(now: Date): number {
  return now.getTime() - LOOSE_DAYS * DAY_MS;
}

/** Observations at or after this time are certainly not packed. */
export function packedBeforeMs(now: Date): number {
  return packLimitMs(now) + SLACK_MS;
}

/** Whole UTC days before this time keep one observation per match, the lowest. */
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
