import type { Store } from "../../src/platform/store/kv.ts";

/** Wraps a store, and counts how often the index rows of a shard are listed. */
export function countReads(store: Store) {
  let indexRows = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const [selector] = args;
        if (name === "list" && JSON.stringify(selector).includes('"ps"')) indexRows++;
        return member.apply(target, args);
      };
    },
  });
  const { direct } = store;
  const counted = direct && {
    list: direct.list.bind(direct),
    walk: direct.walk.bind(direct),
    walkBack: direct.walkBack.bind(direct),
    get: direct.get.bind(direct),
    at: direct.at.bind(direct),
    count: direct.count.bind(direct),
    whyOff: direct.whyOff,
    listTexts: (...args: Parameters<typeof direct.listTexts>) => {
      if (args[0][0] === "ps") indexRows++;
      return direct.listTexts(...args);
    },
  };
  return {
    store: { ...store, kv, ...(counted && { direct: counted }) },
    indexRows: () => indexRows,
  };
}
