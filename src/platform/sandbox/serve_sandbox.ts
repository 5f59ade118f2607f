import { TooComplex } from "../../base/failure.ts";
import type { SandboxAnswer, SandboxReady, SandboxTask } from "./sandbox_message.ts";
import { canEndWork, TimeIsUp, withinTime } from "./time_limit.ts";

/// <reference lib="deno.worker" />
/** The Worker's side of a sandbox. */

/** Does what comes in, one job after the other, each within its time. Called once, by a Worker's module. */
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
  try {
    return { kind: "done", value: withinTime(limitMs, () => work(job)) };
  } catch (error) {
    if (isTooComplex(error)) {
      return {
        kind: "too_complex",
        message: error.message,
        isSpent: error instanceof TimeIsUp,
      };
    }
    return { kind: "failed", stack: error instanceof Error ? error.stack ?? "" : String(error) };
  }
}

/** A stack or a text that the engine cannot hold is too much work, too. */
function isTooComplex(error: unknown): error is Error {
  return error instanceof TooComplex || error instanceof RangeError;
}
