/**
 * Runs a claimed job step by step. One commit contains the progress and the effects of a step. A
 * failed step is repeated after growing pauses, unless its error is final.
 */
import { Failure } from "../../base/failure.ts";
import { MeasuredWrite, type Write } from "../store/kv.ts";
import { contextOf, type HeldJob, LeaseEnded, type RunSetup } from "./held_job.ts";
import {
  advanced,
  ended,
  handedOver,
  hasEnded,
  type Job,
  type JobEnd,
  type JobKind,
  type JobTiming,
  NO_WORKSPACE,
  putBack,
  type StepResult,
  type StepTools,
} from "./job.ts";

/** Runs steps until the job has ended, its time slice is over, or the lease is lost. */
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
  const shouldYield = () => {
    const passedMs = clock.now().getTime() - beganMs;
    return stopping.aborted || passedMs >= timing.quantumMs ||
      (passedMs >= timing.crowdedQuantumMs && setup.isWaitedFor());
  };
  const stepper = new Stepper(setup, kind, held, shouldYield);
  const takeStep = () => stepper.take();
  const { workspaceId } = held.job;
  try {
    while (held.isRunning) {
      if (held.job.cancelRequested) return await end(setup, kind, held, { status: "cancelled" });
      if (held.job.attempts > attemptsMax(timing)) return await giveUp(setup, kind, held);
      if (shouldYield()) return await held.commit(() => Promise.resolve(handedOver(held.job)));
      // A job for the whole store has no workspace, so it needs no share of the thread.
      const isShared = !kind.waitsForOthers && workspaceId !== NO_WORKSPACE;
      await (isShared ? setup.thread.step(workspaceId, takeStep, stopping) : takeStep());
    }
  } finally {
    await stepper.drain();
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
  // The stop has already put the job back into the queue.
  if (setup.stopping.aborted) return;
  const { jobId, workspaceId } = held.job;
  setup.log.warning("job lost to another worker", { jobId, workspaceId, kind: kind.kind });
}

async function answerError(setup: RunSetup, kind: JobKind, held: HeldJob, error: unknown) {
  const { log, timing, clock, stopping } = setup;
  // A step that a stop has interrupted does not count as a failed attempt.
  if (stopping.aborted) return await held.commit(() => Promise.resolve(handedOver(held.job)));
  if (error instanceof Failure && isFinal(error)) {
    const { code, message, details } = error;
    const reason = { code, message, ...(details ? { details } : {}) };
    return await end(setup, kind, held, { status: "failed", error: reason });
  }
  const { jobId, workspaceId, attempts } = held.job;
  log.error("job step failed", { jobId, workspaceId, kind: kind.kind, attempts, error });
  const backoffMs = timing.backoffsMs[held.job.errors ?? 0];
  if (backoffMs === undefined || attempts >= attemptsMax(timing)) {
    return await giveUp(setup, kind, held);
  }
  const notBeforeMs = clock.now().getTime() + backoffMs;
  await held.commit(() => Promise.resolve(putBack(held.job, notBeforeMs)));
}

function isFinal({ code, status }: Failure): boolean {
  return status < 500 && code !== "conflict";
}

async function end(setup: RunSetup, kind: JobKind, held: HeldJob, how: JobEnd): Promise<void> {
  await held.commit(async (write) => {
    const next = ended(held.job, how, setup.clock.now());
    await kind.finish?.(next, { ...contextOf(setup, held.job), write });
    return next;
  });
}

/** Ends a job that makes no progress, even if `finish` of its kind fails. */
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

interface Ahead {
  readonly write: MeasuredWrite;
  readonly result: StepResult;
}

/** Runs the next step while a step is committed. If the commit fails, the next step runs again. */
class Stepper {
  readonly #setup: RunSetup;
  readonly #kind: JobKind;
  readonly #held: HeldJob;
  readonly #shouldYield: () => boolean;
  #ahead: Promise<Ahead | null> = Promise.resolve(null);

  constructor(setup: RunSetup, kind: JobKind, held: HeldJob, shouldYield: () => boolean) {
    this.#setup = setup;
    this.#kind = kind;
    this.#held = held;
    this.#shouldYield = shouldYield;
  }

  async take(): Promise<void> {
    const ahead = await this.#takeAhead();
    let isNextIndependent = false;
    let committed: StepResult["committed"];
    await this.#held.commit(async (write, lastCommit) => {
      const { job } = this.#held;
      const result = write === ahead?.write ? ahead.result : await this.#takeAgain(job, write);
      // If a stop has taken the store from the step, the result of the step is invalid.
      this.#setup.store.ended?.throwIfAborted();
      result.checks?.(lastCommit);
      isNextIndependent = result.isNextIndependent === true;
      committed = result.committed;
      const next = advanced(job, result, this.#setup.clock.now());
      const ctx = contextOf(this.#setup, job);
      if (hasEnded(next)) await this.#kind.finish?.(next, { ...ctx, write });
      return next;
    }, {
      ...(ahead ? { begun: ahead.write } : {}),
      committing: (next) => {
        if (!isNextIndependent || hasEnded(next) || this.#shouldYield()) return;
        this.#ahead = this.#workAhead(next);
      },
    });
    committed?.();
  }

  /** Waits for the step that runs ahead, because this step may still read from the store. */
  async drain(): Promise<void> {
    await this.#ahead;
  }

  async #takeAhead(): Promise<Ahead | null> {
    const ahead = await this.#ahead;
    this.#ahead = Promise.resolve(null);
    return ahead;
  }

  async #takeAgain(job: Job, write: Write): Promise<StepResult> {
    await this.#takeAhead();
    return await this.#kind.step(job, this.#tools(job, write, this.#held));
  }

  /** Runs the next step before the current step is committed. Null if the next step fails. */
  async #workAhead(job: Job): Promise<Ahead | null> {
    const write = new MeasuredWrite(this.#setup.store);
    try {
      return { write, result: await this.#kind.step(job, this.#tools(job, write, NOT_YET)) };
    } catch {
      return null;
    }
  }

  #tools(job: Job, write: Write, commits: Pick<HeldJob, "checkpoint" | "beat">): StepTools {
    return {
      ...contextOf(this.#setup, job),
      write,
      shouldYield: this.#shouldYield,
      stopping: this.#setup.stopping,
      checkpoint: (moved = {}, effects) =>
        this.#unlessGone(() => commits.checkpoint(moved, effects)),
      beat: (moved = {}) => this.#unlessGone(() => commits.beat(moved)),
    };
  }

  /** Throws after a stop. Steps that read nothing for a long time notice a stop only here. */
  async #unlessGone(work: () => Promise<void>): Promise<void> {
    this.#setup.store.ended?.throwIfAborted();
    await work();
  }
}

/** A step that runs ahead must not commit, so a checkpoint ends the step. */
const NOT_YET: Pick<HeldJob, "checkpoint" | "beat"> = {
  checkpoint: () => Promise.reject(new Error("A step that is taken ahead has no checkpoints")),
  beat: () => Promise.resolve(),
};
