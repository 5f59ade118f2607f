/// <reference lib="deno.worker" />
/**
 * The attackers' thread: opens their shops and receivers, then runs each attack from its message until
 * "stop". A separate thread, so that attacking does not delay measured work.
 */
import { type Attack, attackNow, openAccomplices } from "./crowd_attack.ts";
import type { Shift } from "./crowd_work.ts";

let attack: Shift | null = null;

self.onmessage = async ({ data }: MessageEvent<Attack | "stop">) => {
  if (data !== "stop") {
    attack = attackNow(data);
    return;
  }
  await attack?.stop();
  self.postMessage("stopped");
};

self.postMessage(openAccomplices());
