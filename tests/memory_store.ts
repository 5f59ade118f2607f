import type { Store } from "../src/platform/store/kv.ts";
import { noteNewStore } from "../src/platform/store/open_store.ts";
import { closing } from "./closing_store.ts";
import { testWith } from "./opened.ts";

export async function openMemoryStore(): Promise<Store> {
  const store: Store = { kv: await Deno.openKv(":memory:"), kind: "memory", busyMs: 5_000 };
  await noteNewStore(store);
  return store;
}

export const withStore = testWith(async () => closing(await openMemoryStore()));
