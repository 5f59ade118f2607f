/** Takes away what an import keeps next to its job, in commits that every store takes. */
import { removeArrival } from "../../catalogue/prices/awaited_price_store.ts";
import type { Job, JobKind } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { IMPORT_KIND } from "./import_job.ts";
import {
  removeChunks,
  removeExcluded,
  removeFindings,
  removeImportRows,
} from "./import_row_store.ts";
import { removeUndoer, removeUndoRows } from "./undo_store.ts";

/** Clears away what an ended import needed to work; a job of its own, because that takes many commits. */
export const CLEARING_KIND = "import_clearing";

export const NO_CLEARING_STATS: Record<string, never> = {};

type ClearingJob = Job<{ readonly jobId: string }, number, Record<string, never>>;

export function createClearingKind(): JobKind<ClearingJob> {
  return {
    kind: CLEARING_KIND,
    slotsPerProcess: 1,
    slotsPerWorkspace: 1,
    isSerialPerWorkspace: false,
    async step({ args }, tools) {
      await clearImport(tools, args.jobId, "work", (effects) => tools.checkpoint({}, effects));
      await sweepBlobs(tools.store, tools.now());
      return { end: { status: "succeeded" } };
    },
  };
}

/** Chunks are large: freeing many at once holds everybody up. */
const ROWS_PER_COMMIT = 50;

const PARTS = {
  work: [removeChunks],
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

/** Takes away everything that an import keeps next to its job; for the sweep that then takes the job. */
export async function removeImport(store: Store, job: Job): Promise<void> {
  if (job.kind !== IMPORT_KIND) return;
  const { workspaceId, jobId } = job;
  await clearImport({ store, workspaceId }, jobId, "whole", async (effects) => {
    await transact({ store }, effects);
  });
  await transact({ store }, (write) => removeArrival(write, workspaceId, jobId));
}
