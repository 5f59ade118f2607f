/** Times of jobs: leases, heartbeats, and the wait after a failed attempt. */
import { withTimeout } from "../event_loop.ts";
import type { StepTools } from "./job.ts";

/** Durations of the runner (design: jobs). Only tests change them. */
export interface JobTiming {
  /** A job whose owner has not committed for this long is free for others. */
  readonly leaseMs: number;
  /** A step without effects commits this often to keep its lease. */
  readonly heartbeatMs: number;
  /** After this long a job goes back behind the others of its kind. */
  readonly quantumMs: number;
  /** After this long already, while every slot of its kind is in use and another workspace waits for one. */
  readonly crowdedQuantumMs: number;
  /** How often ready and abandoned jobs are looked for without a wake-up. */
  readonly sweepMs: { readonly local: number; readonly remote: number };
  /**
   * How long a stop waits for running steps: once for those that end by themselves, and once more
   * for those that lose the store. Then it gives away the jobs of the rest.
   */
  readonly stopMs: number;
  /** Rest after the n-th unexpected error at one place; one more ends the job. */
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

/** Also how late a cancellation is seen. */
const LOOK_MS = 1_500;

/**
 * Does long work without losing the job's lease. When the job is cancelled, taken over or the process
 * stops, the work is aborted and that is thrown.
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
