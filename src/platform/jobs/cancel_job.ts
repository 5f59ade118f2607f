import { Failure, noSuch } from "../../base/failure.ts";
import type { Context } from "../store/context.ts";
import { ended, hasEnded, type Job, type JobKind } from "./job.ts";
import { findStoredJob, saveJob } from "./job_store.ts";
import type { Write } from "../store/kv.ts";

/**
 * Ends a queued job in the caller's commit; a running one ends at its next commit, and what it has
 * committed stays. Refuses with `not_found`, and with `conflict` when the job has ended.
 */
export async function cancelJob(
  write: Write,
  ctx: Context,
  kind: Pick<JobKind, "kind" | "finish">,
  jobId: string,
): Promise<Job> {
  const stored = await findStoredJob(ctx.store, { workspaceId: ctx.workspaceId, jobId });
  if (!stored || stored.job.kind !== kind.kind) throw noSuch("job", jobId);
  const { job } = stored;
  if (hasEnded(job)) throw new Failure("conflict", `The job has already ended: ${job.status}`);
  if (job.status === "running") {
    const next = { ...job, cancelRequested: true };
    saveJob(write, stored, next);
    return next;
  }
  const next = ended({ ...job, cancelRequested: true }, { status: "cancelled" }, ctx.now());
  await kind.finish?.(next, { ...ctx, write });
  saveJob(write, stored, next);
  // It may have held the turn of its workspace.
  write.ring(job.kind);
  return next;
}
