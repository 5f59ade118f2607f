/**
 * What a disk or a folder that takes nothing says, by the codes of the system and of SQLite, and
 * whether there is room for a file before it is written.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../../base/failure.ts";

export type DiskTrouble = "unwritable" | "full";

/** What the operating system says, by its codes. */
const SYSTEM_CODES: ReadonlyMap<unknown, DiskTrouble> = new Map([
  ["EROFS", "unwritable"],
  ["EACCES", "unwritable"],
  ["EPERM", "unwritable"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
]);
/** The same in codes of SQLite: READONLY and FULL. */
const SQLITE_CODES: ReadonlyMap<unknown, DiskTrouble> = new Map([[8, "unwritable"], [13, "full"]]);
/** SQLite's own words for its code 13, which the driver of a copy does not pass on as a number. */
const SQLITE_FULL = "database or disk is full";

/** What the error or one of its causes says; null when it is about something else. */
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

/** `unavailable`, in one sentence that says which disk or folder it is, and what to do: nothing is added to it. */
export class DiskRefusal extends Failure {
  constructor(message: string, cause?: unknown) {
    super("unavailable", message, undefined, { cause });
  }
}

/** A file that is about to be written. */
export interface RoomNeed {
  /** The file beside which it will lie. */
  readonly beside: string;
  readonly bytes: number;
  /** As in "… bytes of free space for the new file". */
  readonly what: string;
}

/**
 * Runs `work`, which writes the file. Refuses with `DiskRefusal`, which names the bytes, when the disk
 * has fewer: before anything is written where the process may ask for the room, else when it is full.
 */
export async function withRoom<T>(need: RoomNeed, work: () => T | Promise<T>): Promise<T> {
  const free = await freeBytesBeside(need.beside);
  if (free !== null && free < need.bytes) throw tooLittleRoom(need, `, and has ${free}`);
  try {
    return await work();
  } catch (error) {
    throw diskTroubleOf(error) === "full" ? tooLittleRoom(need, "", error) : error;
  }
}

/** Null where nobody may ask for it. */
async function freeBytesBeside(path: string): Promise<number | null> {
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
