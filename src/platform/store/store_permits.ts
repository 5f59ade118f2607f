/**
 * One thread serves a file in the order of calls. So only a few calls are passed on at once, and
 * the others wait in a queue that is fair to workspaces.
 */
import { TimeSlice } from "../event_loop.ts";
import { FairQueue } from "../fair_queue.ts";
import { replaceMethod } from "./replace_method.ts";

export const PERMITS_AT_ONCE = {
  /** Enough to keep the file busy. */
  reads: 4,
  /** A new commit only waits for the current one. */
  commits: 1,
} as const;
/** The number of rows that an iterator fetches at once by default. */
const DEFAULT_BATCH_SIZE = 100;

const owners = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

export function noteOwner(operation: Deno.AtomicOperation, key: Deno.KvKey): void {
  owners.set(operation, key);
}

export function withPermits(kv: Deno.Kv, atOnceMax: number): Deno.Kv {
  const permits = new FairQueue(atOnceMax);
  // Store calls may follow each other for 16 ms before the event loop serves the network.
  const busy = new TimeSlice(16);
  const pass = <T>(key: Deno.KvKey, call: () => Promise<T>): Promise<T> => {
    // While no call is in flight, the event loop serves the network anyway.
    if (permits.isIdle) busy.begin();
    return permits.run(partitionOf(key), async () => {
      await busy.yield();
      return await call();
    });
  };
  const { get, getMany, list, atomic } = kv;
  replaceMethod(
    kv,
    "get",
    (key: Deno.KvKey, ...options: unknown[]) =>
      pass(key, () => Reflect.apply(get, kv, [key, ...options])),
  );
  replaceMethod(
    kv,
    "getMany",
    (keys: readonly Deno.KvKey[], ...options: unknown[]) =>
      pass(keys[0] ?? [], () => Reflect.apply(getMany, kv, [keys, ...options])),
  );
  replaceMethod(kv, "list", (selector: Deno.KvListSelector, options: Deno.KvListOptions = {}) => {
    const rows: Deno.KvListIterator<unknown> = Reflect.apply(list, kv, [selector, options]);
    const key = "prefix" in selector ? selector.prefix : selector.start;
    const next = rows.next.bind(rows);
    const asked = options.batchSize ?? options.limit ?? DEFAULT_BATCH_SIZE;
    const batchSize = Math.min(asked, 500);
    let taken = 0;
    rows.next = () => taken++ % batchSize === 0 ? pass(key, next) : next();
    return rows;
  });
  replaceMethod(kv, "atomic", () => {
    const operation: Deno.AtomicOperation = Reflect.apply(atomic, kv, []);
    const commit = operation.commit.bind(operation);
    operation.commit = () => pass(owners.get(operation) ?? [], commit);
    return operation;
  });
  return kv;
}

/**
 * The workspace of a key, whose second part is its id (docs/keys.md). Other rows share one
 * partition.
 */
export function partitionOf([, owner]: Deno.KvKey): string {
  // An id has 12 bytes (base/id.ts). Digests of secrets, which callers may guess, are longer.
  const isId = owner instanceof Uint8Array && owner.length === 12;
  return isId ? String.fromCharCode(...owner) : "";
}
