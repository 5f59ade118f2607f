import { Failure } from "../../base/failure.ts";
import { ended, handedOver, hasEnded, type JobEnd, type JobKind, putBack } from "./job.ts";
import { contextOf, type RunSetup } from "./job_context.ts";
import { type HeldJob, LeaseEnded } from "./held_job.ts";
import type { JobTiming } from "./job_timing.ts";
import { Stepper } from "./stepper.ts";

/** Takes steps until the job has ended, its turn is over, or it is no longer ours. */
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
  const { clockwork, timing, stopping } = setup;
  const beganMs = clockwork.now().getTime();
  const shouldYield = () => {
    const passedMs = clockwork.now().getTime() - beganMs;
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
      await (kind.waitsForOthers ? takeStep() : setup.thread.step(workspaceId, takeStep, stopping));
    }
  } finally {
    await stepper.drain();
  }
}

/** An error becomes data: the end of the job, or a rest before the next try. */
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
  // A stop has given it away itself.
  if (setup.stopping.aborted) return;
  const { jobId, workspaceId } = held.job;
  setup.log.warning("job lost to another worker", { jobId, workspaceId, kind: kind.kind });
}

async function answerError(setup: RunSetup, kind: JobKind, held: HeldJob, error: unknown) {
  const { log, timing, clockwork, stopping } = setup;
  // What a stop cuts off is no fault of the job.
  if (stopping.aborted) return await held.commit(() => Promise.resolve(handedOver(held.job)));
  if (error instanceof Failure && isFinal(error)) {
    const { code, message, details } = error;
    const reason = { code, message, ...(details ? { details } : {}) };
    return await end(setup, kind, held, { status: "failed", error: reason });
  }
  const { jobId, workspaceId, attempts } = held.job;
  log.error("job step failed", { jobId, workspaceId, kind: kind.kind, attempts, error });
  const restMs = timing.restsMs[Math.max(0, attempts - 1)];
  if (restMs === undefined) return await giveUp(setup, kind, held);
  const notBeforeMs = clockwork.now().getTime() + restMs;
  await held.commit(() => Promise.resolve(putBack(held.job, notBeforeMs)));
}

/** The caller's fault stays one however often it is tried; trouble of the store and lost races pass. */
function isFinal({ code, status }: Failure): boolean {
  return status < 500 && code !== "conflict";
}

async function end(setup: RunSetup, kind: JobKind, held: HeldJob, how: JobEnd): Promise<void> {
  await held.commit(async (write) => {
    const next = ended(held.job, how, setup.clockwork.now());
    await kind.finish?.(next, { ...contextOf(setup, held.job), write });
    return next;
  });
}

/** Ends a job that never gets further. It ends even when its kind cannot say goodbye. */
async function giveUp(setup: RunSetup, kind: JobKind, held: HeldJob): Promise<void> {
  const error = {
    code: "crash_loop",
    message: `Given up after ${attemptsMax(setup.timing)} attempts that broke off at one place`,
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

/** One try more than there are rests between them. */
function attemptsMax({ restsMs }: JobTiming): number {
  return restsMs.length + 1;
}

const nothing = () => Promise.resolve();
