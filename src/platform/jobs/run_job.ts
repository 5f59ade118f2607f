/**
 * Runs a claimed job step by step. A failed step is repeated after growing pauses, unless its error
 * is final.
 */
import { Failure } from "../../base/failure.ts";
import { contextOf, type HeldJob, LeaseEnded, type RunSetup } from "./held_job.ts";
import {
  advanced,
  ended,
  handedOver,
  hasEnded,
  type JobEnd,
  type JobKind,
  type JobTiming,
  putBack,
  type StepResult,
} from "./job.ts";

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
  // `JobRunner.stop` has already put the job back into the queue.
  if (setup.stopping.aborted) return;
  const { jobId, workspaceId } = held.job;
  setup.log.warning("job lost to another worker", { jobId, workspaceId, kind: kind.kind });
}

async function answerError(setup: RunSetup, kind: JobKind, held: HeldJob, error: unknown) {
  const { log, timing, clock, stopping } = setup;
  // A step that failed because the process stops does not count as a failed attempt.
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
