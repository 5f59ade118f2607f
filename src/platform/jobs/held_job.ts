/**
 * `HeldJob` stores the progress of a job that this process has claimed. Each commit of `HeldJob`
 * checks that the job has not changed since the previous commit. Even if a step takes longer
 * than the lease, the changes of the step are made only once.
 */
import assert from "node:assert/strict";
import { Failure } from "../../base/failure.ts";
import type { roomLog } from "../log.ts";
import { type Context, contextFor, type Tools } from "../store/context.ts";
import { type Store, transact, transactVersioned, type Write } from "../store/kv.ts";
import { removeInBatches } from "../store/rows.ts";
import {
  advanced,
  checkpointed,
  claimed,
  ended,
  handedOver,
  hasEnded,
  type Job,
  type JobEnd,
  type JobKind,
  type JobLease,
  type JobTiming,
  putBack,
  reclaimed,
  type StepResult,
} from "./job.ts";
import {
  findStoredJob,
  jobs,
  listLeases,
  listOldJobs,
  readyRoundRobin,
  type ReadyRow,
  saveJob,
  type StoredJob,
} from "./job_store.ts";

class LeaseEnded extends Error {
  constructor(readonly reason: "lost" | "cancelled") {
    super(`The lease has ended: ${reason}`);
    this.name = "LeaseEnded";
  }
}

interface Setup {
  readonly store: Store;
  readonly timing: JobTiming;
  now(): Date;
  cleared(): void;
}

export class HeldJob {
  readonly #setup: Setup;
  readonly #token: string;
  #stored: StoredJob;
  #committedMs: number;

  constructor(setup: Setup, stored: StoredJob) {
    assert(stored.row.lease);
    this.#setup = setup;
    this.#stored = stored;
    this.#token = stored.row.lease.token;
    this.#committedMs = setup.now().getTime();
  }

  get job(): Job {
    return this.#stored.row;
  }

  get isRunning(): boolean {
    return this.job.status === "running";
  }

  /** `work` runs again if a check fails. */
  async commit(work: (write: Write, lastCommit: string) => Promise<Job>): Promise<void> {
    let tries = 0;
    const { value, versionstamp } = await transactVersioned(this.#setup, async (write) => {
      if (tries++ > 0) await this.refresh();
      const next = this.#renewed(await work(write, this.#stored.versionstamp));
      saveJob(write, this.#stored, next);
      return next;
    });
    assert(versionstamp);
    const isCleared = this.job.isSuspect && !value.isSuspect;
    this.#stored = { row: value, versionstamp };
    if (isCleared) this.#setup.cleared();
    this.#committedMs = this.#setup.now().getTime();
  }

