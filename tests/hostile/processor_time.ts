/** What hostile input costs: by processor time of the thread that looks at it, never by the clock. */
import process from "node:process";

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;

/** What this thread has used of the processor; of the whole process where the kernel does not tell. */
export function threadMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / NS_PER_MS;
  } catch {
    // Not Linux: the other threads of a test have little to do.
    const { user, system } = process.cpuUsage();
    return (user + system) / US_PER_MS;
  }
}

/** Processor time of one call; what it throws is an answer, too. */
export function costMs(work: () => unknown): number {
  const before = threadMs();
  try {
    work();
  } catch {
    // A refusal by exception: what counts is what came before it.
  }
  return threadMs() - before;
}

/** The least of three: a busy machine only adds. */
export function leastCostMs(work: () => unknown): number {
  return Math.min(costMs(work), costMs(work), costMs(work));
}

/** Each is four times the one before. The first ones stop what grows exponentially. */
const SIZES = [16, 64, 256, 1_024, 4_096, 16_384];
/** Below this nothing is judged: so much a pause of the collector may cost. */
const JUDGED_FROM_MS = 40;
/** Four times as much text may cost four times as much; sixteen times is quadratic. */
const GROWTH_MAX = 8;

/**
 * Why `work` grows faster than its text, or null. `textOf(n)` is about `n` characters long. The clock
 * only finds what is worth measuring: it never says less than the processor time.
 */
export function superlinearity(
  textOf: (n: number) => string,
  work: (text: string) => unknown,
): string | null {
  for (const n of SIZES) {
    const text = textOf(n);
    const began = performance.now();
    costMs(() => work(text));
    if (performance.now() - began < JUDGED_FROM_MS) continue;
    const four = leastCostMs(() => work(text));
    if (four < JUDGED_FROM_MS) continue;
    const quarter = textOf(n / 4);
    const one = leastCostMs(() => work(quarter));
    if (four > GROWTH_MAX * one) {
      return `${n / 4} characters cost ${one.toFixed(1)} ms, ${n} cost ${four.toFixed(1)} ms`;
    }
  }
  return null;
}
