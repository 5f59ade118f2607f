/**
 * The store's file as a file: whether it is whole, and copies of it (SQLite). The driver attaches no
 * second file under narrow permissions, so that `VACUUM` is not at hand: a live file is copied by
 * SQLite's own backup, a resting one row by row.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Failure } from "../../base/failure.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const BUSY_MS = 30_000;
/** All pages in one step: a copy in several begins anew whenever somebody else commits between two. */
const ALL_PAGES = 2_147_483_647;
/** A new file is empty for an instant. */
const EMPTY_MS_MAX = 500;

/** What SQLite keeps beside a file that is in use, or was when its process died. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** Refuses with `unavailable` a file that is empty, no store, or shorter than its head says; absent is fine. */
export async function requireWholeFile(path: string): Promise<void> {
  const bytes = await sizeOf(path);
  if (bytes === null) return;
  if (bytes === 0) {
    await new Promise((resolve) => setTimeout(resolve, EMPTY_MS_MAX));
    if (await sizeOf(path) === 0 && !await sizeOf(`${path}-wal`)) {
      throw torn(path, "is empty", ", or delete it to begin anew");
    }
    return;
  }
  const head = await readHead(path);
  if (new TextDecoder().decode(head.subarray(0, MAGIC.length)) !== MAGIC) {
    throw torn(path, "is not a store");
  }
  // What is not in the file yet stands in the log beside it: only a file without one can be judged.
  if (await sizeOf(`${path}-wal`)) return;
  const view = new DataView(head.buffer);
  const pageBytes = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
  const whole = view.getUint32(28) * pageBytes;
  if (bytes < whole) throw torn(path, `has ${bytes} bytes instead of ${whole}`);
}

async function readHead(path: string): Promise<Uint8Array<ArrayBuffer>> {
  using file = await Deno.open(path);
  const head = new Uint8Array(HEADER_BYTES);
  await file.read(head);
  return head;
}

function torn(path: string, what: string, more = "", cause?: unknown): Failure {
  const message = `The store file "${path}" ${what}: restore a backup (kurant restore FILE)${more}`;
  return new Failure("unavailable", message, undefined, { cause });
}

/** Null for a file that is not there. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** What a refusal of SQLite means to whoever opened the store. */
export function asTornFile(path: string, error: unknown): unknown {
  const isTorn = error instanceof Error && /malformed|not a database/i.test(error.message);
  return isTorn ? torn(path, "is damaged", "", error) : error;
}

/**
 * Copies a store that others may be writing to, as it was at one moment, to `to`, a new file. Writers
 * go on meanwhile; their log grows until the copy is done.
 */
export async function copyLiveFile(from: string, to: string): Promise<void> {
  using source = openFile(from);
  await backup(source, to, { rate: ALL_PAGES });
}

