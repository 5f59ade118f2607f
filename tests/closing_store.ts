/** Stores that close at the end of their block. */
import type { Store } from "../src/platform/store/kv.ts";
import { openStore } from "../src/platform/store/open_store.ts";

export function closing(store: Store): Store & Disposable {
  return { ...store, [Symbol.dispose]: () => store.kv.close() };
}

/** The store in a folder. Waits for up to a minute while another process writes. */
export async function openStoreIn(dataDir: string): Promise<Store & Disposable> {
  return closing(await openStore({ kvUrl: null, dataDir }, 60_000));
}
