/// <reference lib="deno.worker" />
/** The Worker's side of the sandbox: it receives jobs and runs each with a time limit. */
import { TooComplex } from "../../base/failure.ts";
import { threadCpuUsage } from "node:process";
import { Script } from "node:vm";

export function serveSandbox<J>(work: (job: J) => unknown): void {
  self.onmessage = ({ data }: MessageEvent<SandboxTask<J>>) => {
    self.postMessage(answerOf(data, work));
  };
  const ready: SandboxReady = { hasTimeLimit: canEndWork() };
  self.postMessage(ready);
}

function answerOf<J>(
  { job, limitMs }: SandboxTask<J>,
  work: (job: J) => unknown,
): SandboxAnswer<unknown> {
  const before = threadCpuUsage();
  try {
    return { kind: "done", value: withinTime(limitMs, () => work(job)) };
  } catch (error) {
    if (isTooComplex(error)) {
      const { user, system } = threadCpuUsage(before);
      const spentMs = error instanceof TimeIsUp ? (user + system) / 1_000 : null;
      return { kind: "too_complex", message: error.message, spentMs };
    }
    return { kind: "failed", stack: error instanceof Error ? error.stack ?? "" : String(error) };
  }
}

function isTooComplex(error: unknown): error is Error {
  return error instanceof TooComplex || error instanceof RangeError;
}

export interface SandboxReady {
  readonly hasTimeLimit: boolean;
}

interface SandboxTask<J> {
  readonly job: J;
  readonly limitMs: number;
}

export type SandboxAnswer<T> =
  | { readonly kind: "done"; readonly value: T }
  /**
   * If the time limit stopped the job, `spentMs` is its processor time, and the state of the Worker
   * is unknown.
   */
  | { readonly kind: "too_complex"; readonly message: string; readonly spentMs: number | null }
  | { readonly kind: "failed"; readonly stack: string };

/** Name of the global function that `call` runs, because `node:vm` can stop only scripts. */
const PLACE = "__workUnderTimeLimit";
const call = new Script(`globalThis.${PLACE}()`);

/** Thrown when the time limit stopped the work, whose data may then be inconsistent. */
class TimeIsUp extends TooComplex {}

/** `work` must be synchronous, and its memory is not limited. */
export function withinTime<T>(limitMs: number, work: () => T): T {
  const done: T[] = [];
  Reflect.set(globalThis, PLACE, () => {
    done.push(work());
  });
  try {
    call.runInThisContext({ timeout: limitMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new TimeIsUp(`The work took longer than ${limitMs} ms`);
  } finally {
    Reflect.deleteProperty(globalThis, PLACE);
  }
  for (const value of done) return value;
  throw new Error("The work was not done");
}

export function canEndWork(): boolean {
  const tryMs = 10_000;
  try {
    withinTime(1, () => {
      const endsAt = performance.now() + tryMs;
      while (performance.now() < endsAt);
    });
    return false;
  } catch (error) {
    return error instanceof TimeIsUp;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
