/**
 * Keys: `op W productId at obsId` → a block of a product's packed observations; `oq W competitorId
 * at obsId` → a block of a competitor's packed entries. The key of a block is a position at or
 * before its first row.
 *
 * Only one running job writes blocks. A commit with a product's blocks must check and set the
 * version counter of the product's offers.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { idBytes, secondsHex } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { PlainKey } from "../../platform/store/key_hex.ts";
import { firstRow, idIn, idKey, lastBytes } from "../../platform/store/rows.ts";
import type { Write } from "../../platform/store/kv.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import {
  boundsOf,
  comparePositions,
  isIn,
  type PlacedObservation,
  type Position,
  positionOf,
  type Stretch,
} from "./observation.ts";
import {
  type CompetitorEntry,
  fromRow,
  keyAt,
  keyBehind,
  type ObservationRow,
  positionIn,
  toRow,
} from "./observation_store.ts";

/** Blocks per read. A block has about 4 KB, or up to 56 KB if an earlier version wrote it. */
const BATCH_SIZE = 10;

const ownerKey = (pack: { readonly table: string }, workspaceId: string, ownerId: string) =>
  idKey(pack.table, workspaceId, ownerId);
export interface Owner<T extends Position> {
  readonly pack: Pack<T>;
  readonly ownerId: string;
}

export interface StoredBlock<T extends Position> {
  readonly start: Position;
  readonly rows: readonly T[];
}

