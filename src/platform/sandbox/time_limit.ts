/** A hard end for synchronous work: `terminate()` of a Worker ends no busy loop, `node:vm` does. */

import { TooComplex } from "../../base/failure.ts";
import { Script } from "node:vm";

/** Where the script finds the work; nothing but the script can be given a time limit. */
const PLACE = "__workUnderTimeLimit";
const call = new Script(`globalThis.${PLACE}()`);

/** Thrown at the end of the time: what the work was changing is left half done. */
export class TimeIsUp extends TooComplex {}

/**
 * Does synchronous work for `limitMs` at most and gives back what it gives, or throws what it throws;
 * `TimeIsUp` when it takes longer. Neither memory nor anything asynchronous is bounded.
 */
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

/** Whether this platform ends work in time; tried with a loop that ends by itself otherwise. */
export function canEndWork(): boolean {
  // A machine that is very busy ends it late, and would be taken for one that cannot.
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
