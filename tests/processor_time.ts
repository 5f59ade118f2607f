/** CPU time of work, which depends less on the load of the machine than its duration. */
import { cpuUsage } from "node:process";

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const TRIES = 3;

/** CPU time of all threads of this process, in milliseconds. */
export function processMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / US_PER_MS;
}

/** CPU time of this thread in ms; of the process if the kernel does not report threads. */
export function threadMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / NS_PER_MS;
  } catch {
    // The system is not Linux. Other threads do little in a test.
    return processMs();
  }
}

export function costMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** The minimum of several calls, because other load only adds time. */
export function leastCostMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => costMs(work)));
}

/** Treats an exception as a refusal of the input, so that its cost can be measured. */
export function orRefusal(work: () => unknown): () => void {
  return () => {
    try {
      work();
    } catch {
      // The work has refused the input.
    }
  };
}
