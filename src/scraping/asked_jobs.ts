/** Lists unfinished jobs, and shows and cancels jobs that people started. */

import { Failure, noSuch } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { cancelJob } from "../platform/jobs/add_job.ts";
import { hasEnded, type Job, type JobKind } from "../platform/jobs/job.ts";
import { findJob } from "../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";

/** Names of a kind of job, and the path below which it is read. */
export interface AskedKind {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

/** The job of an id, while it has not ended. */
export async function findInFlight<J extends Job>(
  workspace: WorkspaceStore,
  kind: string,
  id: string,
): Promise<J | null> {
  const job = await findJob<J>(workspace, kind, id);
  return job && !hasEnded(job) ? job : null;
}

/** Refuses with `not_found` an id that is malformed, unknown, or of another workspace. */
export async function requireAsked<J extends Job>(
  workspace: WorkspaceStore,
  { kind, name }: AskedKind,
  id: string,
): Promise<J> {
  const job = isId(id) ? await findJob<J>(workspace, kind, id) : null;
  if (job) return job;
  throw noSuch(name, id);
}

/** Refuses as `requireAsked` does, and with `conflict` a job that has ended. */
export async function cancelAsked<J extends Job>(
  ctx: Context,
  asked: AskedKind,
  kind: Pick<JobKind<J>, "kind" | "finish">,
  id: string,
): Promise<void> {
  await transact(ctx, async (write) => {
    const job = await requireAsked<J>(ctx, asked, id);
    if (hasEnded(job)) {
      throw new Failure("conflict", `The ${asked.name} has already ended: ${job.status}`);
    }
    await cancelJob(write, ctx, kind, id);
    ctx.receipt?.put(write, `${asked.path}/${id}`);
  });
}
