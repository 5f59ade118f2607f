/** When a store has nothing left to do: what work has needed meanwhile weighs nothing any more. */
import { storeFile } from "../../src/platform/store/open_store.ts";
import { pause } from "../patience.ts";

/** Jobs that run, news, products to be judged, and what uploads and their plans have put by. */
const TABLES = ["jr", "jl", "nw", "tq", "jp", "b"];
const LOOK_MS = 100;

/** True as long as something waits, runs or is to be removed. */
export async function isAtWork(kv: Deno.Kv): Promise<boolean> {
  for (const table of TABLES) {
    for await (const _ of kv.list({ prefix: [table] }, { limit: 1 })) return true;
  }
  return false;
}

/** Resolves when the server that has the store of the folder has done all of its work. */
export async function untilAtRest(dataDir: string): Promise<void> {
  using kv = await Deno.openKv(storeFile(dataDir).kvPath);
  // Judging turns what waits into news, so what was empty is looked at again.
  while (await isAtWork(kv) || await isAtWork(kv)) await pause(LOOK_MS);
}
