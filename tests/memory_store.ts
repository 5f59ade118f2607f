import type { Store } from "../src/platform/store/kv.ts";
import { noteNewStore } from "../src/platform/store/layout_store.ts";
import { testWith } from "./opened.ts";

export async function openMemoryStore(): Promise<Store> {
  const store: Store = { kv: await Deno.openKv(":memory:"), kind: "memory", busyMs: 5_000 };
  await noteNewStore(store);
  return store;
}

/** A store that closes at the end of its block. */
export async function openClosingStore(): Promise<Store & Disposable> {
  const store = await openMemoryStore();
  return { ...store, [Symbol.dispose]: () => store.kv.close() };
}

/** Each test has its own store, which is closed at the end. */
export const withStore = testWith(openClosingStore);
