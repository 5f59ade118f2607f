/** Records the read calls of a store, to test how many calls an operation needs. */
import type { Store } from "../src/platform/store/kv.ts";
import { watchedStore } from "./watched_store.ts";

/**
 * Returns the store, and a function that takes the recorded calls, each with its tables. Reads
 * across all workspaces are left out, because no request causes them.
 */
export function notingReads(store: Store) {
  const calls: string[] = [];
  const watched = watchedStore(store, {
    reading(name, asked) {
      const tables = tablesOf(asked);
      if (tables !== "") calls.push(`${name} ${tables}`);
    },
  });
  return { store: watched, takeCalls: () => calls.splice(0) };
}

/** The tables of those read keys that have a binary id after the name of the table. */
function tablesOf(asked: unknown): string {
  const names = JSON.stringify(asked).matchAll(/\["(\w+)",\{/g);
  return [...names].map(([, name]) => name).join();
}
