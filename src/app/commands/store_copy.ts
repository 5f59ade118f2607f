/** What the commands for stores that are files have in common. */
import { Failure } from "../../base/failure.ts";
import type { Config } from "../composition/config.ts";
import { findLayout } from "../../platform/store/layout_store.ts";
import { openStoreFile, storeFile } from "../../platform/store/open_store.ts";
import { sizeOf } from "../../platform/store/store_file.ts";
import { lockStore, type StoreLock } from "../../platform/store/store_lock.ts";
import { findDisagreements } from "./check_store.ts";
import { storeLocation } from "./store_access.ts";

const BUSY_MS = 5_000;

/** Where the store lies. Refuses with `validation_failed` when it is no file, and names the way. */
export function requireStoreFile(config: Config, command: string) {
  const { dataDir, kvUrl } = storeLocation(config);
  if (dataDir !== null) return storeFile(dataDir);
  const what = kvUrl === null ? "the platform's store" : "the store that KV_URL names";
  throw new Failure(
    "validation_failed",
    `"${command}" is for a store that is a file, and this is ${what}: back it up where it runs, ` +
      `or use "workspace export" and "workspace import"`,
  );
}

/** The lock of a store that is there, held as a server holds it; refuses while one does. */
export async function lockStoreFile(
  { kvPath, lockPath }: { readonly kvPath: string; readonly lockPath: string },
): Promise<StoreLock> {
  await requirePresent(kvPath);
  const lock = lockStore(lockPath);
  lock.describe({ pid: Deno.pid, startedAt: new Date().toISOString(), url: null });
  return lock;
}

export interface CheckOptions {
  /** False: only pages and layout are looked at, not whether the rows agree. */
  readonly check: boolean;
}

/** What was found in a copy, as its command says it. */
export interface Verdict {
  readonly isSound: boolean;
  readonly words: string;
}

/**
 * Opens a copy, so that its layout is known to be one of ours, and looks for what does not agree in it;
 * the rows of an older layout are left to the start that migrates them.
 */
export async function judgeCopy(path: string, { check }: CheckOptions): Promise<Verdict> {
  let layout: number | null = null;
  const store = await openStoreFile(path, BUSY_MS, async (older) => {
    layout = (await findLayout(older)).layout;
  });
  try {
    if (layout !== null) {
      return { isSound: true, words: `layout ${layout}, which the next start migrates` };
    }
    if (!check) return { isSound: true, words: "rows not checked" };
    let findings = 0;
    for await (const _finding of findDisagreements(store)) findings++;
    return { isSound: findings === 0, words: `${findings} disagreements` };
  } finally {
    store.kv.close();
  }
}

/** Refuses with `not_found` where there is no store yet. */
export async function requirePresent(kvPath: string): Promise<void> {
  if (await sizeOf(kvPath) !== null) return;
  throw new Failure("not_found", `There is no store "${kvPath}": set DATA_DIR to its folder`);
}

/** Nothing that is there is written over. */
export async function requireAbsent(path: string): Promise<void> {
  if (await sizeOf(path) === null) return;
  throw new Failure("conflict", `"${path}" is there already: choose another name or remove it`);
}
