import { idAt } from "../../base/id.ts";
import type { Context } from "../store/context.ts";
import { type Job, type JobProgress } from "./job.ts";
import { findStoredJob, insertJob } from "./job_store.ts";
import type { Write } from "../store/kv.ts";

/** What a kind needs to begin. `stats` are those of a job that has done nothing yet. */
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
