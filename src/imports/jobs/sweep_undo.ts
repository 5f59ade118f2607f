import { findJob } from "../../platform/jobs/job_store.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeInCommits } from "../../platform/store/rows.ts";
import { IMPORT_KIND, type QueuedImport } from "../state/import_job.ts";
import { removeUndoRows, walkUndoable } from "../state/undo_store.ts";
import { findUndoing } from "./find_undoing.ts";

/** They are large. */
const ROWS_PER_COMMIT = 50;

/** Forgets what imports did that ended before then, unless one is just taken back; answers how many rows. */
export async function sweepUndo(store: Store, endedBefore: Date): Promise<number> {
  let count = 0;
  for await (const { workspaceId, jobId } of walkUndoable(store)) {
    const workspace = { store, workspaceId };
    const job = await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
    const isOld = job === null ||
      (job.finishedAt !== null && new Date(job.finishedAt) < endedBefore);
    if (!isOld || (await findUndoing(workspace, jobId)).isUnderWay) continue;
    count += await removeInCommits(workspace, ROWS_PER_COMMIT, (write, limit) => {
      return removeUndoRows(write, workspace, jobId, limit);
    });
  }
  return count;
}
