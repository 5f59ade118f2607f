/**
 * A job is long work that survives a crash: a row with a lease, processed in steps. Effects and
 * cursor of a step are one commit, so they happen once (docs/decisions/jobs.md).
 */
import { withTimeout } from "../event_loop.ts";
import type { Actor, Context } from "../store/context.ts";
import type { Write } from "../store/kv.ts";

/** Shared by imports and runs (docs/decisions/scraping.md). The last three are final. */
export const JOB_STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The owner of jobs without a workspace, such as maintenance. */
export const NO_WORKSPACE = "0".repeat(24);

/** Why a job failed; `code` is defined by the kind, or is a `FailureCode` or `crash_loop`. */
interface JobError {
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

export interface JobProgress {
  readonly processed: number;
  readonly total: number | null;
}

/** After `untilMs`, others may take over. Only the writer of the row's last version may write. */
export interface JobLease {
  readonly token: string;
  readonly boot: string;
  readonly untilMs: number;
}

/** At most 64 KiB, so data that may grow is stored in other rows. */
export interface Job<Args = unknown, Cursor = unknown, Stats = unknown> {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly kind: string;
  readonly args: Args;
  readonly status: JobStatus;
  /** True if parts of the work failed, whatever the status. */
  readonly hasErrors: boolean;
  readonly phase: string | null;
  /** Where the next step begins; null before the first step. */
  readonly cursor: Cursor | null;
  /** How far checkpoints have come beyond `cursor`. A higher place counts as progress. */
  readonly place: number;
  readonly attempts: number;
  /** How many of these attempts ended with an error instead of a crash; absent in older rows. */
  readonly errors?: number;
  /** Processes died repeatedly here. Suspect jobs run one at a time, to interrupt no others. */
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
  /** A queued job waits until this time. The earliest job of a workspace is its next one. */
  readonly notBeforeMs: number;
  readonly lease: JobLease | null;
  /** True from the first claim to the end, for kinds that are serial per workspace. */
  readonly hasTurn: boolean;
}

export interface JobKind<J extends Job = Job> {
  readonly kind: string;
  /** Default 1. A single workspace gets at most half of them, rounded up (`mayTakeSlot`). */
  readonly slotsPerProcess?: number;
  /** A workspace's next job begins when the previous one has ended, across all processes. */
  readonly isSerialPerWorkspace?: true;
  /** True if steps mostly wait for shops. Such steps do not wait for a share of the thread. */
  readonly waitsForOthers?: boolean;
  /**
   * Reads, decides, and adds effects to `tools.write`, with at most 9 checks. It may run again, so
   * other effects must be repeatable. It ends within seconds, or calls `tools.beat`. A `Failure`
   * with a 4xx status ends the job; after other errors it is tried again later.
   */
  step(job: J, tools: StepTools<J>): Promise<StepResult<J>>;
  /** Adds rows to the last commit of a job, whatever its result. */
  finish?(job: J, tools: JobTools): Promise<void>;
}

export interface JobTools extends Context {
  readonly write: Write;
}

/** Tools of a step. `requestId` is the job's id, `actor` its creator. */
export interface StepTools<J extends Job = Job> extends JobTools {
  /** True if the step should return soon: its time is over, or the process stops. */
  shouldYield(): boolean;
  /** Aborted when the process stops. A step that breaks off runs again later. */
  readonly stopping: AbortSignal;
  /** Commits repeatable `effects` within a step. Throws if the job was cancelled or taken over. */
  checkpoint(moved?: Checkpoint, effects?: (write: Write) => void | Promise<void>): Promise<void>;
  /** A checkpoint without effects, if the last commit was `heartbeatMs` ago; cheap in a loop. */
  beat(moved?: Checkpoint): Promise<void>;
}

interface Checkpoint {
  /** Grows with the progress of the step. A repeated step must count in the same way. */
  readonly place?: number;
  readonly progress?: JobProgress;
  /** Stored with the checkpoint, so that its effects are counted even if the job ends here. */
  readonly stats?: Job["stats"];
}

/** Missing fields stay the same. A new cursor or phase counts as progress. */
export interface StepResult<J extends Job = Job> {
  readonly phase?: string;
  readonly cursor?: NonNullable<J["cursor"]>;
  readonly stats?: J["stats"];
  readonly progress?: JobProgress;
  readonly hasErrors?: true;
  readonly notBefore?: Date;
  readonly end?: Exclude<JobEnd, { status: "cancelled" }>;
  /** Adds checks to the commit. `lastCommit` is the versionstamp of the job's previous commit. */
  readonly checks?: (lastCommit: string) => void;
  readonly committed?: () => void;
  /**
   * True if the next step reads nothing that this one writes. It may then run during this commit.
   */
  readonly isNextIndependent?: boolean;
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

/** Progress resets the counts of attempts. */
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
  return { ...job, progress, stats, ...(isFurther ? { place, ...UNTROUBLED } : {}) };
}

/** The claim does not count as an attempt. */
export function handedOver(job: Job, notBeforeMs = job.notBeforeMs): Job {
  const attempts = Math.max(0, job.attempts - 1);
  return { ...job, status: "queued", lease: null, isSuspect: false, attempts, notBeforeMs };
}

export function putBack(job: Job, notBeforeMs: number): Job {
  // An attempt with progress before its error does not count.
  const errors = Math.min(job.attempts, (job.errors ?? 0) + 1);
  return { ...job, status: "queued", lease: null, isSuspect: false, errors, notBeforeMs };
}

/** A process that dies once or twice is no sign of a faulty job. */
const SUSPECT_FROM = 3;

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

export interface JobTiming {
  /** A job whose owner has not committed for this long may be claimed by others. */
  readonly leaseMs: number;
  /** A step without effects commits at this interval to keep its lease. */
  readonly heartbeatMs: number;
  /** After this long, a job goes back into the queue, and other workspaces are served first. */
  readonly quantumMs: number;
  /** Like `quantumMs`, if every slot of the kind is in use and another workspace waits for one. */
  readonly crowdedQuantumMs: number;
  /** Interval of searching for ready and abandoned jobs. */
  readonly sweepMs: { readonly local: number; readonly remote: number };
  /** First wait for steps that end by themselves, then for steps that have lost the store. */
  readonly stopMs: number;
  /** Delay after the n-th unexpected error at one place; after one more error the job ends. */
  readonly backoffsMs: readonly number[];
}

export const DEFAULT_JOB_TIMING: JobTiming = {
  leaseMs: 10_000,
  heartbeatMs: 3_000,
  quantumMs: 20_000,
  crowdedQuantumMs: 1_000,
  sweepMs: { local: 1_000, remote: 5_000 },
  stopMs: 300,
  backoffsMs: [1_000, 5_000, 30_000, 120_000],
};

/** Renews the job's lease while `work` runs. A cancellation, a takeover or a stop aborts `work`. */
export async function withHeartbeat<T>(
  tools: Pick<StepTools, "checkpoint" | "stopping">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const working = work(AbortSignal.any([tools.stopping, giveUp.signal]));
  const settled = Promise.allSettled([working]);
  for (;;) {
    // A cancellation is noticed within this time.
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
