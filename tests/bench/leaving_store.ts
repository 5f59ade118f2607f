import type { Store } from "../../src/platform/store/kv.ts";

/** Wraps a store so that commits omit the rows of some tables, to measure what these rows cost. */
export function leaving(store: Store, left: readonly string[]): Store {
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name === "atomic") return () => leavingOperation(target.atomic(), left);
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...store, kv, direct: null };
}

function leavingOperation(operation: Deno.AtomicOperation, left: readonly string[]) {
  const chained = new Proxy(operation, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "commit") return () => target.commit();
      return (...args: unknown[]) => {
        const [key] = args;
        const isLeft = name === "set" && Array.isArray(key) && left.includes(String(key[0]));
        if (!isLeft) Reflect.apply(value, target, args);
        return chained;
      };
    },
  });
  return chained;
}
