/** Looks up jobs by id, and cancels jobs. */
import { Failure, requireById } from "../base/failure.ts";
import { hasEnded, type Job, type JobKind } from "../platform/jobs/job.ts";
import { cancelJob, findJob } from "../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";

export interface AskedKind {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

export async function findInFlight<J extends Job>(
  workspace: WorkspaceStore,
  kind: string,
  id: string,
): Promise<J | null> {
  const job = await findJob<J>(workspace, kind, id);
  return job && !hasEnded(job) ? job : null;
}

export async function requireAsked<J extends Job>(
  workspace: WorkspaceStore,
  { kind, name }: AskedKind,
  id: string,
): Promise<J> {
  return await requireById(name, id, (id) => findJob<J>(workspace, kind, id));
}

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
