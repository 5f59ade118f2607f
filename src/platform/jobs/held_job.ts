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

/** The job belongs to another worker, or was cancelled. */
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
  /** A suspect got further: others may begin. */
  cleared(): void;
}

/**
 * A job with its one writer. Every commit checks the versionstamp that the last one
 * gave, so a worker that was overtaken, however late it wakes up, writes nothing.
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

  /** As of the last commit. */
  get job(): Job {
    return this.#stored.job;
  }

  get isRunning(): boolean {
    return this.job.status === "running";
  }

  /**
   * Commits what `work` writes together with the job that it answers, and moves the lease. When another
   * check of `work` lost its race, `work` runs again; when the job did: `LeaseEnded`. `work` gets the
   * versionstamp of the previous commit.
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

  /** Reads the row again: after a lost race, or when the result of a commit is unknown. */
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

  /** Gives the job away while its step still runs: whatever that step commits later, fails. */
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
  /** The store of the steps, until a stop ends it. */
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly timing: JobTiming;
  readonly log: ReturnType<typeof roomLog>;
  readonly stopping: AbortSignal;
  /** Steps share the thread with the requests of their workspace. */
  readonly thread: ThreadShare;
  /** True while a workspace without a running job of the kind waits for a slot. */
  isWaitedFor(): boolean;
}

/** The context of a job: its creator as actor, and its own id as request. */
export function contextOf(
  { store, clock }: RunSetup,
  { workspaceId, createdBy, jobId }: Job,
): Context {
  return contextFor({ store, clock, requestId: jobId }, workspaceId, createdBy);
}
