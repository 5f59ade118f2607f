/** Starts the undo of an import, finds it, and deletes undo rows that are too old. */

import { Failure } from "../../base/failure.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { removeInCommits } from "../../platform/store/rows.ts";
import { pauseSource } from "../state/change_sources.ts";
import {
  IMPORT_KIND,
  type ImportJob,
  isUndo,
  NO_STATS,
  type QueuedImport,
  type UndoArgs,
} from "../state/import_job.ts";
import { removeImportRows } from "../state/import_row_store.ts";
import { DEFAULT_SOURCE } from "../state/import_source.ts";
import { UNDO_DAYS, undoableUntil, undoers, walkUndoable } from "../state/undo_store.ts";
import { requireImport } from "./start_import.ts";

const ROWS_PER_COMMIT = 50;

/**
 * Deletes the undo data of imports that ended before a time, unless an undo is running; returns the
 * number of deleted rows.
 */
export async function sweepUndo(store: Store, endedBefore: Date): Promise<number> {
  let count = 0;
  for await (const { workspaceId, jobId } of walkUndoable(store)) {
    const workspace = { store, workspaceId };
    const job = await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
    const isOld = job === null ||
      (job.finishedAt !== null && new Date(job.finishedAt) < endedBefore);
    if (!isOld || (await findUndoing(workspace, jobId)).isUnderWay) continue;
    count += await removeInCommits(workspace, ROWS_PER_COMMIT, (write, limit) => {
      return removeImportRows(write, workspace, jobId, { part: "undo", limit });
    });
  }
  return count;
}

interface UndoRequest {
  readonly isDryRun: boolean;
  /** Whether to pause the source; null: only if its next file would repeat the error. */
  readonly pause: boolean | null;
  /** Needed to restore prices that people may set only with a reason. */
  readonly reason: string | null;
}

/**
 * Undoes an import, or tries it as a dry run, as a new job; returns its id. Throws `conflict` if the
 * import has not ended, changed nothing, ended more than seven days ago, or was undone before.
 */
export async function undoImport(
  ctx: Context,
  jobId: string,
  { isDryRun, pause, reason }: UndoRequest,
  receiptPath: (jobId: string) => string,
): Promise<string> {
  return await transact(ctx, async (write) => {
    const job = requireUndoable(await requireImport(ctx, jobId), ctx.now());
    const found = await findUndoing(ctx, jobId);
    if (found.undoneBy !== null) {
      const details = { jobId: found.undoneBy };
      throw new Failure("conflict", "The import was taken back before", details);
    }
    const pausesSource = pause ?? await comesAgain(ctx, job);
    const next = addJob(write, ctx, {
      kind: IMPORT_KIND,
      args: { ...argsOf(job), isDryRun, pausesSource, ...(reason !== null && { reason }) },
      stats: NO_STATS,
    });
    if (!isDryRun) {
      undoers.save(write, ctx, found.undoer, { jobId, undoerId: next.jobId });
      if (pausesSource) await pauseSource(write, ctx, job.args.source ?? DEFAULT_SOURCE);
    }
    ctx.receipt?.put(write, receiptPath(next.jobId));
    return next.jobId;
  });
}

/** True if a program has sent or fetched the file, because it will also send the next one. */
async function comesAgain(ctx: Context, job: ImportJob): Promise<boolean> {
  if (job.createdBy.type !== "user") return true;
  const { appliedFrom } = job.args;
  const from = appliedFrom && await findJob<QueuedImport>(ctx, IMPORT_KIND, appliedFrom);
  return from && !isUndo(from) ? await comesAgain(ctx, from) : false;
}

function argsOf(job: ImportJob): Omit<UndoArgs, "isDryRun" | "pausesSource"> {
  const { label, mode, source } = job.args;
  return {
    undoes: job.jobId,
    beganAt: job.startedAt ?? job.createdAt,
    endedAt: job.finishedAt ?? job.createdAt,
    entries: job.cursor?.undo.entries ?? 0,
    label,
    mode,
    ...(source !== undefined && { source }),
  };
}

function requireUndoable(job: QueuedImport, now: Date): ImportJob {
  if (isUndo(job)) {
    throw new Failure("conflict", "What took an import back is not taken back: import the file");
  }
  if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: wait or cancel it");
  const until = undoableUntil(job);
  if (until === null) throw new Failure("conflict", "The import changed nothing to be taken back");
  if (now > until) {
    const message = `An import can be taken back for ${UNDO_DAYS} days after its end`;
    throw new Failure("conflict", message);
  }
  return job;
}

interface Undoing {
  /**
   * Id of the undo; null if it has not begun or was cancelled, so that it can be started again and
   * continues.
   */
  readonly undoneBy: string | null;
  readonly isUnderWay: boolean;
  readonly undoer: Awaited<ReturnType<typeof undoers.find>>;
}

export async function findUndoing(workspace: WorkspaceStore, jobId: string): Promise<Undoing> {
  const undoer = await undoers.find(workspace, { jobId });
  const undoneBy = undoer?.row.undoerId ?? null;
  const job = undoneBy && await findJob<QueuedImport>(workspace, IMPORT_KIND, undoneBy);
  if (!job) return { undoneBy, isUnderWay: false, undoer };
  const isUnderWay = !hasEnded(job);
  const isBrokenOff = !isUnderWay && job.status !== "succeeded";
  return { undoneBy: isBrokenOff ? null : undoneBy, isUnderWay, undoer };
}
