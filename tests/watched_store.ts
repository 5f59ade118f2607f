/** A store whose reads and commits a test hears of, and may hold up. */
import type { Store } from "../src/platform/store/kv.ts";

export interface StoreWatch {
  /** Before a commit is handed to the store. */
  committing?(): Promise<void>;
  /** After a commit, before its answer reaches whoever made it. */
  committed?(): Promise<void>;
  /** After the rows of these keys have been read, before who asked for them gets any. */
  got?(keys: readonly Deno.KvKey[]): Promise<void>;
  /** After the rows of a list have been read, before its reader gets the first one. */
  listed?(selector: { readonly prefix?: Deno.KvKey }): Promise<void>;
}

/** The same store, with `watch` in between. Everything else goes straight through. */
export function watchedStore(store: Store, watch: StoreWatch): Store {
  const { kv } = store;
  const kvWatched = instead(kv, {
    atomic: () => watchedOperation(kv.atomic(), watch),
    async getMany(
      keys: readonly Deno.KvKey[],
      options?: { consistency?: Deno.KvConsistencyLevel },
    ) {
      const rows = await kv.getMany(keys, options);
      await watch.got?.(keys);
      return rows;
    },
    list: (...args: Parameters<Deno.Kv["list"]>) => watchedRows(kv, args, watch),
  });
  return { ...store, kv: kvWatched, direct: null };
}

/** Chained calls answer the watched operation again. */
function watchedOperation(operation: Deno.AtomicOperation, watch: StoreWatch) {
  const chained = (name: "check" | "set" | "delete" | "sum" | "mutate" | "enqueue") =>
    [name, (...args: unknown[]) => {
      Reflect.apply(operation[name], operation, args);
      return watched;
    }] as const;
  const watched = instead(operation, {
    ...Object.fromEntries(
      (["check", "set", "delete", "sum", "mutate", "enqueue"] as const).map(chained),
    ),
    async commit() {
      await watch.committing?.();
      const result = await operation.commit();
      await watch.committed?.();
      return result;
    },
  });
  return watched;
}

async function* watchedRows(
  kv: Deno.Kv,
  args: Parameters<Deno.Kv["list"]>,
  watch: StoreWatch,
): AsyncGenerator<Deno.KvEntry<unknown>> {
  const rows = await Array.fromAsync(kv.list(...args));
  const [selector] = args;
  await watch.listed?.("prefix" in selector ? selector : {});
  yield* rows;
}

/** The object with some methods replaced; its private parts keep working. */
function instead<T extends object>(whole: T, methods: Record<string, unknown>): T {
  return new Proxy(whole, {
    get(target, name) {
      if (typeof name === "string" && name in methods) return methods[name];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
