/** Notes the read calls of a store, to test how many calls an operation needs. */
import type { Store } from "../src/platform/store/kv.ts";
import { watchedStore } from "./watched_store.ts";

/**
 * The same store, with a note of each read call and its tables. Reads across all workspaces are not
 * noted, because they belong to no request.
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

/** The tables of the read keys; only keys in which a binary id follows the table's name. */
function tablesOf(asked: unknown): string {
  const names = JSON.stringify(asked).matchAll(/\["(\w+)",\{/g);
  return [...names].map(([, name]) => name).join();
}
