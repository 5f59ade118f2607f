/**
 * Gives a store's file larger pages and a smaller index than Deno KV does (docs/scale.md).
 * Rewriting a file copies all rows to a new file with larger pages and no unused space. Files whose
 * tables or indexes this version does not know are never changed.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  asTornFile,
  flushFile,
  holdFile,
  openFile,
  openFileToRead,
  pragma,
  removeFile,
  replaceFile,
  requireSoundFile,
  requireWholeFile,
  sizeOf,
  syncFolder,
} from "./store_file.ts";
import { Failure } from "../../base/failure.ts";

const PAGE_BYTES = 16_384;
const KNOWN_ENGINE_VERSION = 3;
const INDEX = "kv_expiration_ms_idx";
const FULL_INDEX = `CREATE INDEX ${INDEX} on kv (expiration_ms)`;
const PARTIAL_INDEX = `CREATE INDEX ${INDEX} ON kv (expiration_ms) WHERE expiration_ms >= 0`;

export interface FileLayout {
  /** Version of Deno KV's tables in the file; null if Deno KV did not create the file. */
  readonly engineVersion: number | null;
  readonly pageBytes: number;
  /** Form of the index of expiry times; `other` means an unknown index or no index. */
  readonly index: "full" | "partial" | "other";
}

interface LayoutNote {
  readonly level: "info" | "warning";
  readonly text: string;
}

export const preparingPath = (path: string) => `${path}.preparing`;

/** Creates the file if it is missing; other processes never see an incomplete file. */
export async function prepareStoreFile(path: string): Promise<void> {
  if (await sizeOf(path) !== null) return;
  await using _lock = await takeLock(path);
  if (await sizeOf(path) === null) await makeFile(path);
}

/** The caller must hold the store's lock. */
export async function readyStoreFile(path: string, busyMs: number): Promise<readonly LayoutNote[]> {
  await prepareStoreFile(path);
  await removeLeftovers(path);
  await requireWholeFile(path);
  try {
    using file = openFile(path, busyMs);
    return notesOf(readLayout(file));
  } catch (error) {
    throw asTornFile(path, error);
  }
}

export function notesOfFile(path: string): readonly LayoutNote[] {
  using file = openFileToRead(path);
  return notesOf(readLayout(file));
}

export function readLayout(file: DatabaseSync): FileLayout {
  const sqlOf = (name: string) => {
    const row = file.prepare("SELECT sql FROM sqlite_master WHERE name = ?").get(name);
    return row === undefined ? null : String(row.sql);
  };
  const version = sqlOf("migration_state") === null
    ? undefined
    : file.prepare("SELECT version FROM migration_state WHERE k = 0").get()?.version;
  return {
    engineVersion: version === undefined ? null : Number(version),
    pageBytes: pragma(file, "page_size"),
    index: kindOf(sqlOf(INDEX)),
  };
}

function isAsMade({ pageBytes, index }: FileLayout): boolean {
  return pageBytes === PAGE_BYTES && index === "partial";
}

export function isOfKnownEngine({ engineVersion }: FileLayout): boolean {
  return engineVersion === KNOWN_ENGINE_VERSION;
}

/** Returns why a file must not be changed; null if its layout is known. */
function strangeness({ engineVersion, index }: FileLayout): string | null {
  const stays = "its pages and indexes are left as they are";
  if (engineVersion !== KNOWN_ENGINE_VERSION) {
    const found = engineVersion === null ? "has none" : `has version ${engineVersion}`;
    const known = `of the engine's tables where ${KNOWN_ENGINE_VERSION} is known`;
    return `The store's file ${found} ${known}: ${stays}`;
  }
  if (index !== "other") return null;
  return `The store's file has no index over expiry times that this program knows: ${stays}`;
}

function kindOf(sql: string | null): FileLayout["index"] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/\s+/g, " ");
  if (sql === null) return "other";
  if (plain(sql) === plain(FULL_INDEX)) return "full";
  return plain(sql) === plain(PARTIAL_INDEX) ? "partial" : "other";
}

