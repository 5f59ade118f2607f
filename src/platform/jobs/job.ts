/**
 * A job is long work that survives a crash: a stored record with a lease, processed in steps. The effects
 * of a step and the new cursor are one commit, so effects happen exactly once
 * (docs/decisions/running.md).
 */
import type { Actor, Context } from "../store/context.ts";
import type { Write } from "../store/kv.ts";

/** One vocabulary for imports and runs (docs/decisions/scraping.md); the last three are final. */
export const JOB_STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The owner of jobs without a workspace, such as maintenance. */
export const NO_WORKSPACE = "0".repeat(24);

/** Why a job failed; `code` is the kind's own, a `FailureCode`, or `crash_loop`. */
export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

export interface JobProgress {
  readonly processed: number;
  /** `null` while unknown. */
  readonly total: number | null;
}

/**
 * The worker of a job and the end of its lease. The clock decides when to try; the row's
 * versionstamp decides who may write.
 */
export interface JobLease {
  /** New with every claim. */
  readonly token: string;
  /** The process. */
  readonly boot: string;
  readonly untilMs: number;
}

/**
 * The record of a job, at most 64 KiB: what may grow (findings, files, results) stands in rows of
 * its own.
 */
export interface Job<Args = unknown, Cursor = unknown, Stats = unknown> {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly kind: string;
  readonly args: Args;
  readonly status: JobStatus;
  /** True when parts failed, whatever the status. */
  readonly hasErrors: boolean;
  readonly phase: string | null;
  /** Where the next step begins; null before the first one. */
  readonly cursor: Cursor | null;
  /** How far beyond `cursor` a checkpoint ever came: getting further is a sign of life. */
  readonly place: number;
  /** Claims without getting further. */
  readonly attempts: number;
  /** Those of them that ended with an error, not with the process; absent in older rows. */
  readonly errors?: number;
  /**
   * True when owners vanished with it again and again at one place: such jobs run one at a time, so
   * that a poisonous one dies alone.
   */
  readonly isSuspect: boolean;
  readonly stats: Stats;
  readonly progress: JobProgress;
  /** The small result of a successful job. */
  readonly result: unknown;
  readonly error: JobError | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly createdBy: Actor;
  readonly cancelRequested: boolean;
  /** A queued job rests until then; the oldest is the next of its workspace. */
  readonly notBeforeMs: number;
  /** Null unless running. */
  readonly lease: JobLease | null;
  /** True from the first claim to the end, for a kind that is serial per workspace. */
  readonly hasTurn: boolean;
}

/** How a kind of work is done. Declared once, handed to the runner by the composition root. */
export interface JobKind<J extends Job = Job> {
  readonly kind: string;
  readonly slotsPerProcess: number;
  /** At most so many, and never more than others have left free: see `mayTakeSlot`. */
  readonly slotsPerWorkspace: number;
  /** The next job of a workspace begins when the one before has ended, over all processes. */
  readonly isSerialPerWorkspace: boolean;
  /** True if a step waits for shops rather than works: it uses no share of the thread. */
  readonly waitsForOthers?: boolean;
  /**
   * Reads, decides, and adds effects to `tools.write`: at most 9 checks, and room for five rows of
   * the runner. Runs again after a lost race, so it must have no other effect that may not repeat.
   * Ends within seconds, or calls `tools.beat`. A `Failure` of the caller's making (4xx) ends the
   * job; anything else thrown puts it back for a while.
   */
  step(job: J, tools: StepTools<J>): Promise<StepResult<J>>;
  /**
   * Adds to the commit that ends a job, whichever way it ends: an audit row, an event, a clean-up.
   */
  finish?(job: J, tools: JobTools): Promise<void>;
}

/** Tools for the end of a job: its context, and the write of its last commit. */
export interface JobTools extends Context {
  readonly write: Write;
}

