/// <reference lib="deno.worker" />
/** The thread of an attack: begins it with the first message and ends it with the second. */
import { type Attack, attackNow } from "./crowd_attack.ts";
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
