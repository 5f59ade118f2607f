/**
 * Requests a server's health again and again, and prints each duration as a JSON line (`Beat`). It
 * is a separate process, because other work of the test would make responses look late.
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
    // During the restart, no process listens.
  }
  await pause(Number(everyMs));
}

/** CPU time of the server's main thread, and how long it has waited for a core, since its start. */
async function mainThread(): Promise<{ workedMs: number; waitedMs: number } | null> {
  if (pid === "") return null;
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/schedstat`);
    const [worked = NaN, waited = NaN] = text.split(" ").map((ns) => Number(ns) / NS_PER_MS);
    return { workedMs: worked, waitedMs: waited };
  } catch {
    // There is no `/proc`, or the process has ended.
    return null;
  }
}
