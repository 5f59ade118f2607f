import { hasEnded, type Job } from "../job.ts";
import { deleteJob, listOldJobs } from "../job_store.ts";
import { type Store, transact } from "../kv.ts";

/** What a commit takes without coming near its limits. */
const BATCH_SIZE = 100;

/**
 * Forgets the jobs that were made before `madeBefore` and have ended; answers how many. `removeRows`
 * takes away what a kind keeps beside its job, before the job itself goes: after a crash in between
 * both are simply found again (decisions §11, retention).
 */
export async function sweepJobs(
  store: Store,
  madeBefore: Date,
  removeRows: (job: Job) => Promise<void>,
): Promise<number> {
  let count = 0;
  let batch: Job[] = [];
  const removeBatch = async () => {
    await transact({ store }, (write) => {
      for (const job of batch) deleteJob(write, job);
      return Promise.resolve();
    });
    count += batch.length;
    batch = [];
  };
  for await (const job of listOldJobs(store, madeBefore.getTime())) {
    if (!hasEnded(job)) continue;
    await removeRows(job);
    batch.push(job);
    if (batch.length === BATCH_SIZE) await removeBatch();
  }
  await removeBatch();
  return count;
}
