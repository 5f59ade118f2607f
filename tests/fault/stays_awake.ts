import { ok } from "node:assert/strict";
import { startProbe } from "../load/process_figures.ts";
import { HANG_MS, until } from "../patience.ts";
import { serverPid } from "../program.ts";

/**
 * What an event loop may be held up: what its thread works while somebody waits. The wait itself grows
 * with whatever else the machine does, and judges no more than that there is an answer.
 */
const WORK_MS_MAX = 1_500;

/** Asks `/healthz` of the server of a folder while something is done: nobody may wait long. */
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
