/**
 * One thread serves a file in the order of calls. Therefore only a few calls are passed on at the
 * same time; the others wait in a queue that is fair to workspaces.
 */
import { TimeSlice } from "../event_loop.ts";
import { FairQueue } from "../fair_queue.ts";
import { replaceMethod } from "./replace_method.ts";

export const PERMITS_AT_ONCE = {
  /** Enough so that the store never waits for this process. */
  reads: 4,
  /** A new commit waits for at most the current one. */
  commits: 1,
} as const;
/** Default and maximum number of rows that an iterator fetches at once. */
const DEFAULT_BATCH_SIZE = 100;

const owners = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

export function noteOwner(operation: Deno.AtomicOperation, key: Deno.KvKey): void {
  owners.set(operation, key);
}

export function withPermits(kv: Deno.Kv, atOnceMax: number): Deno.Kv {
  const permits = new FairQueue(atOnceMax);
  // How long store calls may follow each other before the event loop serves the network.
  const busy = new TimeSlice(16);
  const pass = <T>(key: Deno.KvKey, call: () => Promise<T>): Promise<T> => {
    // Without a call in progress, the event loop polls the network anyway.
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

/** The workspace's id is second in its keys (docs/keys.md). Other rows share one partition. */
export function partitionOf([, owner]: Deno.KvKey): string {
  // Length of an id (base/id.ts). Digests of secrets that callers may guess are longer.
  const isId = owner instanceof Uint8Array && owner.length === 12;
  return isId ? String.fromCharCode(...owner) : "";
}
