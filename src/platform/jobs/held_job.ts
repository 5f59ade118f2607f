import assert from "node:assert/strict";
import type { roomLog } from "../log.ts";
import { type ClockAndIds, type Context, contextFor } from "../store/context.ts";
import {
  type CommitOptions,
  type Store,
  transact,
  transactVersioned,
  type Write,
} from "../store/kv.ts";
import type { ThreadShare } from "../thread_share.ts";
import { checkpointed, handedOver, type Job } from "./job.ts";
import { findStoredJob, saveJob, type StoredJob } from "./job_store.ts";
import type { JobTiming } from "./job_timing.ts";

/** Another worker has the job, or it was cancelled. */
export class LeaseEnded extends Error {
  constructor(readonly reason: "lost" | "cancelled") {
    super(`The lease has ended: ${reason}`);
    this.name = "LeaseEnded";
  }
}

interface Setup {
  readonly store: Store;
  readonly timing: JobTiming;
  now(): Date;
  /** Called when a suspect job has made progress, so that other suspects may begin. */
  cleared(): void;
}

/**
 * A job and its only writer. Every commit checks the versionstamp of the previous one, so a worker
 * that has lost its job cannot write anything, however late it continues.
 */
export class HeldJob {
  readonly #setup: Setup;
  readonly #token: string;
  #stored: StoredJob;
  #committedMs: number;

  constructor(setup: Setup, stored: StoredJob) {
    assert(stored.job.lease);
    this.#setup = setup;
    this.#stored = stored;
    this.#token = stored.job.lease.token;
    this.#committedMs = setup.now().getTime();
  }

  /** The job as of the last commit. */
  get job(): Job {
    return this.#stored.job;
  }

  get isRunning(): boolean {
    return this.job.status === "running";
  }

  /**
   * Commits the effects of `work` and the job that it returns, and renews the lease. If another
   * check of `work` fails, `work` runs again. If the job itself was changed by others, this throws
   * `LeaseEnded`. `work` receives the versionstamp of the previous commit.
   */
  async commit(
    work: (write: Write, lastCommit: string) => Promise<Job>,
    options?: CommitOptions<Job>,
  ): Promise<void> {
    let tries = 0;
    const { value, versionstamp } = await transactVersioned(this.#setup, async (write) => {
      if (tries++ > 0) await this.refresh();
      const next = this.#renewed(await work(write, this.#stored.versionstamp));
      saveJob(write, this.#stored, next);
      return next;
    }, options);
    assert(versionstamp);
    const isCleared = this.job.isSuspect && !value.isSuspect;
    this.#stored = { job: value, versionstamp };
    if (isCleared) this.#setup.cleared();
    this.#committedMs = this.#setup.now().getTime();
  }

  /** Reads the row again, after a failed check or an unknown result of a commit. */
  async refresh(): Promise<void> {
    const stored = await findStoredJob(this.#setup.store, this.job);
    if (stored?.job.lease?.token !== this.#token) throw new LeaseEnded("lost");
    const isNews = stored.job.cancelRequested && !this.job.cancelRequested;
    this.#stored = stored;
    if (isNews) throw new LeaseEnded("cancelled");
  }

  checkpoint(
    moved: Parameters<typeof checkpointed>[1],
    effects?: (write: Write) => void | Promise<void>,
  ): Promise<void> {
    return this.commit(async (write) => {
      await effects?.(write);
      return checkpointed(this.job, moved);
    });
  }

  async beat(moved: Parameters<typeof checkpointed>[1]): Promise<void> {
    const sinceMs = this.#setup.now().getTime() - this.#committedMs;
    if (sinceMs >= this.#setup.timing.heartbeatMs) await this.checkpoint(moved);
  }

  /** Gives the job back while its step still runs. Later commits of that step fail. */
  async abandon(): Promise<void> {
    await transact(this.#setup, async (write) => {
      const stored = await findStoredJob(this.#setup.store, this.job);
      if (stored?.job.lease?.token === this.#token) saveJob(write, stored, handedOver(stored.job));
    });
  }

  #renewed(job: Job): Job {
    if (!job.lease) return job;
    const untilMs = this.#setup.now().getTime() + this.#setup.timing.leaseMs;
    return { ...job, lease: { ...job.lease, untilMs } };
  }
}

export interface RunSetup {
  /** The store for the steps; a stop makes it unusable. */
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly timing: JobTiming;
  readonly log: ReturnType<typeof roomLog>;
  readonly stopping: AbortSignal;
  /** Steps share the thread with requests of their workspace. */
  readonly thread: ThreadShare;
  /** True if a workspace without a running job of this kind waits for a slot. */
  isWaitedFor(): boolean;
}

/** The context of a job: its creator is the actor, its id is the request id. */
export function contextOf(
  { store, clock }: RunSetup,
  { workspaceId, createdBy, jobId }: Job,
): Context {
  return contextFor({ store, clock, requestId: jobId }, workspaceId, createdBy);
}