/** Tools of a step. `requestId` is the job's id, `actor` its creator. */
export interface StepTools<J extends Job = Job> extends JobTools {
  /** True when the step had better return soon: its turn of 20 s is over, or the process stops. */
  shouldYield(): boolean;
  /**
   * Aborted when the process stops: what cannot resume gives up then, and begins again elsewhere.
   */
  readonly stopping: AbortSignal;
  /**
   * Commits `effects` in the middle of a step; the cursor stays, so they must bear repeating. Throws
   * when the job was cancelled or taken over: a step lets that pass.
   */
  checkpoint(moved?: Checkpoint, effects?: (write: Write) => void | Promise<void>): Promise<void>;
  /**
   * A checkpoint without effects when the last commit is 10 s ago, else nothing: for every loop.
   */
  beat(moved?: Checkpoint): Promise<void>;
}

export interface Checkpoint {
  /** Grows while the step gets further, by the same count each time it is run. */
  readonly place?: number;
  readonly progress?: JobProgress;
  /** For effects that stay when the job ends here. */
  readonly stats?: Job["stats"];
}

/** Changes of a step to its job; missing fields stay. A new cursor or phase counts as progress. */
export interface StepResult<J extends Job = Job> {
  readonly phase?: string;
  readonly cursor?: NonNullable<J["cursor"]>;
  readonly stats?: J["stats"];
  readonly progress?: JobProgress;
  readonly hasErrors?: true;
  /** Rest until then, and give the slot to others. */
  readonly notBefore?: Date;
  /** The last step's word. Without it there is another step. */
  readonly end?: Exclude<JobEnd, { status: "cancelled" }>;
  /**
   * Adds the checks of the commit just before it is made. `lastCommit` is the versionstamp of the
   * job's commit before, which the rows carry that it wrote.
   */
  readonly checks?: (lastCommit: string) => void;
  /** Called once the commit of the step is made, and never when it is not. */
  readonly committed?: () => void;
  /**
   * True when the next step reads nothing that this one writes: it is then taken while the commit
   * is on its way, without checkpoints, and thrown away when that commit fails.
   */
  readonly isNextIndependent?: boolean;
}

export type JobEnd =
  | { readonly status: "succeeded"; readonly result?: unknown }
  | { readonly status: "failed"; readonly error: JobError }
  | { readonly status: "cancelled" };

/** True when nothing will ever change the record again. */
export function hasEnded(job: Job): boolean {
  return job.status !== "queued" && job.status !== "running";
}

export function claimed(job: Job, lease: JobLease, at: Date, hasTurn: boolean): Job {
  const startedAt = job.startedAt ?? at.toISOString();
  return { ...job, status: "running", lease, startedAt, hasTurn, attempts: job.attempts + 1 };
}

/** A job that gets further starts its counts again. */
const UNTROUBLED = { attempts: 0, errors: 0, isSuspect: false };

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
  return {
    ...job,
    progress,
    stats,
    ...(isFurther ? { place, ...UNTROUBLED } : {}),
  };
}

/**
 * Returns a job to the queue after an orderly stop, so the claim does not count as an attempt. The job
 * keeps its place among the jobs of its workspace.
 */
export function handedOver(job: Job, notBeforeMs = job.notBeforeMs): Job {
  const attempts = Math.max(0, job.attempts - 1);
  return { ...job, status: "queued", lease: null, isSuspect: false, attempts, notBeforeMs };
}

/** Back to the queue after an error that may pass. */
export function putBack(job: Job, notBeforeMs: number): Job {
  // An attempt that got further before its error is none.
  const errors = Math.min(job.attempts, (job.errors ?? 0) + 1);
  return { ...job, status: "queued", lease: null, isSuspect: false, errors, notBeforeMs };
}

/** A process that is killed, or a machine that is switched off, once or twice, says nothing of its jobs. */
const SUSPECT_FROM = 3;

/** Back to the queue because its owner is gone. */
export function reclaimed(job: Job): Job {
  const isSuspect = job.attempts >= SUSPECT_FROM;
  return { ...job, status: "queued", lease: null, isSuspect };
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
