/** Which reads a store was asked for: what costs a call each. */
import type { Store } from "../src/platform/store/kv.ts";

const READS = ["get", "getMany", "list"];

/**
 * The same store, which notes each call that reads, with the tables that it reads. What the process
 * looks up by itself, for all workspaces, belongs to no request.
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

/** Of a key, of several, or of what a list selects: where an id follows the table's name. */
function tablesOf(asked: unknown): string {
  const names = JSON.stringify(asked).matchAll(/\["(\w+)",\{/g);
  return [...names].map(([, name]) => name).join();
}