  async refresh(): Promise<void> {
    const stored = await findStoredJob(this.#setup.store, this.job);
    if (stored?.row.lease?.token !== this.#token) throw new LeaseEnded("lost");
    const isNew = stored.row.cancelRequested && !this.job.cancelRequested;
    this.#stored = stored;
    if (isNew) throw new LeaseEnded("cancelled");
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

  /** Puts the job back into the queue while its step still runs; later commits of the step fail. */
  async abandon(): Promise<void> {
    await transact(this.#setup, async (write) => {
      const stored = await findStoredJob(this.#setup.store, this.job);
      if (stored?.row.lease?.token === this.#token) saveJob(write, stored, handedOver(stored.row));
    });
  }

  #renewed(job: Job): Job {
    if (!job.lease) return job;
    const untilMs = this.#setup.now().getTime() + this.#setup.timing.leaseMs;
    return { ...job, lease: { ...job.lease, untilMs } };
  }
}

interface RunSetup extends Tools {
  readonly timing: JobTiming;
  readonly log: ReturnType<typeof roomLog>;
  readonly stopping: AbortSignal;
}

function contextOf(
  { store, clock }: RunSetup,
  { workspaceId, createdBy, jobId }: Job,
): Context {
  return contextFor({ store, clock, requestId: jobId }, workspaceId, createdBy);
}

interface ClaimSetup {
  readonly store: Store;
  now(): Date;
  readonly lease: JobLease;
  hasRoom(workspaceId: string): boolean;
  readonly takesSuspects: boolean;
}

export async function claimNext(
  setup: ClaimSetup,
  kind: JobKind,
  afterWorkspaceId: string | null,
): Promise<StoredJob | null> {
  for await (const row of readyRoundRobin(setup.store, kind.kind, afterWorkspaceId)) {
    const taken = await claimOf(setup, kind, row);
    // Another process has claimed this job, but the workspace may have another due job.
    if (taken === "gone") return await claimNext(setup, kind, afterWorkspaceId);
    if (taken) return taken;
  }
  return null;
}

async function claimOf(
  setup: ClaimSetup,
  kind: JobKind,
  row: ReadyRow,
): Promise<StoredJob | "gone" | null> {
  if (row.notBeforeMs > setup.now().getTime() || !setup.hasRoom(row.workspaceId)) return null;
  const { value, versionstamp } = await transactVersioned(setup, async (write) => {
    const { isSerialPerWorkspace = false } = kind;
    const place = { store: setup.store, workspaceId: row.workspaceId };
    const holder = isSerialPerWorkspace ? await jobs.findBy(place, "turn", kind) : null;
    const stored = holder ?? await jobs.find(place, row);
    if (stored?.row.status !== "queued") {
      return holder && holder.row.jobId !== row.jobId ? null : "gone";
    }
    const { isSuspect, notBeforeMs } = stored.row;
    const isDue = notBeforeMs <= setup.now().getTime() && (setup.takesSuspects || !isSuspect);
    if (!isDue) return null;
    const next = claimed(stored.row, setup.lease, setup.now(), isSerialPerWorkspace);
    saveJob(write, stored, next);
    return next;
  });
  if (value === null || value === "gone") return value;
  return versionstamp === null ? null : { row: value, versionstamp };
}

export async function reclaimJobs(
  store: Store,
  untilMs: number,
  isDead: (lease: JobLease, job: Job) => boolean,
): Promise<number> {
  let count = 0;
  for await (const row of listLeases(store, untilMs)) {
    const value = await transact({ store }, async (write) => {
      const stored = await findStoredJob(store, row);
      // Read the lease again, because it may have been renewed since it was listed.
      const lease = stored?.row.lease;
      if (!stored || !lease || lease.untilMs >= untilMs || !isDead(lease, stored.row)) return false;
      saveJob(write, stored, reclaimed(stored.row));
      return true;
    });
    if (value) count++;
  }
  return count;
}

const BATCH_SIZE = 100;

interface JobSweep {
  takes(job: Job): boolean;
  removeRows(store: Store, job: Job): Promise<void>;
}

/** Deletes a job after `removeRows`, so that the next call continues an interrupted deletion. */
export async function sweepJobs(store: Store, madeBefore: Date, sweep: JobSweep): Promise<number> {
  return await removeInBatches(
    store,
    oldJobs(store, madeBefore, sweep),
    BATCH_SIZE,
    (write, job) => jobs.drop(write, job, job),
  );
}

async function* oldJobs(
  store: Store,
  madeBefore: Date,
  { takes, removeRows }: JobSweep,
): AsyncGenerator<Job> {
  for await (const job of listOldJobs(store, madeBefore.getTime())) {
    if (!hasEnded(job) || !takes(job)) continue;
    await removeRows(store, job);
    yield job;
  }
}

export async function runJob(setup: RunSetup, kind: JobKind, held: HeldJob): Promise<void> {
  try {
    await takeSteps(setup, kind, held);
  } catch (error) {
    await recover(setup, kind, held, error);
  }
  const { jobId, workspaceId, status, attempts, cancelRequested } = held.job;
  const facts = { jobId, workspaceId, kind: kind.kind, status, attempts, cancelRequested };
  if (hasEnded(held.job)) setup.log.info("job ended", { ...facts, error: held.job.error?.code });
  else setup.log.debug("job left", facts);
}

async function takeSteps(setup: RunSetup, kind: JobKind, held: HeldJob): Promise<void> {
  const { clock, timing, stopping } = setup;
  const beganMs = clock.now().getTime();
  const shouldYield = () => stopping.aborted || clock.now().getTime() - beganMs >= timing.quantumMs;
  while (held.isRunning) {
    if (held.job.cancelRequested) return await end(setup, kind, held, { status: "cancelled" });
    if (held.job.attempts > attemptsMax(timing)) return await giveUp(setup, kind, held);
    if (shouldYield()) return await held.commit(() => Promise.resolve(handedOver(held.job)));
    await takeStep(setup, kind, held, shouldYield);
  }
}

async function recover(
  setup: RunSetup,
  kind: JobKind,
  held: HeldJob,
  error: unknown,
): Promise<void> {
  try {
    if (error instanceof LeaseEnded) return await leave(setup, kind, held, error);
    await held.refresh();
    await answerError(setup, kind, held, error);
  } catch (later) {
    if (!(later instanceof LeaseEnded)) throw later;
    await leave(setup, kind, held, later);
  }
}

async function leave(setup: RunSetup, kind: JobKind, held: HeldJob, { reason }: LeaseEnded) {
  if (reason === "cancelled") return await end(setup, kind, held, { status: "cancelled" });
  // When the process stops, `JobRunner.stop` puts the job back into the queue.
  if (setup.stopping.aborted) return;
  const { jobId, workspaceId } = held.job;
  setup.log.warning("job lost to another worker", { jobId, workspaceId, kind: kind.kind });
}

async function answerError(setup: RunSetup, kind: JobKind, held: HeldJob, error: unknown) {
  const { log, timing, clock, stopping } = setup;
  // A step that fails because the process stops is not a failed attempt.
  if (stopping.aborted) return await held.commit(() => Promise.resolve(handedOver(held.job)));
  if (error instanceof Failure && error.status < 500 && error.code !== "conflict") {
    const { code, message, details } = error;
    const reason = { code, message, ...(details ? { details } : {}) };
    return await end(setup, kind, held, { status: "failed", error: reason });
  }
  const { jobId, workspaceId, attempts } = held.job;
  log.error("job step failed", { jobId, workspaceId, kind: kind.kind, attempts, error });
  const backoffMs = timing.backoffsMs[Math.max(0, attempts - 1)];
  if (backoffMs === undefined) return await giveUp(setup, kind, held);
  const notBeforeMs = clock.now().getTime() + backoffMs;
  await held.commit(() => Promise.resolve(putBack(held.job, notBeforeMs)));
}

async function end(setup: RunSetup, kind: JobKind, held: HeldJob, how: JobEnd): Promise<void> {
  await held.commit(async (write) => {
    const next = ended(held.job, how, setup.clock.now());
    await kind.finish?.(next, { ...contextOf(setup, held.job), write });
    return next;
  });
}

/** Ends a job that makes no progress, even if the `finish` of its kind fails. */
async function giveUp(setup: RunSetup, kind: JobKind, held: HeldJob): Promise<void> {
  const error = {
    code: "crash_loop",
    message: `Given up after ${attemptsMax(setup.timing)} attempts that failed at the same step`,
  };
  try {
    await end(setup, kind, held, { status: "failed", error });
  } catch (cause) {
    if (cause instanceof LeaseEnded) throw cause;
    const { jobId, workspaceId } = held.job;
    setup.log.error("job end failed", { jobId, workspaceId, kind: kind.kind, error: cause });
    await end(setup, { ...kind, finish: nothing }, held, { status: "failed", error });
  }
}

function attemptsMax({ backoffsMs }: JobTiming): number {
  return backoffsMs.length + 1;
}

const nothing = () => Promise.resolve();

async function takeStep(
  setup: RunSetup,
  kind: JobKind,
  held: HeldJob,
  shouldYield: () => boolean,
): Promise<void> {
  const { stopping, clock } = setup;
  let committed: StepResult["committed"];
  await held.commit(async (write, lastCommit) => {
    const { job } = held;
    const tools = { ...contextOf(setup, job), write };
    const result = await kind.step(job, {
      ...tools,
      lastCommit,
      shouldYield,
      stopping,
      checkpoint: (moved = {}, effects) => held.checkpoint(moved, effects),
      beat: (moved = {}) => held.beat(moved),
    });
    committed = result.committed;
    const next = advanced(job, result, clock.now());
    if (hasEnded(next)) await kind.finish?.(next, tools);
    return next;
  });
  committed?.();
}
