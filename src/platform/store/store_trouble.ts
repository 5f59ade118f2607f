/**
 * Errors of the store that have a known cause, such as a full disk. Deno KV's errors have no codes,
 * so this module recognises the errors by their texts. This module replaces methods of a `Deno.Kv`
 * handle, because Deno KV rejects wrapped handles.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { FairQueue, TimeSlice } from "../event_loop.ts";

/** A `busy` store is free again soon; an `unable` store lacks something, such as disk space. */
type TroubleKind = "busy" | "unable" | "damaged";

/** The message has no path, because callers must not learn where the file is. */
export const DAMAGED =
  "The store's file is damaged: stop the service and restore a backup (kurant restore FILE)";

export class StoreTrouble extends Error {
  constructor(readonly kind: TroubleKind, cause: Error) {
    super(cause.message, { cause });
    this.name = "StoreTrouble";
  }
}

const ERROR_TEXT_BEGINNINGS: readonly (readonly [beginning: string, kind: TroubleKind])[] = [
  ["database is locked", "busy"],
  ["database table is locked", "busy"],
  ["database or disk is full", "unable"],
  ["disk I/O error", "unable"],
  ["unable to open database file", "unable"],
  ["attempt to write a readonly database", "unable"],
  ["Can not write to a read-only database", "unable"],
  ["database disk image is malformed", "damaged"],
  ["file is not a database", "damaged"],
  ["Failed to fetch metadata", "unable"],
];

export function asStoreTrouble(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreTrouble) return error;
  const { message } = error;
  const known = ERROR_TEXT_BEGINNINGS.find(([beginning]) => message.startsWith(beginning));
  return known ? new StoreTrouble(known[1], error) : error;
}

export type TroubleListener = (trouble: StoreTrouble) => void;

export function withTroubles(onTrouble: TroubleListener = () => {}): AroundCall {
  return async (call) => {
    try {
      return await call();
    } catch (thrown) {
      const error = asStoreTrouble(thrown);
      if (error instanceof StoreTrouble) onTrouble(error);
      throw error;
    }
  };
}

/** Returns null if the process has no permission for `statfs`. */
export async function freeBytesBeside(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail * bsize;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    throw error;
  }
}

const DEFAULT_BATCH_SIZE = 100;

export function replaceMethod(
  target: object,
  name: string,
  method: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, { value: method, configurable: true, writable: true });
}

export function beforeClosing(kv: Deno.Kv, work: () => void): void {
  const close = kv.close.bind(kv);
  replaceMethod(kv, "close", () => {
    work();
    close();
  });
}

/** Runs `call`, a read or commit of Deno KV; `key` shows which workspace the call belongs to. */
type AroundCall = <T>(call: () => Promise<T>, key: Deno.KvKey) => Promise<T>;

const owners = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

export function noteOwner(operation: Deno.AtomicOperation, key: Deno.KvKey): void {
  owners.set(operation, key);
}

export function aroundCalls(kv: Deno.Kv, around: AroundCall): Deno.Kv {
  const { get, getMany, list, atomic } = kv;
  replaceMethod(
    kv,
    "get",
    (...args: [Deno.KvKey]) => around(() => Reflect.apply(get, kv, args), args[0]),
  );
  replaceMethod(
    kv,
    "getMany",
    (...args: [Deno.KvKey[]]) => around(() => Reflect.apply(getMany, kv, args), args[0][0] ?? []),
  );
  replaceMethod(kv, "list", (selector: Deno.KvListSelector, options: Deno.KvListOptions = {}) => {
    const rows: Deno.KvListIterator<unknown> = Reflect.apply(list, kv, [selector, options]);
    const key = "prefix" in selector ? selector.prefix : selector.start;
    const next = rows.next.bind(rows);
    const asked = options.batchSize ?? options.limit ?? DEFAULT_BATCH_SIZE;
    const batchSize = Math.min(asked, 500);
    let taken = 0;
    // Only the first row of a batch costs a read of Deno KV, so wrap only requests for first rows.
    rows.next = () => taken++ % batchSize === 0 ? around(next, key) : next();
    return rows;
  });
  replaceMethod(kv, "atomic", () => {
    const operation: Deno.AtomicOperation = Reflect.apply(atomic, kv, []);
    const commit = operation.commit.bind(operation);
    operation.commit = () => around(commit, owners.get(operation) ?? []);
    return operation;
  });
  return kv;
}

export function readingBy(reader: Deno.Kv, writer: Deno.Kv): Deno.Kv {
  for (const name of ["getMany", "get", "list"] as const) {
    replaceMethod(writer, name, reader[name].bind(reader));
  }
  beforeClosing(writer, () => reader.close());
  return writer;
}

export function inTurns(atOnceMax: number): AroundCall {
  const queue = new FairQueue(atOnceMax);
  const busy = new TimeSlice(16);
  return (call, key) => {
    if (queue.isIdle) busy.begin();
    return queue.run(partitionOf(key), async () => {
      await busy.yield();
      return await call();
    });
  };
}

export function partitionOf([, owner]: Deno.KvKey): string {
  const isId = owner instanceof Uint8Array && owner.length === 12;
  return isId ? String.fromCharCode(...owner) : "";
}