function notesOf(layout: FileLayout): LayoutNote[] {
  const why = strangeness(layout);
  if (why !== null) return [{ level: "warning", text: why }];
  if (isAsMade(layout)) return [];
  const { pageBytes, index } = layout;
  const text = `The store's file has pages of ${pageBytes} bytes and a ${index} index, and so ` +
    'wastes space and writing: "kurant compact", with the server stopped, makes a smaller file';
  return [{ level: "info", text }];
}

async function makeFile(path: string): Promise<void> {
  const part = preparingPath(path);
  await removeFile(part);
  try {
    await makeTables(part);
    await flushFile(part);
    // Remove the `-wal` log of a deleted file, because SQLite would apply it to the new file.
    await removeFile(path);
    await Deno.rename(part, path);
    await syncFolder(path);
  } finally {
    await removeFile(part);
  }
}

async function makeTables(part: string): Promise<void> {
  const unsynced = "PRAGMA synchronous = OFF";
  {
    using file = openFile(part);
    file.exec(`${unsynced}; PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL`);
  }
  const kv = await Deno.openKv(part);
  try {
    await kv.get(["any"]);
  } finally {
    kv.close();
  }
  using file = openFile(part);
  file.exec(unsynced);
  const layout = readLayout(file);
  if (strangeness(layout) === null && layout.index === "full") {
    file.exec(`BEGIN; DROP INDEX ${INDEX}; ${PARTIAL_INDEX}; COMMIT`);
  }
}

async function removeLeftovers(path: string): Promise<void> {
  const names = [preparingPath(path), lockPathOf(path)];
  const found = await Promise.all(names.map(sizeOf));
  if (found.every((bytes) => bytes === null)) return;
  await using _lock = await takeLock(path);
  await removeFile(preparingPath(path));
}

const lockPathOf = (path: string) => `${preparingPath(path)}.lock`;

async function takeLock(path: string): Promise<AsyncDisposable> {
  const lockPath = lockPathOf(path);
  for (;;) {
    const lock = await Deno.open(lockPath, { read: true, write: true, create: true });
    await lock.lock(true);
    // The previous owner removes the file, and a lock on a removed file is useless.
    if (isFileAt(lockPath, lock)) {
      return {
        async [Symbol.asyncDispose]() {
          await removeFile(lockPath);
          lock.close();
        },
      };
    }
    lock.close();
  }
}

function isFileAt(path: string, file: Deno.FsFile): boolean {
  const held = file.statSync();
  try {
    const found = Deno.statSync(path);
    return found.ino === held.ino && found.dev === held.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Replaces the file with a new copy; no process may have it open. `path` is always a complete file.
 * If the copy has the same layout and is not smaller, the old file stays (`isNew` is false).
 */
export async function rewriteFile(path: string, part: string) {
  await requireSoundFile(path);
  const before = await sizeOf(path) ?? 0;
  try {
    using file = await holdFile(path);
    const why = strangeness(readLayout(file));
    if (why) throw new Failure("unavailable", `"${path}" cannot be rewritten. ${why}`);
    await removeFile(part);
    copyRows(file, part);
    await requireSoundFile(part);
    await flushFile(part);
    const after = await sizeOf(part) ?? 0;
    if (after >= before && isAsMade(readLayout(file))) {
      return { before, after: before, isNew: false };
    }
    // Windows cannot replace an open file. On other systems, the old file stays open until it is
    // replaced, because this locks other processes out.
    if (Deno.build.os === "windows") file.close();
    await replaceFile(part, path, null);
    return { before, after, isNew: true };
  } catch (error) {
    throw asTornFile(path, error);
  } finally {
    await removeFile(part);
  }
}

function copyRows(source: DatabaseSync, to: string): void {
  using target = openFile(to);
  target.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  target.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  const parts = source.prepare(
    `SELECT type, name, sql FROM sqlite_master
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC`,
  ).all().map(({ type, name, sql }) => ({ type, name: String(name), sql: String(sql) }));
  for (const { name, sql } of parts) target.exec(name === INDEX ? PARTIAL_INDEX : sql);
  for (const { name } of parts.filter(({ type }) => type === "table")) {
    copyTable(source, target, name);
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
