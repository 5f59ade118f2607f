/**
 * Reads, counts and deletes rows of any table, and compresses values (Zstandard). If the store is a
 * file, rows whose value is bytes are read directly with SQLite (`direct_reads.ts`), and all other
 * rows with Deno KV.
 */
import { batchesOf } from "../../base/collections.ts";
import { idBytes, idText } from "../../base/id.ts";
import type { WorkspaceStore } from "./context.ts";
import {
  type BytesAt,
  isPlain,
  keyHex,
  keyOfHex,
  lastBytesOf,
  lastTextOf,
  partsOfHex,
  type PlainKey,
  type StoredBytes,
  type WalkedRow,
  type WalkRange,
} from "./direct_reads.ts";
import { isSameKey, type Store, transact, type Write } from "./kv.ts";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Deno KV reads at most 10 keys in one call. */
export const GET_MANY_MAX = 10;
const LIST_BATCH_MAX = 1_000;
/** An empty key part: `[...key, JUST_BEHIND]` is the first possible key after `key`. */
const JUST_BEHIND = new Uint8Array();

export async function firstRow<T>(
  { kv }: Pick<Store, "kv">,
  selector: Deno.KvListSelector,
  { reverse = false }: Pick<Deno.KvListOptions, "reverse"> = {},
): Promise<Deno.KvEntry<T> | null> {
  for await (const row of kv.list<T>(selector, { limit: 1, reverse })) return row;
  return null;
}

/** Reads at most `GET_MANY_MAX` keys, which may belong to different tables. */
export async function getMixedRows<Rows extends readonly unknown[]>(
  { kv }: Pick<Store, "kv">,
  keys: readonly [...{ [At in keyof Rows]: Deno.KvKey }],
): Promise<{ [At in keyof Rows]: Deno.KvEntryMaybe<Rows[At]> }> {
  return await kv.getMany<Rows>(keys);
}

