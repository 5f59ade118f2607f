import { type Job, type JobLease, reclaimed } from "./job.ts";
import { findStoredJob, listLeases, saveJob } from "./job_store.ts";
import { type Store, transact } from "../store/kv.ts";

/**
 * Puts back into the queue the jobs whose lease ended before `untilMs` and whose owner `isDead`.
 * Answers how many there were. An owner that is only slow learns of it at its next commit.
 */
export async function reclaimJobs(
  store: Store,
  untilMs: number,
  isDead: (lease: JobLease, job: Job) => boolean,
): Promise<number> {
  let count = 0;
  for await (const row of listLeases(store, untilMs)) {
    const value = await transact({ store }, async (write) => {
      const stored = await findStoredJob(store, row);
      // The row may be older than the record: leases move while they are listed.
      const lease = stored?.job.lease;
      if (!stored || !lease || lease.untilMs >= untilMs || !isDead(lease, stored.job)) return false;
      saveJob(write, stored, reclaimed(stored.job));
      return true;
    });
    if (value) count++;
  }
  return count;
}
