/** What work costs the thread that does it; a busy machine changes that less than the time it takes. */
import { cpuUsage } from "node:process";

const TRIES = 3;

/**
 * Milliseconds of the processor that `work` takes, the least of three tries: what else the process
 * does meanwhile only adds to them.
 */
export function mainThreadMs(work: () => void): number {
  const tries = Array.from({ length: TRIES }, () => {
    const before = cpuUsage();
    work();
    const { user, system } = cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...tries);
}
