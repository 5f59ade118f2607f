import { storeFile } from "../src/platform/store/open_store.ts";
import { lockStore, type StoreLock } from "../src/platform/store/store_file.ts";

/** Holds the store of a folder as a running server does. */
export function lockFolder(dataDir: string): StoreLock {
  const lock = lockStore(storeFile(dataDir).lockPath);
  lock.describe(null);
  return lock;
}
