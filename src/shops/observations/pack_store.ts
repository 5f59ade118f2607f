/**
 * Stores old rows in blocks, to save space: the observations of a product, and a shop's references
 * to observations. Blocks of products are compressed. A block's key is a position (time and id), at
 * or before the position of the block's first row.
 *
 * Only one job at a time writes blocks. A commit that writes a product's blocks must check and set
 * the version counter of the product's offers.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { cutBySize, mergeSorted } from "../../base/collections.ts";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { idBytes, secondsHex } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/rows.ts";
import {
  comparePositions,
  type PlacedObservation,
  type Position,
  positionOf,
  type Stretch,
  withoutTwins,
} from "./observation.ts";
import {
  type CompetitorEntry,
  fromRow,
  type LooseRows,
  type ObservationRow,
  type Owned,
  OWNED_KEY,
  type OwnedKey,
  productRows,
  shopRows,
  toRow,
} from "./observation_store.ts";

interface BlockRow extends Position, Owned {
  readonly bytes: Uint8Array;
}

const BLOCKS = { key: OWNED_KEY, value: "bytes", batchSize: 10 } as const;

const productBlocks = defineTable<BlockRow, OwnedKey>({
  ...BLOCKS,
  prefix: "op",
  about: "a block of a product's packed observations",
});

const shopBlocks = defineTable<BlockRow, OwnedKey>({
  ...BLOCKS,
  prefix: "oq",
  about: "a block of a shop's packed entries",
});

export interface Owner<T extends Position> extends Owned {
  readonly pack: Pack<T>;
}

interface StoredBlock<T extends Position> {
  readonly start: Position;
  readonly rows: readonly T[];
}

export async function listPacked<T extends Position>(
  workspace: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  stretch: Stretch,
  limit: number,
): Promise<T[]> {
  const { fromMs, toMs, order, after } = stretch;
  const lowMs = order === "asc" && after ? after.atMs : fromMs;
  const highMs = order === "desc" && after ? after.atMs : toMs;
  if (lowMs > highMs) return [];
  const found: T[] = [];
  for await (const { bytes } of walkRows(workspace, { pack, ownerId }, { lowMs, highMs, order })) {
    const rows = pack.decode(bytes, ownerId, lowMs, highMs).filter((row) => isIn(stretch, row));
    found.push(...order === "asc" ? rows : rows.reverse());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

function isIn({ fromMs, toMs, order, after }: Stretch, position: Position): boolean {
  if (position.atMs < fromMs || position.atMs > toMs) return false;
  if (after === null) return true;
  const side = comparePositions(position, after);
  return order === "asc" ? side > 0 : side < 0;
}

export async function findBlocks<T extends Position>(
  workspace: WorkspaceStore,
  owner: Owner<T>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<StoredBlock<T>[]> {
  const range = { lowMs: fromMs, highMs: toMs, order: "asc" as const };
  return await Array.fromAsync(
    walkRows(workspace, owner, range),
    (row) => asBlock(owner.pack, row),
  );
}

/** Returns the last block that starts at or before `position`. */
export async function findBlockOf<T extends Position>(
  workspace: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  position: Position,
): Promise<StoredBlock<T> | null> {
  const range = { within: { ownerId }, after: { atMs: position.atMs + 1 }, order: "desc" } as const;
  for await (const { row } of pack.blocks.walk(workspace, range)) {
    if (comparePositions(row, position) <= 0) return asBlock(pack, row);
  }
  return null;
}

function asBlock<T extends Position>(
  pack: Pack<T>,
  { ownerId, atMs, id, bytes }: BlockRow,
): StoredBlock<T> {
  return { start: { atMs, id }, rows: pack.decode(bytes, ownerId, -Infinity, Infinity) };
}

async function* walkRows<T extends Position>(
  workspace: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  { lowMs, highMs, order }: {
    readonly lowMs: number;
    readonly highMs: number;
    readonly order: Stretch["order"];
  },
): AsyncGenerator<BlockRow> {
  const within = { ownerId };
  const before = { within, after: { atMs: lowMs }, order: "desc", limit: 1 } as const;
  const [first] = order === "asc" ? await pack.blocks.list(workspace, before) : [];
  const after = { atMs: order === "asc" ? (first?.row.atMs ?? lowMs) - 1 : highMs + 1 };
  for await (const { row } of pack.blocks.walk(workspace, { within, after, order })) {
    if (order === "asc" && row.atMs > highMs) return;
    yield row;
    if (order === "desc" && row.atMs < lowMs) return;
  }
}

