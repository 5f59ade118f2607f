/** Copies a store's file row by row, which frees the space of deleted rows. */
import { Failure } from "../../base/failure.ts";
import { isAsMade, PAGE_BYTES, readLayout, statementOfToday, strangeness } from "./file_layout.ts";
import {
  asTornFile,
  flushFile,
  holdFile,
  openFile,
  pragma,
  removeFile,
  replaceFile,
  requireSoundFile,
  sizeOf,
} from "./store_file.ts";
import { withRoom } from "./store_trouble.ts";
import type { DatabaseSync } from "node:sqlite";

interface Rewritten {
  readonly before: number;
  readonly after: number;
  /** False if the file is unchanged, because a copy would be no smaller. */
  readonly isNew: boolean;
}

/**
 * Replaces the unused file `path` with a copy that is first made at `part`. At any time, one of the
 * two paths has a complete file. Throws `unavailable`, for example if the disk has no room.
 */
export async function rewriteFile(path: string, part: string): Promise<Rewritten> {
  await requireSoundFile(path);
  const before = await sizeOf(path) ?? 0;
  try {
    using file = await holdFile(path);
    requireKnownFile(path, file);
    await removeFile(part);
    const need = { beside: path, bytes: bytesInUse(file), what: "the new file" };
    await withRoom(need, () => copyRows(file, part));
    await requireSoundFile(part);
    await flushFile(part);
    const after = await sizeOf(part) ?? 0;
    if (after >= before && isAsMade(readLayout(file))) {
      return { before, after: before, isNew: false };
    }
    // Windows cannot replace an open file. Elsewhere, the open file keeps other processes out.
    if (Deno.build.os === "windows") file.close();
    await replaceFile(part, path, null);
    return { before, after, isNew: true };
  } catch (error) {
    throw asTornFile(path, error);
  } finally {
    await removeFile(part);
  }
}

function requireKnownFile(path: string, file: DatabaseSync): void {
  const [note] = strangeness(readLayout(file)) ?? [];
  if (note) throw new Failure("unavailable", `"${path}" cannot be rewritten. ${note.text}`);
}

/** Upper limit of the copy's size in bytes: the used pages, and a page for each table and index. */
function bytesInUse(file: DatabaseSync): number {
  const used = (pragma(file, "page_count") - pragma(file, "freelist_count")) *
    pragma(file, "page_size");
  const trees = file.prepare("SELECT count(*) AS trees FROM sqlite_master").get()?.trees;
  return used + Number(trees) * PAGE_BYTES;
}

function copyRows(source: DatabaseSync, to: string): void {
  using target = openFile(to);
  target.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  target.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  const parts = source.prepare(
    `SELECT type, name, sql FROM sqlite_master
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC`,
  ).all().map(({ type, name, sql }) => ({ type, name: String(name), sql: String(sql) }));
  for (const { name, sql } of parts) target.exec(statementOfToday(name, sql));
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
