/** Waits until a store has no work left, so that temporary rows do not count in measurements. */
import { storeFile } from "../../src/platform/store/open_store.ts";
import { pause } from "../patience.ts";

/** Running jobs, outbox events, products to be judged, and the parts of uploads and their plans. */
const TABLES = ["jr", "jl", "nw", "tq", "jp", "b"];
const POLL_MS = 100;

/** True while any row waits, is being processed or will be removed. */
export async function isAtWork(kv: Deno.Kv): Promise<boolean> {
  for (const table of TABLES) {
    for await (const _ of kv.list({ prefix: [table] }, { limit: 1 })) return true;
  }
  return false;
}

/** Waits until the server on this data folder has finished all work. */
export async function untilAtRest(dataDir: string): Promise<void> {
  using kv = await Deno.openKv(storeFile(dataDir).kvPath);
  // The second check is needed because judging creates new events.
  while (await isAtWork(kv) || await isAtWork(kv)) await pause(POLL_MS);
}
