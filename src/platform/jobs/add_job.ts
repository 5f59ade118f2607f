/** Adds a job, cancels it, and waits for its end. */
import { Failure, noSuch } from "../../base/failure.ts";
import { idAt } from "../../base/id.ts";
import { withTimeout } from "../event_loop.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import { handleOf, type Store, type Write } from "../store/kv.ts";
import { ended, hasEnded, type Job, type JobKind, type JobProgress } from "./job.ts";
import { findJob, findStoredJob, insertJob, saveJob, watchJob } from "./job_store.ts";

/** The start of a job. `stats` are those of a job without work. */
export interface NewJob<Args, Stats> {
  readonly kind: string;
  readonly args: Args;
  readonly stats: Stats;
  readonly progress?: JobProgress;
  /** Not to begin before; now, if not given. */
  readonly notBefore?: Date;
}

type Adder = Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">;

/** Adds a job to the caller's commit: it exists if and only if the commit succeeds, and is then sure to be run. */
export function addJob<Args, Stats>(
  write: Write,
  ctx: Omit<Adder, "store">,
  job: NewJob<Args, Stats>,
): Job<Args, never, Stats> {
  return addWithId(write, ctx, job, ctx.newId());
}

/**
 * Adds the job of one planned time of a cron entry, or answers null when that time has its job
 * already: its id is made of name, workspace and slot, so a double fire is one job.
 */
export async function addJobOnce<Args, Stats>(
  write: Write,
  ctx: Adder,
  { name, slot, ...job }: NewJob<Args, Stats> & { readonly name: string; readonly slot: Date },
): Promise<Job<Args, never, Stats> | null> {
  const jobId = slotId(ctx.workspaceId, name, slot);
  const other = await findStoredJob(ctx.store, { workspaceId: ctx.workspaceId, jobId });
  return other ? null : addWithId(write, ctx, job, jobId);
}

function addWithId<Args, Stats>(
  write: Write,
  { workspaceId, actor, now }: Omit<Adder, "store">,
  { kind, args, stats, progress, notBefore }: NewJob<Args, Stats>,
  jobId: string,
): Job<Args, never, Stats> {
  const at = now();
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

/** Ordered by time like every id: 4 bytes of seconds, then 8 that tell one entry from another. */
function slotId(workspaceId: string, name: string, slot: Date): string {
  const slotMs = slot.getTime();
  return idAt(slotMs, `${workspaceId} ${slotMs} ${name}`);
}

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
  write.wakeUp(job.kind);
  return next;
}

/** A change made by another process on a file is not announced: it is found by asking. */
const POLL_MS = 500;

/** Stores on whose jobs this process works no more. */
const left = new WeakSet<Deno.Kv>();

/**
 * Tells whether this process works on the store's jobs: after its stop, waiting for them is
 * pointless.
 */
export function noteWork(store: Store, isWorkedOn: boolean): void {
  if (isWorkedOn) left.delete(handleOf(store));
  else left.add(handleOf(store));
}

/** False if waiting for a job is pointless. */
export function isWorthWaiting(store: Store, endsAt: number): boolean {
  return performance.now() < endsAt && !left.has(handleOf(store));
}

/**
 * The ended job, or its current state after `waitMs` or when this process stops; null if there is none.
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
      if (await withTimeout(Math.min(leftMs, POLL_MS), change)) change = nextChange(changes);
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
