/** Waits until a store has no work left, so that temporary rows do not affect measurements. */
import { storeFile } from "../../src/platform/store/open_store.ts";
import { pause } from "../patience.ts";

/** Tables of running jobs, outbox events, products to evaluate, and parts of uploads. */
const TABLES = ["jr", "jl", "nw", "tq", "jp", "b"];
const POLL_MS = 100;

async function isAtWork(kv: Deno.Kv): Promise<boolean> {
  for (const table of TABLES) {
    for await (const _ of kv.list({ prefix: [table] }, { limit: 1 })) return true;
  }
  return false;
}

export async function untilAtRest(dataDir: string): Promise<void> {
  using kv = await Deno.openKv(storeFile(dataDir).kvPath);
  // Two checks, because evaluating products creates new events.
  while (await isAtWork(kv) || await isAtWork(kv)) await pause(POLL_MS);
}
