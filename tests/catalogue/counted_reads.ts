import type { Store } from "../../src/platform/store/kv.ts";

/** Wraps a store, and counts how often the index rows of a shard are listed. */
export function countReads(store: Store) {
  let indexRows = 0;
  const counting = <T extends object>(whole: T, method: string): T =>
    new Proxy(whole, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          if (name === method && JSON.stringify(args[0]).includes('"ps"')) indexRows++;
          return member.apply(target, args);
        };
      },
    });
  const { kv, direct } = store;
  return {
    store: {
      ...store,
      kv: counting(kv, "list"),
      ...(direct && { direct: counting(direct, "walk") }),
    },
    indexRows: () => indexRows,
  };
}
