import type { WorkspaceStore } from "../store/context.ts";
import { handleOf, type Store } from "../store/kv.ts";
import { hasEnded, type Job } from "./job.ts";
import { findJob, watchJob } from "./job_store.ts";
import { comesWithin } from "../comes_within.ts";

/** A change made by another process on a file is not announced: it is found by asking. */
const POLL_MS = 500;

/** Stores on whose jobs this process works no more. */
const left = new WeakSet<Deno.Kv>();

/** Whether this process works on the jobs of the store: where it stops, nobody waits for them. */
export function noteWork(store: Store, isWorkedOn: boolean): void {
  if (isWorkedOn) left.delete(handleOf(store));
  else left.add(handleOf(store));
}

/** False where nobody need wait for a job any more. */
export function isWorthWaiting(store: Store, endsAt: number): boolean {
  return performance.now() < endsAt && !left.has(handleOf(store));
}

/**
 * The job when it has ended, or as it stands after `waitMs` or when this process stops; null when there
 * is none.
 */
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
      const isOver = job === null || hasEnded(job) || !isWorthWaiting(workspace.store, endsAt);
      if (isOver) return job;
      const leftMs = Math.max(0, endsAt - performance.now());
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