export function putBlock<T extends Position>(
  write: Write,
  workspaceId: string,
  { pack, ownerId }: Owner<T>,
  { start, rows }: StoredBlock<T>,
): void {
  const key = { ownerId, ...start };
  if (rows.length === 0) pack.blocks.drop(write, { workspaceId }, key);
  else pack.blocks.put(write, { workspaceId }, { ...key, bytes: pack.encode(rows) });
}

export async function* walkBlocks<T extends Position>(
  workspace: WorkspaceStore,
  pack: Pack<T>,
): AsyncGenerator<{ ownerId: string; block: StoredBlock<T> }> {
  for await (const { row } of pack.blocks.walk(workspace)) {
    yield { ownerId: row.ownerId, block: asBlock(pack, row) };
  }
}

export async function* walkObserved(workspace: WorkspaceStore): AsyncGenerator<string> {
  let last = "";
  const walks = [productRows, productBlocks].map((table) => walkOwners(workspace, table));
  for await (const id of mergeSorted(walks, (one) => one)) {
    if (id !== last) yield id;
    last = id;
  }
}

async function* walkOwners(
  workspace: WorkspaceStore,
  table: typeof productRows | typeof productBlocks,
): AsyncGenerator<string> {
  for (let after: Owned | null = null;;) {
    const [found]: { row: Owned }[] = await table.list(workspace, { after, limit: 1 });
    if (!found) return;
    after = { ownerId: found.row.ownerId };
    yield after.ownerId;
  }
}

const TIME_BYTES = 8;
const HASH_BYTES = 8;
const ENTRY_BYTES = TIME_BYTES + HASH_BYTES + 12;

export interface Pack<T extends Position> {
  readonly loose: LooseRows<T>;
  readonly blocks: typeof productBlocks;
  readonly rowsMax: number;
  encode(rows: readonly T[]): Uint8Array<ArrayBuffer>;
  decode(bytes: Uint8Array, ownerId: string, fromMs: number, toMs: number): T[];
}

export const PRODUCT_PACK: Pack<PlacedObservation> = {
  loose: productRows,
  blocks: productBlocks,
  rowsMax: 200,
  encode: encodeObservations,
  decode: decodeObservations,
};

export const COMPETITOR_PACK: Pack<CompetitorEntry> = {
  loose: shopRows,
  blocks: shopBlocks,
  rowsMax: Math.floor(PAGE_VALUE_BYTES / ENTRY_BYTES),
  encode: encodeEntries,
  decode: decodeEntries,
};

type PackedRow = readonly [sinceLastMs: number, ...ObservationRow];

function encodeObservations(rows: readonly PlacedObservation[]): Uint8Array<ArrayBuffer> {
  let lastMs = 0;
  const packed = rows.map(({ atMs, observation }) => {
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

/** Maximum number of stored blocks that one call of `insertRows` changes. */
const BLOCKS_MAX = 4;

/** `putBlock` deletes empty blocks of `changes`; only the first `used` rows were inserted. */
export async function insertRows<T extends Position>(
  workspace: WorkspaceStore,
  owner: Owner<T>,
  rows: readonly T[],
): Promise<{ changes: StoredBlock<T>[]; used: number }> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return { changes: [], used: 0 };
  const found = await findBlocks(workspace, owner, { fromMs: first.atMs, toMs: last.atMs });
  const begin = found.findLastIndex(({ start }) => comparePositions(start, first) <= 0);
  const next = Math.max(0, begin) + BLOCKS_MAX;
  const before = found.slice(Math.max(0, begin), next);
  const limit = found[next]?.start;
  const left = limit ? rows.findIndex((row) => comparePositions(row, limit) >= 0) : -1;
  const used = left < 0 ? rows.length : left;
  const merged = [...rows.slice(0, used), ...before.flatMap((block) => block.rows)];
  const all = withoutTwins(merged.sort(comparePositions));
  const blocks = cutBySize(all, owner.pack.rowsMax, () => 1).map((part, n) => {
    return { start: n === 0 ? found[begin]?.start ?? first : part[0] ?? first, rows: part };
  });
  const isGone = ({ start }: StoredBlock<T>) =>
    !blocks.some((block) => comparePositions(block.start, start) === 0);
  const gone = before.filter(isGone).map(({ start }) => ({ start, rows: [] }));
  return { changes: [...gone, ...blocks], used };
}

export function withoutRows<T extends Position>(
  blocks: readonly StoredBlock<T>[],
  isGone: (row: T) => boolean,
): StoredBlock<T>[] {
  return blocks.flatMap(({ start, rows }) => {
    const left = rows.filter((row) => !isGone(row));
    return left.length === rows.length ? [] : [{ start, rows: left }];
  });
}
