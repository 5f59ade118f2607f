/**
 * What the store itself refuses because of the state that it is in. Deno KV throws plain errors
 * without a code, so they are told apart where they are thrown, and nowhere else: an error that only
 * mentions a disk or a network is a defect of ours.
 */
import { replaceMethod } from "./replace_method.ts";

/** `busy` passes by itself; `unable` needs space, rights or a connection; `damaged` a backup. */
export type TroubleKind = "busy" | "unable" | "damaged";

/** What callers hear of a damaged file; the operator reads the path in the log. */
export const DAMAGED =
  "The store's file is damaged: stop the service and restore a backup (kurant restore FILE)";

/** A state of the store, not a defect; what the store said is the cause. */
export class StoreTrouble extends Error {
  constructor(readonly kind: TroubleKind, cause: Error) {
    super(cause.message, { cause });
    this.name = "StoreTrouble";
  }
}

/** How messages begin: SQLite's of its result codes, and what a KV Connect server is given up with. */
const BEGINNINGS: readonly (readonly [beginning: string, kind: TroubleKind])[] = [
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

/** For what a call of the store threw; anything but a known state stays as it is. */
export function asStoreTrouble(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreTrouble) return error;
  const { message } = error;
  const known = BEGINNINGS.find(([beginning]) => message.startsWith(beginning));
  return known ? new StoreTrouble(known[1], error) : error;
}

/** Told of each trouble that a store throws. */
export type TroubleListener = (trouble: StoreTrouble) => void;

/** The same store, whose reads and writes throw `StoreTrouble` for what is one. */
export function tellingTrouble(kv: Deno.Kv, onTrouble: TroubleListener = () => {}): Deno.Kv {
  const { list, atomic } = kv;
  const tell = <T extends object>(target: T, name: string, original: Method): T =>
    throwingTrouble(target, { name, original, onTrouble });
  for (const name of ["get", "getMany", "set", "delete"] as const) tell(kv, name, kv[name]);
  replaceMethod(kv, "list", (...args: unknown[]) => {
    const rows: Deno.KvListIterator<unknown> = Reflect.apply(list, kv, args);
    return tell(rows, "next", rows.next);
  });
  replaceMethod(kv, "atomic", () => {
    const operation = Reflect.apply(atomic, kv, []);
    return tell(operation, "commit", operation.commit);
  });
  return kv;
}

type Method = (...args: never[]) => Promise<unknown>;

function throwingTrouble<T extends object>(
  target: T,
  { name, original, onTrouble }: { name: string; original: Method; onTrouble: TroubleListener },
): T {
  replaceMethod(target, name, async (...args: unknown[]) => {
    try {
      return await Reflect.apply(original, target, args);
    } catch (thrown) {
      const error = asStoreTrouble(thrown);
      if (error instanceof StoreTrouble) onTrouble(error);
      throw error;
    }
  });
  return target;
}
