/** Times of jobs: leases, heartbeats, and the wait after a failed attempt. */
import { withTimeout } from "../event_loop.ts";
import type { StepTools } from "./job.ts";

/** Durations of the runner. Only tests change them. */
export interface JobTiming {
  /** A job whose owner has not committed for this long may be claimed by others. */
  readonly leaseMs: number;
  /** A step without effects commits at this interval to keep its lease. */
  readonly heartbeatMs: number;
  /** After this long, a job goes back into the queue behind the others of its kind. */
  readonly quantumMs: number;
  /** Like `quantumMs`, if every slot of the kind is in use and another workspace waits for one. */
  readonly crowdedQuantumMs: number;
  /** Interval of searching for ready and abandoned jobs without a wake-up. */
  readonly sweepMs: { readonly local: number; readonly remote: number };
  /**
   * How long a stop waits for running steps: first for steps that end by themselves, then again for
   * steps that lose the store. Then it gives back the jobs of all others.
   */
  readonly stopMs: number;
  /** Delay after the n-th unexpected error at one place; after one more error the job ends. */
  readonly restsMs: readonly number[];
}

export const DEFAULT_JOB_TIMING: JobTiming = {
  leaseMs: 10_000,
  heartbeatMs: 3_000,
  quantumMs: 20_000,
  crowdedQuantumMs: 1_000,
  sweepMs: { local: 1_000, remote: 5_000 },
  stopMs: 300,
  restsMs: [1_000, 5_000, 30_000, 120_000],
};

/** Interval of checking the work. A cancellation is noticed within this time. */
const LOOK_MS = 1_500;

/**
 * Runs long work without losing the job's lease. If the job is cancelled or taken over, or the
 * process stops, it aborts the work and throws the reason.
 */
export async function withHeartbeat<T>(
  tools: Pick<StepTools, "checkpoint" | "stopping">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const working = work(AbortSignal.any([tools.stopping, giveUp.signal]));
  const settled = Promise.allSettled([working]);
  for (;;) {
    if (await withTimeout(LOOK_MS, settled)) return await working;
    try {
      await tools.checkpoint();
    } catch (error) {
      giveUp.abort(error);
      await settled;
      throw error;
    }
  }
}
