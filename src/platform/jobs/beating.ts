import type { StepTools } from "./job.ts";

/** Also how late a cancellation is seen. */
const LOOK_MS = 1_500;

/**
 * Does long work without losing the job's lease. When the job is cancelled, taken over or the process
 * stops, the work is aborted and that is thrown.
 */
export async function beating<T>(
  tools: Pick<StepTools, "checkpoint" | "stopping">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const working = work(AbortSignal.any([tools.stopping, giveUp.signal]));
  const settled = working.then(() => true, () => true);
  for (;;) {
    if (await comesWithin(settled, LOOK_MS)) return await working;
    try {
      await tools.checkpoint();
    } catch (error) {
      giveUp.abort(error);
      await settled;
      throw error;
    }
  }
}

async function comesWithin(settled: Promise<boolean>, delayMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), delayMs);
  });
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
