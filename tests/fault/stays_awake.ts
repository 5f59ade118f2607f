import { ok } from "node:assert/strict";
import { startProbe } from "../load/process_figures.ts";
import { until } from "../patience.ts";

/** What an event loop may be held up, also on a busy machine. */
const WAIT_MS_MAX = 1_500;

/** Asks `/healthz` while something is done: nobody may wait long. */
export async function staysAwake(
  base: string,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  const probe = startProbe(base);
  try {
    await until("the server is asked", () => probe.beats.length > 0);
    await work();
  } finally {
    probe.stop();
  }
  const longestMs = Math.max(...probe.beats.map(({ tookMs }) => tookMs));
  ok(longestMs < WAIT_MS_MAX, `${what}: /healthz waited for ${Math.round(longestMs)} ms`);
}
