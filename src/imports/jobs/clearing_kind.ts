import type { Job, JobKind } from "../../platform/jobs/job.ts";
import { sweepBlobs } from "../../platform/store/spool.ts";
import { clearImport } from "../state/clear_import.ts";

/** Clears away what an ended import needed to work; a job of its own, because that takes many commits. */
export const CLEARING_KIND = "import_clearing";

export const NO_CLEARING_STATS: Record<string, never> = {};

export type ClearingJob = Job<{ readonly jobId: string }, number, Record<string, never>>;

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
