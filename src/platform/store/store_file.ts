/**
 * Checks and copies the store's SQLite file. Under exact permissions the driver attaches no second file,
 * so `VACUUM` is not available: SQLite's own backup copies a file in use, and `rewrite_file.ts` copies a
 * file at rest row by row.
 */
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../base/failure.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const BUSY_MS = 30_000;
/** All pages in one step: a copy in several steps restarts after each foreign commit. */
const ALL_PAGES = 2_147_483_647;
/** A handle of this process that was closed is gone a moment later. */
const CLOSING_MS = 1_000;
const CLOSING_LOOK_MS = 5;
/** A new file is empty for an instant. */
const EMPTY_MS_MAX = 500;

/** SQLite's files next to one that is in use, or was when its process died. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** Refuses with `unavailable` a file that is empty, no store, or shorter than its head says; absent is fine. */
export async function requireWholeFile(path: string): Promise<void> {
  const bytes = await sizeOf(path);
  if (bytes === null) return;
  if (bytes === 0) {
    await pause(EMPTY_MS_MAX);
    if (await sizeOf(path) === 0 && !await sizeOf(`${path}-wal`)) {
      throw torn(path, "is empty", ", or delete it to begin anew");
    }
    return;
  }
  const head = await readHead(path);
  if (new TextDecoder().decode(head.subarray(0, MAGIC.length)) !== MAGIC) {
    throw torn(path, "is not a store");
  }
  // Recent changes are in the log file: only a file without one can be judged.
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

/** Translates a refusal of SQLite for the opener of a store. */
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

/** The bytes of a copy, whether the last changes are in the file or in its log. */
export function bytesOfCopy(path: string): number {
  using file = openFile(path);
  return pragma(file, "page_count") * pragma(file, "page_size");
}

/** A number that SQLite knows of a file, as `page_size`. */
export function pragma(file: DatabaseSync, name: string): number {
  return Number(file.prepare(`PRAGMA ${name}`).get()?.[name]);
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
 * Flushes a file to the disk and removes its log. Refuses with `unavailable` while another process
 * has it open; SQLite's errors about a damaged file are passed on.
 */
export async function flushFile(path: string): Promise<void> {
  const giveUpAt = performance.now() + CLOSING_MS;
  for (;;) {
    try {
      dropLog(path);
      break;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > giveUpAt) throw inUse(path, error);
      await pause(CLOSING_LOOK_MS);
    }
  }
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

function dropLog(path: string): void {
  using file = openFile(path);
  file.exec("PRAGMA journal_mode = DELETE");
}

/** True for SQLite's refusal because of another connection. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

function inUse(path: string, cause: unknown): Failure {
  const message = `Another process has the store file "${path}" open: stop it, or wait for its end`;
  return new Failure("unavailable", message, undefined, { cause });
}

/**
 * The flushed file while no other process can read or write it. A process that opens it meanwhile
 * waits, and SQLite refuses it when another file has the name then. Refuses with `unavailable` like
 * `flushFile`.
 */
export async function holdFile(path: string): Promise<DatabaseSync> {
  await flushFile(path);
  const file = openFile(path);
  try {
    file.exec("BEGIN EXCLUSIVE");
    return file;
  } catch (error) {
    file.close();
    throw isBusy(error) ? inUse(path, error) : error;
  }
}

/** Removes a file and SQLite's files next to it, where they exist. */
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
 * Replaces the store `kvPath`, which is not open, with the flushed file `path`; the earlier file
 * stays as `aside` (`null`: it is removed). Whenever the process dies, a store is at `kvPath`.
 */
export async function replaceFile(
  path: string,
  kvPath: string,
  aside: string | null,
): Promise<void> {
  if (aside !== null && await sizeOf(kvPath) !== null) {
    await keepAside(kvPath, aside);
    // Only a damaged store still has a log here; next to another file it would do harm.
    for (const name of COMPANIONS) {
      if (await sizeOf(kvPath + name) !== null) await Deno.rename(kvPath + name, aside + name);
    }
  }
  await Deno.rename(path, kvPath);
  await syncFolder(kvPath);
}

/** Syncs the folder of `path`, so that a rename is durable; Windows opens no folder. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(dirname(path), { read: true });
  await folder.sync();
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

/** Waits for a writer as long as a command does, or as given. */
export function openFile(path: string, busyMs = BUSY_MS): DatabaseSync {
  return new DatabaseSync(path, { timeout: busyMs });
}

/** Does not wait: its reader blocks the whole thread. */
export function openFileToRead(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { readOnly: true });
  // The driver's own 5 s, which its option does not change for a handle that only reads.
  file.exec("PRAGMA busy_timeout = 0");
  return file;
}
