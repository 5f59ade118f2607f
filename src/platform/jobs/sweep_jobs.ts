import { hasEnded, type Job } from "./job.ts";
import { deleteJob, listOldJobs } from "./job_store.ts";
import type { Store } from "../store/kv.ts";
import { removeInBatches } from "../store/rows.ts";

/** What a commit takes without coming near its limits. */
const BATCH_SIZE = 100;

/** Which jobs a sweep takes, and what goes with them. */
export interface JobSweep {
  takes(job: Job): boolean;
  /** Takes away what a kind keeps beside its job. */
  removeRows(store: Store, job: Job): Promise<void>;
}

/**
 * Forgets the jobs that were made before `madeBefore` and have ended; answers how many. The rows beside
 * a job go before the job itself: after a crash in between both are simply found again.
 */
export async function sweepJobs(
  store: Store,
  madeBefore: Date,
  sweep: JobSweep,
): Promise<number> {
  return await removeInBatches(store, oldJobs(store, madeBefore, sweep), BATCH_SIZE, deleteJob);
}

async function* oldJobs(
  store: Store,
  madeBefore: Date,
  { takes, removeRows }: JobSweep,
): AsyncGenerator<Job> {
  for await (const job of listOldJobs(store, madeBefore.getTime())) {
    if (!hasEnded(job) || !takes(job)) continue;
    await removeRows(store, job);
    yield job;
  }
}
