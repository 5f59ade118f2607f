/** A store whose reads and commits a test can observe and delay. */
import type { Store } from "../src/platform/store/kv.ts";

interface StoreWatch {
  /** Called for each row that a commit is to set, before the commit. */
  setting?(key: Deno.KvKey, value: unknown): void;
  /** Called before a commit is passed to the store. */
  committing?(): Promise<void>;
  /** Called after a commit, before its caller gets the result. */
  committed?(): Promise<void>;
  /** Called after rows have been read, before the caller gets them. */
  got?(keys: readonly Deno.KvKey[]): Promise<void>;
  /** Called after the rows of a list have been read, before its reader gets the first one. */
  listed?(selector: { readonly prefix?: Deno.KvKey }): Promise<void>;
}

/** The same store, which calls `watch`. */
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

function watchedOperation(operation: Deno.AtomicOperation, watch: StoreWatch) {
  const chained = (name: "check" | "delete" | "sum" | "mutate" | "enqueue") =>
    [name, (...args: unknown[]) => {
      Reflect.apply(operation[name], operation, args);
      return watched;
    }] as const;
  const watched = instead(operation, {
    ...Object.fromEntries(
      (["check", "delete", "sum", "mutate", "enqueue"] as const).map(chained),
    ),
    set(...args: Parameters<Deno.AtomicOperation["set"]>) {
      const [key, value] = args;
      watch.setting?.(key, value);
      operation.set(...args);
      return watched;
    },
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

/** The object with some methods replaced. Its private fields keep working. */
function instead<T extends object>(whole: T, methods: Record<string, unknown>): T {
  return new Proxy(whole, {
    get(target, name) {
      if (typeof name === "string" && name in methods) return methods[name];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
