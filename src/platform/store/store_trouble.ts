/**
 * Errors of the store that have a known cause, such as a full disk. Deno KV's errors have no codes,
 * so this module recognises the errors by their texts. This module replaces methods of a `Deno.Kv`
 * handle, because Deno KV rejects wrapped handles.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { FairQueue, TimeSlice } from "../event_loop.ts";

/** A `busy` store becomes free by itself; an `unable` store lacks, for example, space or rights. */
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

export type DiskTrouble = "unwritable" | "full";

const SYSTEM_CODES: ReadonlyMap<unknown, DiskTrouble> = new Map([
  ["EROFS", "unwritable"],
  ["EACCES", "unwritable"],
  ["EPERM", "unwritable"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
]);
/** SQLite's error codes 8 (READONLY) and 13 (FULL). */
const SQLITE_CODES: ReadonlyMap<unknown, DiskTrouble> = new Map([[8, "unwritable"], [13, "full"]]);
/** SQLite's message for code 13; errors during a copy have this message, but no `errcode`. */
const SQLITE_FULL = "database or disk is full";

export function diskTroubleOf(error: unknown): DiskTrouble | null {
  if (!(error instanceof Error)) return null;
  return troubleByCode(error) ?? diskTroubleOf(error.cause);
}

function troubleByCode(error: Error): DiskTrouble | null {
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_SQLITE_ERROR" && error.message === SQLITE_FULL) return "full";
  const bySqlite = "errcode" in error ? SQLITE_CODES.get(error.errcode) : undefined;
  return SYSTEM_CODES.get(code) ?? bySqlite ?? null;
}

export class DiskRefusal extends Failure {
  constructor(message: string, cause?: unknown) {
    super("unavailable", message, undefined, { cause });
  }
}

interface RoomNeed {
  readonly beside: string;
  readonly bytes: number;
  readonly what: string;
}

/** Throws `DiskRefusal` if the free space is known to be too small, or if the disk is full. */
export async function withRoom<T>(need: RoomNeed, work: () => T | Promise<T>): Promise<T> {
  const free = await freeBytesBeside(need.beside);
  if (free !== null && free < need.bytes) throw tooLittleRoom(need, `, and has ${free}`);
  try {
    return await work();
  } catch (error) {
    throw diskTroubleOf(error) === "full" ? tooLittleRoom(need, "", error) : error;
  }
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

function tooLittleRoom({ beside, bytes, what }: RoomNeed, more: string, cause?: unknown) {
  const message =
    `The disk of "${beside}" needs ${bytes} bytes of free space for ${what}${more}: ` +
    "free as much and call it again, the store is as it was";
  return new DiskRefusal(message, cause);
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

/** A function that wraps each read and commit; `key` shows the workspace of the rows. */
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
    // Deno KV reads the whole batch when the first row of the batch is requested.
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
