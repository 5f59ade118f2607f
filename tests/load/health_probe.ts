/**
 * Requests the health of a server repeatedly, and prints each answer as a JSON line (`Beat`). The
 * probe runs in its own process, so that other work of the test does not make answers look late.
 */
import { argv, stdout } from "node:process";
import { pause } from "../patience.ts";
import type { Beat } from "./process_figures.ts";

const NS_PER_MS = 1e6;

const [base = "", pid = "", everyMs = ""] = argv.slice(2);
for (;;) {
  const [beganAt, before] = [performance.now(), await mainThread()];
  try {
    const answer = await fetch(`${base}/healthz`);
    await answer.body?.cancel();
    const tookMs = performance.now() - beganAt;
    const after = await mainThread();
    const isKnown = before !== null && after !== null;
    const beat: Omit<Beat, "atMs"> = {
      tookMs,
      workedMs: isKnown ? after.workedMs - before.workedMs : null,
      waitedMs: isKnown ? after.waitedMs - before.waitedMs : null,
    };
    stdout.write(`${JSON.stringify(beat)}\n`);
  } catch {
    // A failed request prints nothing, because no process listens while the server restarts.
  }
  await pause(Number(everyMs));
}

/** Processor time of the server's main thread since its start, and its time waiting for a core. */
async function mainThread(): Promise<{ workedMs: number; waitedMs: number } | null> {
  if (pid === "") return null;
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/schedstat`);
    const [worked = NaN, waited = NaN] = text.split(" ").map((ns) => Number(ns) / NS_PER_MS);
    return { workedMs: worked, waitedMs: waited };
  } catch {
    // The system has no `/proc`, or the process has ended.
    return null;
  }
}