export async function listPacked<T extends Position>(
  workspace: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  stretch: Stretch,
  limit: number,
): Promise<T[]> {
  const { order } = stretch;
  const bounds = boundsOf(stretch);
  if (!bounds) return [];
  const found: T[] = [];
  const blocks = walkRows(workspace, { pack, ownerId }, { ...bounds, order });
  for await (const { value } of blocks) {
    const { lowMs, highMs } = bounds;
    const rows = pack.decode(value, ownerId, lowMs, highMs).filter((row) => isIn(stretch, row));
    found.push(...order === "asc" ? rows : rows.reverse());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** Both times are inclusive. */
export async function findBlocks<T extends Position>(
  workspace: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<StoredBlock<T>[]> {
  const found: StoredBlock<T>[] = [];
  const range = { lowMs: fromMs, highMs: toMs, order: "asc" as const };
  for await (const row of walkRows(workspace, { pack, ownerId }, range)) {
    found.push(asBlock({ pack, ownerId }, row));
  }
  return found;
}

/** The last block that starts at or before `position`. */
export async function findBlockOf<T extends Position>(
  { store, workspaceId }: WorkspaceStore,
  owner: Owner<T>,
  position: Position,
): Promise<StoredBlock<T> | null> {
  const prefix = ownerKey(owner.pack, workspaceId, owner.ownerId);
  const range = { start: prefix, end: keyBehind(prefix, position) };
  const row = await firstRow<Uint8Array>(store, range, { reverse: true });
  return row && asBlock(owner, placed(row));
}

interface PlacedBytes {
  readonly start: Position;
  readonly value: Uint8Array;
}

function placed({ key, value }: Deno.KvEntry<Uint8Array>): PlacedBytes {
  return { start: positionIn(key), value };
}

function asBlock<T extends Position>(
  { pack, ownerId }: Owner<T>,
  { start, value }: PlacedBytes,
): StoredBlock<T> {
  return { start, rows: pack.decode(value, ownerId, -Infinity, Infinity) };
}

async function* walkRows<T extends Position>(
  { store, workspaceId }: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  { lowMs, highMs, order }: {
    readonly lowMs: number;
    readonly highMs: number;
    readonly order: Stretch["order"];
  },
): AsyncGenerator<PlacedBytes> {
  const prefix = ownerKey(pack, workspaceId, ownerId);
  if (order === "asc") {
    const [low, end] = [[...prefix, lowMs], [...prefix, highMs + 1]];
    const before = await firstRow(store, { start: prefix, end: low }, { reverse: true });
    const start = before?.key ?? low;
    const rows = store.kv.list<Uint8Array>({ start, end }, { batchSize: BATCH_SIZE });
    for await (const row of rows) yield placed(row);
    return;
  }
  let before: PlainKey = [highMs + 1];
  for (let length = BATCH_SIZE; length === BATCH_SIZE;) {
    const rows = await lastBytes(store, prefix, { before }, BATCH_SIZE);
    for (const { parts: [atMs, id], value } of rows) {
      const start = { atMs: Number(atMs), id: String(id) };
      yield { start, value };
      if (start.atMs < lowMs) return;
      before = [start.atMs, idBytes(start.id)];
    }
    length = rows.length;
  }
}

/** Deletes a block without rows. */
export function putBlock<T extends Position>(
  write: Write,
  workspaceId: string,
  { pack, ownerId }: Owner<T>,
  { start, rows }: { readonly start: Position; readonly rows: readonly T[] },
): void {
  const key = keyAt(ownerKey(pack, workspaceId, ownerId), start);
  if (rows.length === 0) write.delete(key);
  else write.set(key, pack.encode(rows));
}

export async function* walkBlocks<T extends Position>(
  { store, workspaceId }: WorkspaceStore,
  pack: Pack<T>,
): AsyncGenerator<{ ownerId: string; block: StoredBlock<T> }> {
  const prefix = idKey(pack.table, workspaceId);
  const rows = store.kv.list<Uint8Array>({ prefix }, { batchSize: 100 });
  for await (const row of rows) {
    const ownerId = idIn(row.key, 2);
    yield { ownerId, block: asBlock({ pack, ownerId }, placed(row)) };
  }
}

const TIME_BYTES = 8;
const HASH_BYTES = 8;
const ENTRY_BYTES = TIME_BYTES + HASH_BYTES + 12;

export interface Pack<T extends Position> {
  readonly table: "op" | "oq";
  readonly rowsMax: number;
  encode(rows: readonly T[]): Uint8Array<ArrayBuffer>;
  /** Both times are inclusive. */
  decode(bytes: Uint8Array, ownerId: string, fromMs: number, toMs: number): T[];
}

export const PRODUCT_PACK: Pack<PlacedObservation> = {
  table: "op",
  rowsMax: 200,
  encode: encodeObservations,
  decode: decodeObservations,
};

export const COMPETITOR_PACK: Pack<CompetitorEntry> = {
  table: "oq",
  rowsMax: Math.floor(PAGE_VALUE_BYTES / ENTRY_BYTES),
  encode: encodeEntries,
  decode: decodeEntries,
};

/** Times are stored as differences, because differences compress well. */
type PackedRow = readonly [sinceLastMs: number, ...ObservationRow];

function encodeObservations(rows: readonly PlacedObservation[]): Uint8Array<ArrayBuffer> {
  let lastMs = 0;
  const packed = rows.map(({ atMs, observation }): PackedRow => {
    const sinceLastMs = atMs - lastMs;
    lastMs = atMs;
    return [sinceLastMs, ...toRow(observation)];
  });
  return new Uint8Array(deflateRawSync(encoder.encode(JSON.stringify(packed))));
}

function decodeObservations(
  bytes: Uint8Array,
  productId: string,
  fromMs: number,
  toMs: number,
): PlacedObservation[] {
  const packed: PackedRow[] = JSON.parse(decoder.decode(inflateRawSync(bytes)));
  const found: PlacedObservation[] = [];
  let observedAtMs = 0;
  for (const [sinceLastMs, ...row] of packed) {
    observedAtMs += sinceLastMs;
    if (observedAtMs < fromMs) continue;
    if (observedAtMs > toMs) break;
    const observation = fromRow(row, { productId, observedAtMs });
    found.push({ ...positionOf(observation), observation });
  }
  return found;
}

function encodeEntries(entries: readonly CompetitorEntry[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(entries.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [position, { atMs, id, productId }] of entries.entries()) {
    const at = position * ENTRY_BYTES;
    view.setFloat64(at, atMs);
    bytes.set(idBytes(id).subarray(4), at + TIME_BYTES);
    bytes.set(idBytes(productId), at + TIME_BYTES + HASH_BYTES);
  }
  return bytes;
}

function decodeEntries(
  bytes: Uint8Array,
  _competitorId: string,
  fromMs: number,
  toMs: number,
): CompetitorEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: CompetitorEntry[] = [];
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    const atMs = view.getFloat64(at);
    if (atMs < fromMs) continue;
    if (atMs > toMs) break;
    const hash = bytes.subarray(at + TIME_BYTES, at + TIME_BYTES + HASH_BYTES).toHex();
    const productId = bytes.subarray(at + TIME_BYTES + HASH_BYTES, at + ENTRY_BYTES).toHex();
    entries.push({ atMs, id: secondsHex(atMs) + hash, productId });
  }
  return entries;
}

interface BlockChange<T extends Position> {
  readonly start: Position;
  readonly rows: readonly T[];
}

/** `rows` must be sorted. `used` is the number of inserted rows. */
export async function insertRows<T extends Position>(
  workspace: WorkspaceStore,
  owner: Owner<T>,
  rows: readonly T[],
): Promise<{ changes: BlockChange<T>[]; used: number }> {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return { changes: [], used: 0 };
  const range = { fromMs: first.atMs, toMs: last.atMs };
  const blocks = await findBlocks(workspace, owner, range);
  const changes: BlockChange<T>[] = [];
  let used = 0;
  for (let dirty = 0; used < rows.length && dirty < 4; dirty++) {
    const { block, next } = blockFor(blocks, rows[used] ?? first);
    const fitting = rows.slice(used).findIndex((row) => next && comparePositions(row, next) >= 0);
    const end = fitting < 0 ? rows.length : used + fitting;
    const start = block?.start ?? rows[used] ?? first;
    const merged = withoutTwins([...rows.slice(used, end), ...block?.rows ?? []]);
    changes.push(...cut(start, merged, owner.pack.rowsMax));
    used = end;
  }
  return { changes, used };
}

function blockFor<T extends Position>(blocks: readonly StoredBlock<T>[], position: Position) {
  const behind = blocks.findIndex(({ start }) => comparePositions(start, position) > 0);
  const block = behind < 0 ? blocks.at(-1) : blocks[behind - 1];
  return { block: block ?? null, next: blocks[behind]?.start ?? null };
}

/** Of two rows with the same position, the inserted row is kept. */
function withoutTwins<T extends Position>(rows: readonly T[]): T[] {
  const sorted = rows.toSorted(comparePositions);
  return sorted.filter((row, position) => {
    const before = sorted[position - 1];
    return !before || comparePositions(before, row) !== 0;
  });
}

/** The first part keeps the key of the old block. */
function cut<T extends Position>(
  start: Position,
  rows: readonly T[],
  rowsMax: number,
): BlockChange<T>[] {
  const parts: BlockChange<T>[] = [];
  for (let at = 0; at < rows.length; at += rowsMax) {
    const part = rows.slice(at, at + rowsMax);
    parts.push({ start: at === 0 ? start : part[0] ?? start, rows: part });
  }
  return parts;
}

/** Returns only blocks that change. */
export function withoutRows<T extends Position>(
  blocks: readonly StoredBlock<T>[],
  isGone: (row: T) => boolean,
): BlockChange<T>[] {
  return blocks.flatMap(({ start, rows }) => {
    const left = rows.filter((row) => !isGone(row));
    return left.length === rows.length ? [] : [{ start, rows: left }];
  });
}
