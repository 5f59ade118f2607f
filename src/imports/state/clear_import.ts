/** Deletes the rows of an import except its job, in commits small enough for every store. */
import { arrivalCounts, queuedArrivals } from "../../catalogue/prices/awaited_price_store.ts";
import type { Job, JobKind } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { IMPORT_KIND } from "./import_job.ts";
import { hasImportRows, removeImportRows, type RowsPart, undoers } from "./import_row_store.ts";

export const CLEARING_KIND = "import_clearing";

export const NO_CLEARING_STATS: Record<string, never> = {};

type ClearingJob = Job<{ readonly jobId: string }, number, Record<string, never>>;

export function createClearingKind(): JobKind<ClearingJob> {
  return {
    kind: CLEARING_KIND,
    async step({ args }, tools) {
      await clearImport(tools, args.jobId, "work", (effects) => tools.checkpoint({}, effects));
      await sweepBlobs(tools.store, tools.now());
      return { end: { status: "succeeded" } };
    },
  };
}

/** Chunks are large, and deleting many at once would delay other commits. */
const ROWS_PER_COMMIT = 50;

export async function clearImport(
  workspace: WorkspaceStore,
  jobId: string,
  part: RowsPart,
  commit: (effects: (write: Write) => Promise<void>) => Promise<void>,
): Promise<void> {
  // An empty commit would cost a sync of the disk.
  let isLeft = await hasImportRows(workspace, jobId, part);
  const terms = { part, limit: ROWS_PER_COMMIT };
  while (isLeft) {
    await commit(async (write) => {
      isLeft = await removeImportRows(write, workspace, jobId, terms) === ROWS_PER_COMMIT;
    });
  }
}

export async function removeImport(store: Store, job: Job): Promise<void> {
  if (job.kind !== IMPORT_KIND) return;
  const { workspaceId, jobId } = job;
  await clearImport({ store, workspaceId }, jobId, "whole", async (effects) => {
    await transact({ store }, effects);
  });
  await transact({ store }, (write) => {
    undoers.drop(write, { workspaceId }, { jobId });
    arrivalCounts.drop(write, { workspaceId }, { jobId });
    queuedArrivals.drop(write, { workspaceId }, { jobId });
  });
}
