/** Opens stores for tests; each store closes at the end of its block. */
import type { Store } from "../src/platform/store/kv.ts";
import { openStore, storeFile } from "../src/platform/store/open_store.ts";
import { lockStore, type StoreLock } from "../src/platform/store/store_file.ts";

export function closing(store: Store): Store & Disposable {
  return { ...store, [Symbol.dispose]: () => store.kv.close() };
}

/** Waits for up to a minute if another process writes to the store. */
export async function openStoreIn(dataDir: string): Promise<Store & Disposable> {
  return closing(await openStore({ kvUrl: null, dataDir }, 60_000));
}

/** Locks the store in a folder, as a running server does. */
export function lockFolder(dataDir: string): StoreLock {
  const lock = lockStore(storeFile(dataDir).lockPath);
  lock.describe(null);
  return lock;
}
