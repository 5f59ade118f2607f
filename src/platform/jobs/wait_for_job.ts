import type { WorkspaceStore } from "../store/context.ts";
import { hasEnded, type Job } from "./job.ts";
import { findJob, watchJob } from "./job_store.ts";
import { comesWithin } from "../turns/comes_within.ts";

/** A change made by another process on a file is not announced: it is found by asking. */
const POLL_MS = 500;

/** The job when it has ended, or as it stands after `waitMs`; null when there is none. */
export async function waitForJob<J extends Job = Job>(
  workspace: WorkspaceStore,
  kind: J["kind"],
  jobId: string,
  waitMs: number,
): Promise<J | null> {
  const endsAt = performance.now() + waitMs;
  const changes = watchJob(workspace, jobId).getReader();
  try {
    let change = nextChange(changes);
    for (;;) {
      const job = await findJob<J>(workspace, kind, jobId);
      const leftMs = endsAt - performance.now();
      if (job === null || hasEnded(job) || leftMs <= 0) return job;
      if (await comesWithin(Math.min(leftMs, POLL_MS), change)) change = nextChange(changes);
    }
  } finally {
    await changes.cancel();
  }
}

async function nextChange(changes: ReadableStreamDefaultReader<unknown>): Promise<void> {
  try {
    await changes.read();
  } catch {
    // A broken watch announces nothing more; asking goes on.
    await new Promise<never>(() => {});
  }
}
