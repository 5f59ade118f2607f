import { pause } from "../patience.ts";
/// <reference lib="deno.worker" />
/** Asks a server ten times a second whether it lives, and tells how long each answer took. */

const EVERY_MS = 100;

self.onmessage = async ({ data: base }: MessageEvent<string>) => {
  for (;;) {
    const beganAt = performance.now();
    try {
      const answer = await fetch(`${base}/healthz`);
      await answer.body?.cancel();
      self.postMessage(performance.now() - beganAt);
    } catch {
      // Between two processes nobody listens: that is no delay of an event loop.
    }
    await pause(EVERY_MS);
  }
};