export async function getRows<T>(
  { kv }: Store,
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<T>[]> {
  const slices: Promise<Deno.KvEntryMaybe<T>[]>[] = [];
  for (let at = 0; at < keys.length; at += GET_MANY_MAX) {
    slices.push(kv.getMany<T[]>(keys.slice(at, at + GET_MANY_MAX)));
  }
  return (await Promise.all(slices)).flat();
}

/** `part` is the last part of the row's key, in lower-case hex digits. */
export type BytesRow = WalkedRow<string>;

/**
 * `partOf` gets all parts of a key after `prefix`, in hex digits (`keyHex`). If `partOf` returns
 * null, Deno KV reads the range instead, and `partOf` gets the last part alone.
 */
async function readRange<Part>(
  { kv, direct }: Store,
  prefix: PlainKey,
  range: WalkRange,
  limit: number,
  partOf: (rest: string) => Part | null,
): Promise<readonly WalkedRow<Part>[]> {
  const rows = await direct?.walk(prefix, range, limit, partOf);
  if (rows) return rows;
  const { after, before } = range;
  const selector = before
    ? { start: [...prefix, ...after ?? []], end: [...prefix, ...before] }
    : { prefix: [...prefix], ...(after && { start: [...prefix, ...after, JUST_BEHIND] }) };
  const batchSize = Math.min(limit, LIST_BATCH_MAX);
  const options = { limit, batchSize, reverse: before !== undefined };
  const found = await Array.fromAsync(kv.list<Uint8Array<ArrayBuffer>>(selector, options));
  return found.map(({ key, value, versionstamp }) => {
    const [rest, last] = [key.slice(prefix.length), key.slice(-1)];
    const part = isPlain(rest) && isPlain(last)
      ? partOf(keyHex(rest)) ?? partOf(keyHex(last))
      : null;
    if (part === null) throw new Error(`A key of "${String(prefix[0])}" has another form`);
    return { part, value, versionstamp };
  });
}

/** Reads the rows whose keys are `prefix` and one more part, which must be greater than `after`. */
export async function listBytes(
  store: Store,
  prefix: PlainKey,
  after: string | null,
  limit: number,
): Promise<readonly BytesRow[]> {
  const range = { after: after === null ? null : [Uint8Array.fromHex(after)] };
  return await readRange(store, prefix, range, limit, lastBytesOf);
}

export async function listTextRows(
  store: Store,
  prefix: PlainKey,
  after: string | null,
  limit: number,
): Promise<readonly WalkedRow<string>[]> {
  const range = { after: after === null ? null : [after] };
  return await readRange(store, prefix, range, limit, lastTextOf);
}

interface WalkedBytes {
  /** Parts of the key after `prefix`; a part that consists of bytes is in hex digits. */
  readonly parts: readonly (string | number)[];
  readonly value: Uint8Array<ArrayBuffer>;
}

/** Reads the rows from `from` up to, but not including, `before`, in descending order of keys. */
export async function lastBytes(
  store: Store,
  prefix: PlainKey,
  { from = [], before }: { readonly from?: PlainKey; readonly before: PlainKey },
  limit: number,
): Promise<(WalkedBytes & StoredBytes)[]> {
  const rows = await readRange(store, prefix, { after: from, before }, limit, partsOfHex);
  return rows.map(({ part: parts, ...row }) => ({ ...row, parts }));
}

export async function* walkBytes(store: Store, prefix: PlainKey): AsyncGenerator<WalkedBytes> {
  const read = (last: string | null, limit: number) => {
    const range = { after: last === null ? null : keyOfHex(last) };
    return readRange(store, prefix, range, limit, (rest) => rest);
  };
  for await (const rows of pagesOf(read, ({ part }) => part, LIST_BATCH_MAX)) {
    for (const { part, value } of rows) yield { parts: partsOfHex(part), value };
  }
}

export async function getBytes(
  store: Store,
  prefix: PlainKey,
  parts: readonly string[],
): Promise<readonly BytesRow[]> {
  const rows = await getBytesAt(store, parts.map((part) => [...prefix, Uint8Array.fromHex(part)]));
  return parts.flatMap((part, n) => {
    const row = rows[n];
    return row ? [{ part, ...row }] : [];
  });
}

export async function listVersions(
  { kv }: Store,
  prefix: Deno.KvKey,
): Promise<Map<number, string>> {
  const versions = new Map<number, string>();
  for await (const { key, versionstamp } of kv.list({ prefix })) {
    versions.set(Number(key.at(-1)), versionstamp);
  }
  return versions;
}

export async function getBytesAt(
  store: Store,
  keys: readonly PlainKey[],
): Promise<readonly BytesAt[]> {
  const found = await store.direct?.at(keys);
  if (found) return found;
  const rows = await getRows<Uint8Array<ArrayBuffer>>(store, keys.map((key) => [...key]));
  return rows.map(({ value, versionstamp }) => value === null ? null : { value, versionstamp });
}

export async function countRows(
  { kv, direct }: Store,
  prefix: PlainKey,
  max: number,
): Promise<number> {
  const counted = await direct?.count(prefix, max);
  if (typeof counted === "number") return counted;
  const options = { limit: max, batchSize: Math.min(max, LIST_BATCH_MAX) };
  return (await Array.fromAsync(kv.list({ prefix: [...prefix] }, options))).length;
}

/** If `before` is given, deletes only rows whose key part after `prefix` is less than `before`. */
export async function removeRows(
  write: Write,
  { kv }: Store,
  prefix: Deno.KvKey,
  limit: number,
  before?: Deno.KvKeyPart,
): Promise<number> {
  const selector = before === undefined ? { prefix } : { prefix, end: [...prefix, before] };
  let count = 0;
  for await (const { key } of kv.list(selector, { limit, batchSize: limit })) {
    write.delete(key);
    count++;
  }
  return count;
}

export async function removeInCommits(
  at: { readonly store: Store },
  limit: number,
  remove: (write: Write, limit: number) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let size = limit; size === limit; count += size) {
    size = await transact(at, (write) => remove(write, limit));
  }
  return count;
}

export async function removeInBatches<Row>(
  store: Store,
  found: AsyncIterable<Row>,
  batchSize: number,
  remove: (write: Write, row: Row) => void,
): Promise<number> {
  let count = 0;
  for await (const batch of batchesOf(found, batchSize)) {
    await transact({ store }, (write) => {
      for (const row of batch) remove(write, row);
    });
    count += batch.length;
  }
  return count;
}

const AFTER_TEXTS = [true];
const BATCH = { batchSize: 500 };

/**
 * Omits rows whose keys lack the workspace's id, such as users, sessions, API keys and chunks of
 * uploads.
 */
