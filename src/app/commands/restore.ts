/** `restore FILE`: a backup takes the place of the store, which is kept beside it. */
import { Failure } from "../../base/failure.ts";
import { readConfig } from "../composition/config.ts";
import { bringToLayout } from "../../platform/store/file_layout.ts";
import {
  flushFile,
  removeFile,
  replaceFile,
  requireSoundFile,
  sizeOf,
} from "../../platform/store/store_file.ts";
import { lockStore } from "../../platform/store/store_lock.ts";
import { type CheckOptions, judgeCopy, requireStoreFile } from "./store_copy.ts";
import { print, printError } from "./terminal.ts";

/** Nobody else knows of a file that is being restored. */
const BUSY_MS = 5_000;
/** Where it is put together; what a killed command leaves there is removed by the next one and by `serve`. */
export const restoringPath = (kvPath: string) => `${kvPath}.restoring`;

/**
 * Answers whether the rows of the restored store agree. Refuses while a server holds the store, a
 * file that is torn and one that a newer version wrote; the store is then as it was.
 */
export async function restore(path: string, options: CheckOptions): Promise<boolean> {
  const config = readConfig();
  const { kvPath, lockPath } = requireStoreFile(config, "restore");
  await Deno.mkdir(config.DATA_DIR, { recursive: true });
  using lock = lockStore(lockPath);
  lock.describe({ pid: Deno.pid, startedAt: new Date().toISOString(), url: null });
  const part = restoringPath(kvPath);
  await removeFile(part);
  try {
    await copyResting(path, part);
    await requireSoundFile(part);
    for (const { text } of await bringToLayout(part, BUSY_MS)) printError(text);
    const { isSound, words } = await judgeCopy(part, options);
    await flushFile(part);
    const aside = await freeStore(kvPath);
    await replaceFile(part, kvPath, aside);
    print(`Restored: ${await sizeOf(kvPath)} bytes, ${words}`);
    if (aside !== null) print(`The store before is kept as ${aside}`);
    return isSound;
  } finally {
    await removeFile(part);
  }
}

/** A backup is one file; a store that somebody copied may have a log beside it that belongs to it. */
async function copyResting(path: string, part: string): Promise<void> {
  if (await sizeOf(path) === null) throw new Failure("not_found", `There is no file "${path}"`);
  await Deno.copyFile(path, part);
  if (await sizeOf(`${path}-wal`)) await Deno.copyFile(`${path}-wal`, `${part}-wal`);
}

/** Where the store of today goes; null when there is none. Refuses while a tool has it open. */
async function freeStore(kvPath: string): Promise<string | null> {
  if (await sizeOf(kvPath) === null) return null;
  try {
    await flushFile(kvPath);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // A damaged store is what restoring is for: it is kept as it is.
  }
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  // Two in one second are two stores: neither is the other's.
  for (let n = 1;; n++) {
    const aside = `${kvPath}.before-${at}${n === 1 ? "" : `-${n}`}`;
    if (await sizeOf(aside) === null) return aside;
  }
}
