/// <reference lib="deno.worker" />
/**
 * The thread of the attackers: their shops and receivers, which open when it begins, and each attack,
 * from its message to "stop". What any of it costs delays nobody who is measured.
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
