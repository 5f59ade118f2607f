/** Functions that add a job, cancel a job, and wait for the end of a job. */
import { Failure, noSuch } from "../../base/failure.ts";
import { idAt } from "../../base/id.ts";
import { withTimeout } from "../event_loop.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { Store, Write } from "../store/kv.ts";
import { ended, hasEnded, type Job, type JobKind, type JobProgress } from "./job.ts";
import { findJob, findStoredJob, insertJob, saveJob, watchJob } from "./job_store.ts";

interface NewJob<Args, Stats> {
  readonly kind: string;
  readonly args: Args;
  readonly stats: Stats;
  readonly progress?: JobProgress;
  readonly notBefore?: Date;
}

type Adder = Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">;

export function addJob<Args, Stats>(
  write: Write,
  ctx: Omit<Adder, "store">,
  { kind, args, stats, progress, notBefore }: NewJob<Args, Stats>,
  jobId = ctx.newId(),
): Job<Args, never, Stats> {
  const { workspaceId, actor } = ctx;
  const at = ctx.now();
  const job = {
    jobId,
    workspaceId,
    kind,
    args,
    status: "queued" as const,
    hasErrors: false,
    phase: null,
    cursor: null,
    place: 0,
    attempts: 0,
    isSuspect: false,
    stats,
    progress: progress ?? { processed: 0, total: null },
    result: null,
    error: null,
    createdAt: at.toISOString(),
    startedAt: null,
    finishedAt: null,
    createdBy: actor,
    cancelRequested: false,
    notBeforeMs: (notBefore ?? at).getTime(),
    lease: null,
    hasTurn: false,
  };
  insertJob(write, job);
  return job;
}

/** Returns null if the workspace already has a job with this planned time (`slot`) and `name`. */
export async function addJobOnce<Args, Stats>(
  write: Write,
  ctx: Adder,
  { name, slot, ...job }: NewJob<Args, Stats> & { readonly name: string; readonly slot: Date },
): Promise<Job<Args, never, Stats> | null> {
  // The id is derived from planned time and name, so that a second call makes the same id.
  const jobId = idAt(slot.getTime(), `${ctx.workspaceId} ${slot.getTime()} ${name}`);
  const other = await findStoredJob(ctx.store, { workspaceId: ctx.workspaceId, jobId });
  return other ? null : addJob(write, ctx, job, jobId);
}

/** A running job is cancelled at its next commit. */
export async function cancelJob(
  write: Write,
  ctx: Context,
  kind: Pick<JobKind, "kind" | "finish">,
  jobId: string,
): Promise<Job> {
  const stored = await findStoredJob(ctx.store, { workspaceId: ctx.workspaceId, jobId });
  if (!stored || stored.row.kind !== kind.kind) throw noSuch("job", jobId);
  const { row: job } = stored;
  if (hasEnded(job)) throw new Failure("conflict", `The job has already ended: ${job.status}`);
  if (job.status === "running") {
    const next = { ...job, cancelRequested: true };
    saveJob(write, stored, next);
    return next;
  }
  const next = ended({ ...job, cancelRequested: true }, { status: "cancelled" }, ctx.now());
  await kind.finish?.(next, { ...ctx, write });
  saveJob(write, stored, next);
  // Another job of the workspace may be waiting for the end of this job.
  write.wakeUp(job.kind);
  return next;
}

const left = new WeakSet<Deno.Kv>();

/** If the process runs no jobs, `waitForJob` returns at once. */
export function noteWork({ kv }: Store, isWorkedOn: boolean): void {
  if (isWorkedOn) left.delete(kv);
  else left.add(kv);
}

export function isWorthWaiting({ kv }: Store, endsAt: number): boolean {
  return performance.now() < endsAt && !left.has(kv);
}

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
      // Read the job every 500 ms, because a store file reports no changes by other processes.
      if (await withTimeout(Math.min(leftMs, 500), change)) change = nextChange(changes);
    }
  } finally {
    await changes.cancel();
  }
}

async function nextChange(changes: ReadableStreamDefaultReader<unknown>): Promise<void> {
  try {
    await changes.read();
  } catch {
    // After an error, wait forever, so that the caller polls instead.
    await new Promise<never>(() => {});
  }
}
