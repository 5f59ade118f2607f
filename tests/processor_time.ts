/** Measures CPU time, which depends less on the load of the machine than elapsed time. */
import { cpuUsage } from "node:process";

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const TRIES = 3;

export function processMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / US_PER_MS;
}

/** CPU time of this thread in ms, or of the whole process if the kernel reports no threads. */
export function threadMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / NS_PER_MS;
  } catch {
    return processMs();
  }
}

export function costMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** Takes the minimum of several calls, because other load only adds time. */
export function leastCostMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => costMs(work)));
}

export function orRefusal(work: () => unknown): () => void {
  return () => {
    try {
      work();
    } catch {
      // Callers also measure work that throws.
    }
  };
}

const TICK_MS = 10;

/** CPU time in milliseconds of a process, over all of its threads. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory in MiB, now (`VmRSS`) or at its peak (`VmHWM`); null if `/proc` has no such process. */
export async function memoryMib(pid: number, name: "VmRSS" | "VmHWM"): Promise<number | null> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1_024;
  } catch {
    return null;
  }
}

export async function writtenBytes(pid: number): Promise<number> {
  const io = await Deno.readTextFile(`/proc/${pid}/io`);
  return Number(/^wchar: (\d+)/m.exec(io)?.[1]);
}
