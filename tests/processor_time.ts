/** Measures CPU time, which depends less on the load of the machine than elapsed time. */
import { cpuUsage } from "node:process";

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const TRIES = 3;

export function processMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / US_PER_MS;
}

/**
 * CPU time of this thread in milliseconds, or of the process if the kernel does not report threads.
 */
export function threadMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / NS_PER_MS;
  } catch {
    // Systems other than Linux report only the process. Other threads do little in a test.
    return processMs();
  }
}

export function costMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** The minimum CPU time of several calls, because other load only adds time. */
export function leastCostMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => costMs(work)));
}

/** Ignores the exceptions with which `work` refuses its input, so that its cost can be measured. */
export function orRefusal(work: () => unknown): () => void {
  return () => {
    try {
      work();
    } catch {
      // The input was refused.
    }
  };
}
