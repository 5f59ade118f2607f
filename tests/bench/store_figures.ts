/** Waits until a store has no work left, and measures its size. */
import { storeFile } from "../../src/platform/store/open_store.ts";
import { pause } from "../patience.ts";
import { DatabaseSync } from "node:sqlite";

/** Tables of unfinished work: jobs, events, products to evaluate and parts of uploads. */
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
  // During a check, work may move to a table that was already read, so check twice.
  while (await isAtWork(kv) || await isAtWork(kv)) await pause(POLL_MS);
}

/** Bytes in use, without free pages, which SQLite reuses. */
export function usedBytes({ storePath }: { readonly storePath: string }): number {
  using file = new DatabaseSync(storePath, { readOnly: true });
  const read = (name: string) =>
    Number(Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}
