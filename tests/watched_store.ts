/** A store whose reads and commits a test can observe and delay. */
import type { Store } from "../src/platform/store/kv.ts";

export interface Change {
  readonly name: "set" | "delete";
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

interface StoreWatch {
  reading?(name: "get" | "getMany" | "list", asked: unknown): void;
  /** Called after the read, before the caller gets the rows. */
  got?(keys: readonly Deno.KvKey[]): Promise<void>;
  /** Called after a list has been read, before the caller gets the first row. */
  listed?(selector: { readonly prefix?: Deno.KvKey }): Promise<void>;
  listing?(key: Deno.KvKey): void;
  setting?(key: Deno.KvKey, value: unknown): void;
  committing?(changes: readonly Change[]): Promise<void> | void;
  committed?(): Promise<void>;
}

export function watchedStore(store: Store, watch: StoreWatch): Store {
  const { kv } = store;
  const kvWatched = instead(kv, {
    atomic: () => watchedOperation(kv.atomic(), watch),
    async get(...args: Parameters<Deno.Kv["get"]>) {
      const [key] = args;
      watch.reading?.("get", key);
      const row = await kv.get(...args);
      await watch.got?.([key]);
      return row;
    },
    async getMany(
      keys: readonly Deno.KvKey[],
      options?: { consistency?: Deno.KvConsistencyLevel },
    ) {
      watch.reading?.("getMany", keys);
      const rows = await kv.getMany(keys, options);
      await watch.got?.(keys);
      return rows;
    },
    list(...args: Parameters<Deno.Kv["list"]>) {
      watch.reading?.("list", args[0]);
      return watch.listed || watch.listing ? watchedRows(kv, args, watch) : kv.list(...args);
    },
  });
  return { ...store, kv: kvWatched, direct: null };
}

function watchedOperation(operation: Deno.AtomicOperation, watch: StoreWatch) {
  const changes: Change[] = [];
  const chained = (name: "check" | "sum" | "mutate" | "enqueue") =>
    [name, (...args: unknown[]) => {
      Reflect.apply(operation[name], operation, args);
      return watched;
    }] as const;
  const watched = instead(operation, {
    ...Object.fromEntries((["check", "sum", "mutate", "enqueue"] as const).map(chained)),
    set(...args: Parameters<Deno.AtomicOperation["set"]>) {
      const [key, value] = args;
      changes.push({ name: "set", key, value });
      watch.setting?.(key, value);
      operation.set(...args);
      return watched;
    },
    delete(key: Deno.KvKey) {
      changes.push({ name: "delete", key, value: undefined });
      operation.delete(key);
      return watched;
    },
    async commit() {
      await watch.committing?.(changes);
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
  const [selector] = args;
  const rows = watch.listed ? await Array.fromAsync(kv.list(...args)) : kv.list(...args);
  await watch.listed?.("prefix" in selector ? selector : {});
  for await (const row of rows) {
    watch.listing?.(row.key);
    yield row;
  }
}

/** Replaces some methods; the other methods run on `whole`, because they use private fields. */
function instead<T extends object>(whole: T, methods: Record<string, unknown>): T {
  return new Proxy(whole, {
    get(target, name) {
      if (typeof name === "string" && name in methods) return methods[name];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
