/** Notes the read calls of a store, to test how many calls an operation needs. */
import type { Store } from "../src/platform/store/kv.ts";

const READS = ["get", "getMany", "list"];

/**
 * The same store, with a note of each read call and its tables. Reads across all workspaces are not
 * noted, because they belong to no request.
 */
export function notingReads(store: Store) {
  const calls: string[] = [];
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (typeof name !== "string" || !READS.includes(name)) return member.bind(target);
      return (...args: unknown[]) => {
        const tables = tablesOf(args[0]);
        if (tables !== "") calls.push(`${name} ${tables}`);
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { store: { ...store, kv }, takeCalls: () => calls.splice(0) };
}

/** The tables of the read keys; only keys in which a binary id follows the table's name. */
function tablesOf(asked: unknown): string {
  const names = JSON.stringify(asked).matchAll(/\["(\w+)",\{/g);
  return [...names].map(([, name]) => name).join();
}
