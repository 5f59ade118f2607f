/** What work costs the processor; a busy machine changes that less than the time it takes. */
import { cpuUsage } from "node:process";

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const TRIES = 3;

/** All threads of this process since it began, in milliseconds. */
export function processMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / US_PER_MS;
}

/** This thread since it began, in milliseconds; the whole process where the kernel does not tell. */
export function threadMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / NS_PER_MS;
  } catch {
    // Not Linux: the other threads of a test have little to do.
    return processMs();
  }
}

/** The processor time that this thread takes for one call. */
export function costMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** The least of three calls: what else the machine does only adds. */
export function leastCostMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => costMs(work)));
}

/** What throws has refused its input: what counts is what that cost. */
export function orRefusal(work: () => unknown): () => void {
  return () => {
    try {
      work();
    } catch {
      // An answer, too.
    }
  };
}
