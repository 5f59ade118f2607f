/**
 * `HeldJob` runs a job that this process has claimed, and stores its progress. Each commit of
 * `HeldJob` checks that the job has not changed since the previous commit. Even if a step takes
 * longer than the lease, the changes of the step are made only once.
 */
import assert from "node:assert/strict";
import { Failure } from "../../base/failure.ts";
import type { RoomLog } from "../log.ts";
import { contextFor, type Tools } from "../store/context.ts";
import { transact, transactVersioned, type Write } from "../store/kv.ts";
import {
  advanced,
  type Checkpoint,
  checkpointed,
  ended,
  handedOver,
  hasEnded,
  type Job,
  type JobEnd,
  type JobKind,
  type JobTiming,
  requeued,
  type StepResult,
} from "./job.ts";
import { findStoredJob, saveJob, type StoredJob } from "./job_store.ts";

class LeaseEnded extends Error {
  constructor(readonly reason: "lost" | "cancelled") {
    super(`The lease has ended: ${reason}`);
    this.name = "LeaseEnded";
  }
}

interface RunSetup extends Tools {
  readonly timing: JobTiming;
  readonly log: RoomLog;
  readonly stopping: AbortSignal;
}

export class HeldJob {
  readonly kind: JobKind;
  readonly token: string;
  readonly #setup: RunSetup;
  #stored: StoredJob;
  #committedMs: number;

  constructor(setup: RunSetup, kind: JobKind, stored: StoredJob) {
    assert(stored.row.lease);
    this.#setup = setup;
    this.kind = kind;
    this.#stored = stored;
    this.token = stored.row.lease.token;
    this.#committedMs = this.#nowMs;
  }

  get job(): Job {
    return this.#stored.row;
  }

  async run(): Promise<void> {
    try {
      await this.#takeSteps();
    } catch (error) {
      await this.#recover(error);
    }
    const { status, attempts, cancelRequested, error } = this.job;
    const facts = { ...this.#names, status, attempts, cancelRequested };
    if (hasEnded(this.job)) this.#setup.log.info("job ended", { ...facts, error: error?.code });
    else this.#setup.log.debug("job left", facts);
  }

  /** Puts the job back into the queue while its step still runs; later commits of the step fail. */
  async abandon(): Promise<void> {
    await transact(this.#setup, async (write) => {
      const stored = await findStoredJob(this.#setup.store, this.job);
      if (stored?.row.lease?.token === this.token) saveJob(write, stored, handedOver(stored.row));
    });
  }

  get #nowMs(): number {
    return this.#setup.clock.now().getTime();
  }

