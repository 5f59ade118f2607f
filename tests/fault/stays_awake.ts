import { ok } from "node:assert/strict";
import { startProbe } from "../load/process_figures.ts";
import { HANG_MS, until } from "../patience.ts";
import { serverPid } from "../program.ts";

/**
 * Maximum CPU time of the event loop's thread while a request waits. The waiting time itself may be
 * much longer, because it depends on the machine's load.
 */
const WORK_MS_MAX = 1_500;

/** Requests `/healthz` during `work`; fails if a request waits too long for the event loop. */
export async function staysAwake(
  { base, dataDir, workMsMax = WORK_MS_MAX }: {
    readonly base: string;
    readonly dataDir: string;
    readonly workMsMax?: number;
  },
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  const probe = startProbe(base, { pid: await serverPid(dataDir) });
  try {
    await until("the server is asked", () => probe.beats.length > 0);
    await work();
  } finally {
    await probe.stop();
  }
  for (const { tookMs, workedMs } of probe.beats) {
    const heldMs = workedMs === null ? tookMs : Math.min(tookMs, workedMs);
    ok(heldMs < workMsMax, `${what}: /healthz waited for ${Math.round(heldMs)} ms of work`);
    ok(tookMs < HANG_MS, `${what}: /healthz waited for ${Math.round(tookMs)} ms`);
  }
}