export async function* walkWorkspaceRows(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<{ readonly table: string; readonly key: Deno.KvKey }> {
  const workspace = idBytes(workspaceId);
  for await (const table of walkTables(store)) {
    const isOwned = await beginsWithId(store, table);
    // Do not use `prefix`, which would omit the row whose whole key is `[table, workspace]`.
    const rows = isOwned
      ? { start: [table, workspace], end: [table, new Uint8Array([...workspace, 0])] }
      : { prefix: [table] };
    for await (const { key } of store.kv.list(rows, BATCH)) {
      if (isOwned || key.some((part) => isSameKey([part], [workspace]))) yield { table, key };
    }
  }
}

function walkTables(store: Store): AsyncGenerator<string> {
  const firstBehind = async (table: string | null) => {
    const start = [table === null ? "" : `${table}\u0000`];
    const name = (await firstRow(store, { start, end: AFTER_TEXTS }))?.key[0];
    return typeof name === "string" ? name : null;
  };
  return byGroup(firstBehind, (table) => table);
}

async function beginsWithId(store: Store, table: string): Promise<boolean> {
  const owner = (await firstRow(store, { prefix: [table] }))?.key[1];
  return owner === undefined || owner instanceof Uint8Array;
}

export async function clearTable(
  { store, workspaceId }: WorkspaceStore,
  table: string,
): Promise<void> {
  const all = { start: idKey(table, workspaceId), end: [table, justAfterId(workspaceId)] };
  const rows = store.kv.list(all, { batchSize: 100 });
  await removeInBatches(store, rows, 100, (write, { key }) => write.delete(key));
}

export function idKey(table: string, ...ids: readonly string[]): (string | Uint8Array)[] {
  return [table, ...ids.map((id) => idBytes(id))];
}

function justAfterId(id: string): Uint8Array {
  const part = new Uint8Array(13);
  part.set(idBytes(id));
  return part;
}

export interface IdStretch {
  readonly first: string;
  readonly last: string;
}

export function selectorAfter(prefix: Deno.KvKey, after: string | null): Deno.KvListSelector {
  return after === null ? { prefix } : { prefix, start: [...prefix, justAfterId(after)] };
}

function bytesIn(key: Deno.KvKey, place: number): Uint8Array {
  const part = key.at(place);
  if (!(part instanceof Uint8Array)) throw new Error(`A key has no bytes at its place ${place}`);
  return part;
}

export function idIn(key: Deno.KvKey, place: number): string {
  return idText(bytesIn(key, place));
}

export function lastIdOf(key: Deno.KvKey): string {
  return idIn(key, -1);
}

export async function* pagesOf<T, P = string>(
  list: (after: P | null, limit: number) => Promise<readonly T[]>,
  placeOf: (row: T) => P,
  size: number,
  start: P | null = null,
): AsyncGenerator<readonly T[]> {
  for (let after = start;;) {
    const page = await list(after, size);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    after = placeOf(last);
  }
}

/**
 * Yields the first row of each group, beginning after the group `last` and ending with `last`.
 * `find` returns the first row after the given group; rows must be sorted by group.
 */
export async function* byGroup<Row>(
  find: (last: string | null) => Promise<Row | null>,
  groupOf: (row: Row) => string,
  last: string | null = null,
): AsyncGenerator<Row> {
  for (let row = await find(last); row; row = await find(groupOf(row))) yield row;
  if (last === null) return;
  for (let row = await find(null); row; row = await find(groupOf(row))) {
    if (groupOf(row) > last) return;
    yield row;
  }
}

export function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** Values above about a quarter of an SQLite page slow down the search for a key. */
export const PAGE_VALUE_BYTES = 4_000;

export type PackedBytes = Uint8Array | { readonly zstd: Uint8Array };

const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = constants;
const PARAMS = { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_windowLog]: 16 };

/** `bytes` must not exceed 64 KiB, the store's limit for a value. */
export function packBytes(bytes: Uint8Array): PackedBytes {
  const zstd = zstdCompressSync(bytes, { params: PARAMS });
  // Copy the result, because the result refers to a larger buffer that the store would keep.
  return zstd.length > bytes.length * 0.8 ? bytes : { zstd: new Uint8Array(zstd) };
}

/** Throws if decompressed bytes would exceed `bytesMax`. */
export function unpackBytes(packed: PackedBytes, bytesMax: number): Uint8Array {
  if (packed instanceof Uint8Array) return packed;
  const options = { maxOutputLength: bytesMax, chunkSize: Math.min(bytesMax, 65_536) };
  const bytes = zstdDecompressSync(packed.zstd, options);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