  get #names() {
    const { jobId, workspaceId, kind } = this.job;
    return { jobId, workspaceId, kind };
  }

  get #context() {
    const { workspaceId, createdBy, jobId } = this.job;
    return contextFor({ ...this.#setup, requestId: jobId }, workspaceId, createdBy);
  }

  get #attemptsMax(): number {
    return this.#setup.timing.backoffsMs.length + 1;
  }

  async #takeSteps(): Promise<void> {
    const { timing, stopping } = this.#setup;
    const beganMs = this.#nowMs;
    const shouldYield = () => stopping.aborted || this.#nowMs - beganMs >= timing.quantumMs;
    while (this.job.status === "running") {
      if (this.job.cancelRequested) return await this.#end({ status: "cancelled" });
      if (this.job.attempts > this.#attemptsMax) return await this.#giveUp();
      if (shouldYield()) return await this.#commit(() => handedOver(this.job));
      await this.#takeStep(shouldYield);
    }
  }

  async #takeStep(shouldYield: () => boolean): Promise<void> {
    const { stopping, clock } = this.#setup;
    let committed: StepResult["committed"];
    await this.#commit(async (write) => {
      const tools = { ...this.#context, write };
      const result = await this.kind.step(this.job, {
        ...tools,
        lastCommit: this.#stored.versionstamp,
        shouldYield,
        stopping,
        checkpoint: (moved = {}, effects) => this.#checkpoint(moved, effects),
        beat: async (moved = {}) => {
          const sinceMs = this.#nowMs - this.#committedMs;
          if (sinceMs >= this.#setup.timing.heartbeatMs) await this.#checkpoint(moved);
        },
      });
      committed = result.committed;
      const next = advanced(this.job, result, clock.now());
      if (hasEnded(next)) await this.kind.finish?.(next, tools);
      return next;
    });
    committed?.();
  }

  #checkpoint(
    moved: Checkpoint,
    effects?: (write: Write) => void | Promise<void>,
  ): Promise<void> {
    return this.#commit(async (write) => {
      await effects?.(write);
      return checkpointed(this.job, moved);
    });
  }

  /** Repeats `work` if a version check fails; throws if the job was taken over or cancelled. */
  async #commit(work: (write: Write) => Job | Promise<Job>): Promise<void> {
    let tries = 0;
    const { value, versionstamp } = await transactVersioned(this.#setup, async (write) => {
      if (tries++ > 0) await this.#refresh();
      const next = this.#renewed(await work(write));
      saveJob(write, this.#stored, next);
      return next;
    });
    assert(versionstamp);
    this.#stored = { row: value, versionstamp };
    this.#committedMs = this.#nowMs;
  }

  #renewed(job: Job): Job {
    const untilMs = this.#nowMs + this.#setup.timing.leaseMs;
    return job.lease ? { ...job, lease: { ...job.lease, untilMs } } : job;
  }

  async #refresh(): Promise<void> {
    const stored = await findStoredJob(this.#setup.store, this.job);
    if (stored?.row.lease?.token !== this.token) throw new LeaseEnded("lost");
    const isNew = stored.row.cancelRequested && !this.job.cancelRequested;
    this.#stored = stored;
    if (isNew) throw new LeaseEnded("cancelled");
  }

  async #recover(error: unknown): Promise<void> {
    try {
      if (error instanceof LeaseEnded) return await this.#leave(error);
      await this.#refresh();
      await this.#answerError(error);
    } catch (later) {
      if (!(later instanceof LeaseEnded)) throw later;
      await this.#leave(later);
    }
  }

  async #leave({ reason }: LeaseEnded): Promise<void> {
    if (reason === "cancelled") return await this.#end({ status: "cancelled" });
    // Log no warning while the process stops: `JobRunner.stop` puts the job back into the queue.
    if (this.#setup.stopping.aborted) return;
    this.#setup.log.warning("job lost to another worker", this.#names);
  }

  async #answerError(error: unknown): Promise<void> {
    const { log, timing, stopping } = this.#setup;
    // A step that fails because the process stops is not a failed attempt.
    if (stopping.aborted) return await this.#commit(() => handedOver(this.job));
    if (error instanceof Failure && error.status < 500 && error.code !== "conflict") {
      const { code, message, details } = error;
      const reason = { code, message, ...(details ? { details } : {}) };
      return await this.#end({ status: "failed", error: reason });
    }
    const { attempts } = this.job;
    log.error("job step failed", { ...this.#names, attempts, error });
    const backoffMs = timing.backoffsMs[Math.max(0, attempts - 1)];
    if (backoffMs === undefined) return await this.#giveUp();
    const notBeforeMs = this.#nowMs + backoffMs;
    await this.#commit(() => requeued(this.job, { notBeforeMs }));
  }

  async #end(how: JobEnd, finish = this.kind.finish): Promise<void> {
    await this.#commit(async (write) => {
      const next = ended(this.job, how, this.#setup.clock.now());
      await finish?.(next, { ...this.#context, write });
      return next;
    });
  }

  async #giveUp(): Promise<void> {
    const message = `Given up after ${this.#attemptsMax} attempts that failed at the same step`;
    const end = { status: "failed", error: { code: "crash_loop", message } } as const;
    try {
      await this.#end(end);
    } catch (cause) {
      if (cause instanceof LeaseEnded) throw cause;
      this.#setup.log.error("job end failed", { ...this.#names, error: cause });
      await this.#end(end, () => Promise.resolve());
    }
  }
}
