import { hasEnded } from "../../platform/jobs/job.ts";
import type { ImportJob } from "./import_job.ts";

/** For so long after its end an import can be taken back. */
export const UNDO_DAYS = 7;

const DAY_MS = 86_400_000;

/** Until when an import can be taken back; null for one that goes on or changed nothing. */
export function undoableUntil(job: ImportJob): Date | null {
  const isChanged = (job.cursor?.undo?.entries ?? 0) > 0;
  if (!isChanged || !hasEnded(job) || job.finishedAt === null) return null;
  return new Date(Date.parse(job.finishedAt) + UNDO_DAYS * DAY_MS);
}
