/// <reference lib="deno.worker" />
/** The attackers' thread. It opens their servers, and runs each attack until "stop". */
import { type Attack, attackNow, openAccomplices } from "./crowd_attack.ts";
import type { Shift } from "./calls.ts";

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
