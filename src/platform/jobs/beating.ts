import { comesWithin } from "../comes_within.ts";
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
  const settled = Promise.allSettled([working]);
  for (;;) {
    if (await comesWithin(LOOK_MS, settled)) return await working;
    try {
      await tools.checkpoint();
    } catch (error) {
      giveUp.abort(error);
      await settled;
      throw error;
    }
  }
}
