/** Takes away what an import keeps beside its record, in commits that every store takes. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Write } from "../../platform/store/kv.ts";
import { removeFindings } from "../files/finding_store.ts";
import { removeExcluded } from "./excluded_store.ts";
import { removeImportRows } from "./import_row_store.ts";
import { removeChunks } from "./partition_store.ts";
import { removeUndoer, removeUndoRows } from "./undo_store.ts";

/** Chunks are large: freeing many at once holds everybody up. */
const ROWS_PER_COMMIT = 50;

const PARTS = {
  /** What only a job at work needs. */
  work: [removeChunks],
  /** What a check writes before it knows whether the upload is good. */
  check: [removeChunks, removeFindings, removeImportRows],
  /** All that goes with the job. */
  whole: [
    removeChunks,
    removeFindings,
    removeImportRows,
    removeExcluded,
    removeUndoRows,
    removeUndoer,
  ],
} as const;

/** `commit` is called until nothing is left; each call is whole and may be repeated. */
export async function clearImport(
  workspace: WorkspaceStore,
  jobId: string,
  part: keyof typeof PARTS,
  commit: (effects: (write: Write) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const remove of PARTS[part]) {
    for (let isLeft = await isAny(workspace, jobId, remove); isLeft;) {
      await commit(async (write) => {
        isLeft = await remove(write, workspace, jobId, ROWS_PER_COMMIT) === ROWS_PER_COMMIT;
      });
    }
  }
}

/** A commit for nothing would cost a sync of the disk. */
async function isAny(
  workspace: WorkspaceStore,
  jobId: string,
  remove: (typeof PARTS)["whole"][number],
): Promise<boolean> {
  return await remove(NO_WRITE, workspace, jobId, 1) > 0;
}

const NO_WRITE: Write = {
  check() {},
  set() {},
  delete() {},
  sum() {},
  append() {},
  ring() {},
  tell() {},
  fits: () => true,
  isEmpty: true,
};
