/// <reference lib="deno.worker" />
/** Asks a server ten times a second whether it lives, and tells how long each answer took. */
import { pause } from "../patience.ts";
import type { Beat, Probed } from "./process_figures.ts";

const EVERY_MS = 100;
const NS_PER_MS = 1e6;

self.onmessage = async ({ data: { base, pid } }: MessageEvent<Probed>) => {
  for (;;) {
    const [beganAt, begun] = [performance.now(), await mainThreadMs(pid)];
    try {
      const answer = await fetch(`${base}/healthz`);
      await answer.body?.cancel();
      const tookMs = performance.now() - beganAt;
      const ended = await mainThreadMs(pid);
      const workedMs = begun === null || ended === null ? null : ended - begun;
      const beat: Omit<Beat, "atMs"> = { tookMs, workedMs };
      self.postMessage(beat);
    } catch {
      // Between two processes nobody listens: that is no delay of an event loop.
    }
    await pause(EVERY_MS);
  }
};

/** What the first thread of a process has had of the processor since it began. */
async function mainThreadMs(pid: number | null): Promise<number | null> {
  if (pid === null) return null;
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/schedstat`);
    return Number(text.split(" ")[0]) / NS_PER_MS;
  } catch {
    // Not Linux, or the process has ended.
    return null;
  }
}