/** What a copy of the rows takes: the pages of a store that are in use. */
function bytesInUse(path: string): number {
  using file = openFile(path);
  const figure = (name: string) => Number(file.prepare(`PRAGMA ${name}`).get()?.[name]);
  return (figure("page_count") - figure("freelist_count")) * figure("page_size");
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

/**
 * Refuses with `unavailable` when the disk has no room for `copyRows` beside a store at rest, and says
 * how much that is. Where nobody may ask for the room, the copy finds out.
 */
export async function requireRoomForCopy(path: string): Promise<void> {
  const needed = bytesInUse(path);
  const free = await freeBytesBeside(path);
  if (free !== null && free < needed) throw tooLittleRoom(path, needed, `, and has ${free}`);
}

function tooLittleRoom(path: string, needed: number, more = "", cause?: unknown): Failure {
  const message =
    `The disk of "${path}" needs ${needed} bytes of free space for the new file${more}: ` +
    "free as much and call it again, the store is as it was";
  return new Failure("unavailable", message, undefined, { cause });
}

/**
 * Copies the rows of a store at rest to `to`, a new file without the space of what was deleted.
 * Refuses with `unavailable` when the disk becomes full.
 */
export function copyRows(from: string, to: string): void {
  try {
    copyAllRows(from, to);
  } catch (cause) {
    // SQLITE_FULL
    const isFull = cause instanceof Error && "errcode" in cause && cause.errcode === 13;
    throw isFull ? tooLittleRoom(from, bytesInUse(from), "", cause) : cause;
  }
}

function copyAllRows(from: string, to: string): void {
  using source = openFile(from);
  using target = openFile(to);
  target.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  const parts = source.prepare(
    `SELECT type, name, sql FROM sqlite_master
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC`,
  ).all();
  for (const { sql } of parts) target.exec(String(sql));
  for (const { name } of parts.filter(({ type }) => type === "table")) {
    copyTable(source, target, String(name));
  }
  target.exec("COMMIT");
}

function copyTable(source: DatabaseSync, target: DatabaseSync, name: string): void {
  const table = `"${name.replaceAll('"', '""')}"`;
  const rows = source.prepare(`SELECT * FROM ${table}`);
  rows.setReadBigInts(true);
  const places = rows.columns().map(() => "?").join();
  const insert = target.prepare(`INSERT INTO ${table} VALUES (${places})`);
  for (const row of rows.iterate()) insert.run(...Object.values(row));
}

/** Reads every page of a copy. Refuses with `unavailable` a file that is torn or no store. */
export async function requireSoundFile(path: string): Promise<void> {
  if (await sizeOf(path) === null) {
    throw new Failure("not_found", `There is no file "${path}"`);
  }
  await requireWholeFile(path);
  try {
    using file = openFile(path);
    const [row] = file.prepare("PRAGMA integrity_check(1)").all();
    const says = String(row?.integrity_check).replaceAll(/\s+/g, " ");
    if (says !== "ok") throw torn(path, `is damaged (${says})`);
    const isStore = file.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kv'").get();
    if (!isStore) throw torn(path, "is not a store");
  } catch (error) {
    throw asTornFile(path, error);
  }
}

/**
 * Leaves a file by itself, without a log beside it, and on the disk. Refuses with `unavailable` while
 * another process has it open; what SQLite says of a damaged one is thrown as it is.
 */
export async function flushFile(path: string): Promise<void> {
  try {
    using file = openFile(path);
    file.exec("PRAGMA journal_mode = DELETE");
  } catch (cause) {
    const isBusy = cause instanceof Error && /locked|busy/i.test(cause.message);
    if (!isBusy) throw cause;
    const message = `Another command has the store file "${path}" open: wait for its end`;
    throw new Failure("unavailable", message, undefined, { cause });
  }
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

/** SQLite's own words for its code 13, which the driver of a copy does not pass on as a number. */
const SQLITE_FULL = "database or disk is full";

/** True for the error of a write that found no room, be it SQLite's or the system's. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ENOSPC" || (code === "ERR_SQLITE_ERROR" && error.message === SQLITE_FULL);
}

/** Removes a file with what SQLite keeps beside it, as far as they are there. */
export async function removeFile(path: string): Promise<void> {
  for (const name of ["", ...COMPANIONS]) {
    try {
      await Deno.remove(path + name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/**
 * Puts `path`, a flushed file, in the place of the store `kvPath`, which nobody has open; what was
 * there stays as `aside` (null: it goes). Whenever the process dies, a store lies at `kvPath`.
 */
export async function replaceFile(
  path: string,
  kvPath: string,
  aside: string | null,
): Promise<void> {
  if (aside !== null && await sizeOf(kvPath) !== null) {
    await keepAside(kvPath, aside);
    // Only a damaged store still has a log here; beside another file it would do harm.
    for (const name of COMPANIONS) {
      if (await sizeOf(kvPath + name) !== null) await Deno.rename(kvPath + name, aside + name);
    }
  }
  await Deno.rename(path, kvPath);
}

/** A second name for the file where the file system has such, else a copy: the first name stays. */
async function keepAside(kvPath: string, aside: string): Promise<void> {
  try {
    await Deno.link(kvPath, aside);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    await Deno.copyFile(kvPath, aside);
  }
}

function openFile(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_MS });
}
