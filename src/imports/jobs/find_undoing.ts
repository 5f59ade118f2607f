import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { IMPORT_KIND, type QueuedImport } from "../state/import_job.ts";
import { findUndoer } from "../state/undo_store.ts";

/** What takes an import back, or took it. */
export interface Undoing {
  /** Null where nobody has begun, or it was broken off: then it can be begun again, and goes on. */
  readonly undoneBy: string | null;
  readonly isUnderWay: boolean;
  /** For who wants to take the place. */
  readonly versionstamp: string | null;
}

export async function findUndoing(workspace: WorkspaceStore, jobId: string): Promise<Undoing> {
  const { undoerId, versionstamp } = await findUndoer(workspace, jobId);
  const undoer = undoerId === null
    ? null
    : await findJob<QueuedImport>(workspace, IMPORT_KIND, undoerId);
  if (undoer === null) return { undoneBy: undoerId, isUnderWay: false, versionstamp };
  const isUnderWay = !hasEnded(undoer);
  const isBrokenOff = !isUnderWay && undoer.status !== "succeeded";
  return { undoneBy: isBrokenOff ? null : undoerId, isUnderWay, versionstamp };
}
