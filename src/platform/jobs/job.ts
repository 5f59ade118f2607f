/**
 * A job is long work that survives a crash. A job is stored as a row with a lease, and its work is
 * divided into steps. One commit contains the writes of a step and the cursor of the next step, so
 * each write happens exactly once (docs/decisions/jobs.md).
 */
import { withTimeout } from "../event_loop.ts";
import type { Actor, Context } from "../store/context.ts";
import type { Write } from "../store/kv.ts";

export const JOB_STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const NO_WORKSPACE = "0".repeat(24);

interface JobError {
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

export interface JobProgress {
  readonly processed: number;
  readonly total: number | null;
}

/** No other process claims the job before `untilMs`, unless this lease's process has died. */
export interface JobLease {
  readonly token: string;
  readonly boot: string;
  readonly untilMs: number;
}

/** A job takes at most 64 KiB, so data that may grow is stored in other rows. */
export interface Job<Args = unknown, Cursor = unknown, Stats = unknown> {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly kind: string;
  readonly args: Args;
  readonly status: JobStatus;
  /** True if some items of the job failed; `status` may still be `succeeded`. */
  readonly hasErrors: boolean;
  readonly phase: string | null;
  /** Position at which the next step begins; null before the first step. */
  readonly cursor: Cursor | null;
  /** Highest `Checkpoint.place` of the current step. A higher checkpoint sets `attempts` to 0. */
  readonly place: number;
  readonly attempts: number;
  /**
   * True if a process died during the third or a later attempt to run this job, perhaps because of
   * the job. A process runs at most one such job at a time.
   */
  readonly isSuspect: boolean;
  readonly stats: Stats;
  readonly progress: JobProgress;
  readonly result: unknown;
  readonly error: JobError | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly createdBy: Actor;
  readonly cancelRequested: boolean;
  /** Earliest start of a queued job; jobs of one workspace and kind start in this order. */
  readonly notBeforeMs: number;
  readonly lease: JobLease | null;
  /** True if the workspace's other jobs of this kind must wait (`isSerialPerWorkspace`). */
  readonly hasTurn: boolean;
}

export interface JobKind<J extends Job = Job> {
  readonly kind: string;
  /**
   * Maximum number of simultaneous jobs of this kind in a process; 1 by default. A workspace may
   * use at most half of the slots of a process, rounded up.
   */
  readonly slotsPerProcess?: number;
  /** True if a workspace runs at most one job of this kind at a time, in all processes together. */
  readonly isSerialPerWorkspace?: true;
  /**
   * Adds the step's changes to `tools.write`, with at most 9 version checks. A step may run twice,
   * so all other effects must be safe to repeat. A step of more than a few seconds must call
   * `tools.beat`. A `Failure` with a 4xx status other than `conflict` ends the job.
   */
  step(job: J, tools: StepTools<J>): Promise<StepResult<J>>;
  /** Adds writes to the commit that ends a job, even if the job has failed. */
  finish?(job: J, tools: JobTools): Promise<void>;
}

export interface JobTools extends Context {
  readonly write: Write;
}

export interface StepTools<J extends Job = Job> extends JobTools {
  readonly lastCommit: string;
  shouldYield(): boolean;
  readonly stopping: AbortSignal;
  /**
   * Commits `effects` in the middle of a step. If the step is repeated, `effects` are committed
   * again. Throws if the job was cancelled or taken over.
   */
  checkpoint(moved?: Checkpoint, effects?: (write: Write) => void | Promise<void>): Promise<void>;
  /** Calls `checkpoint` without effects if the last commit is at least `heartbeatMs` old. */
  beat(moved?: Checkpoint): Promise<void>;
}

export interface Checkpoint {
  /** Progress in the step; rises with each checkpoint. A repeated step must use equal values. */
  readonly place?: number;
  readonly progress?: JobProgress;
  readonly stats?: Job["stats"];
}

/** Fields of the job that change; a new cursor or phase also resets `attempts`. */
export interface StepResult<J extends Job = Job> {
  readonly phase?: string;
  readonly cursor?: NonNullable<J["cursor"]>;
  readonly stats?: J["stats"];
  readonly progress?: JobProgress;
  readonly hasErrors?: true;
  readonly notBefore?: Date;
  readonly end?: Exclude<JobEnd, { status: "cancelled" }>;
  readonly committed?: () => void;
}

export type JobEnd =
  | { readonly status: "succeeded"; readonly result?: unknown }
  | { readonly status: "failed"; readonly error: JobError }
  | { readonly status: "cancelled" };

export function hasEnded(job: Job): boolean {
  return job.status !== "queued" && job.status !== "running";
}

export function claimed(job: Job, lease: JobLease, at: Date, hasTurn: boolean): Job {
  const startedAt = job.startedAt ?? at.toISOString();
  return { ...job, status: "running", lease, startedAt, hasTurn, attempts: job.attempts + 1 };
}

const UNTROUBLED = { attempts: 0, isSuspect: false };

export function advanced(job: Job, result: StepResult, at: Date): Job {
  const isFurther = result.cursor !== undefined || result.phase !== undefined;
  const next: Job = {
    ...job,
    phase: result.phase ?? job.phase,
    cursor: result.cursor ?? job.cursor,
    stats: result.stats ?? job.stats,
    progress: result.progress ?? job.progress,
    hasErrors: job.hasErrors || result.hasErrors === true,
    ...(isFurther ? { place: 0, ...UNTROUBLED } : {}),
  };
  if (result.end) return ended(next, result.end, at);
  return result.notBefore ? handedOver(next, result.notBefore.getTime()) : next;
}

export function checkpointed(job: Job, moved: Checkpoint): Job {
  const { place = 0, progress = job.progress, stats = job.stats } = moved;
  const isFurther = place > job.place;
  return { ...job, progress, stats, ...(isFurther ? { place, ...UNTROUBLED } : {}) };
}

export function requeued(
  job: Job,
  change: Partial<Pick<Job, "attempts" | "isSuspect" | "notBeforeMs">>,
): Job {
  return { ...job, status: "queued", lease: null, isSuspect: false, ...change };
}

export function handedOver(job: Job, notBeforeMs = job.notBeforeMs): Job {
  return requeued(job, { attempts: Math.max(0, job.attempts - 1), notBeforeMs });
}

export function ended(job: Job, end: JobEnd, at: Date): Job {
  return {
    ...job,
    status: end.status,
    hasErrors: job.hasErrors || end.status === "failed",
    result: end.status === "succeeded" ? end.result ?? null : null,
    error: end.status === "failed" ? end.error : null,
    finishedAt: at.toISOString(),
    lease: null,
    hasTurn: false,
  };
}

export const DEFAULT_JOB_TIMING = {
  /** Other processes may claim the job if its process has made no commit for `leaseMs`. */
  leaseMs: 10_000,
  heartbeatMs: 3_000,
  /** Running time after which a job goes back into the queue, so that workspaces take turns. */
  quantumMs: 3_000,
  sweepMs: { local: 1_000, remote: 5_000 },
  stopMs: 300,
  /** Delays before a failed step is repeated; a failure after the last delay ends the job. */
  backoffsMs: [1_000, 5_000, 30_000, 120_000],
};
export type JobTiming = Readonly<typeof DEFAULT_JOB_TIMING>;

/**
 * Renews the job's lease during `work`. Aborts `work` if the job was cancelled, another process
 * took the job, or this process stops.
 */
export async function withHeartbeat<T>(
  tools: Pick<StepTools, "checkpoint" | "stopping">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const working = work(AbortSignal.any([tools.stopping, giveUp.signal]));
  const settled = Promise.allSettled([working]);
  for (;;) {
    if (await withTimeout(1_500, settled)) return await working;
    try {
      await tools.checkpoint();
    } catch (error) {
      giveUp.abort(error);
      await settled;
      throw error;
    }
  }
}
