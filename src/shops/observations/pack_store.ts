/**
 * Keys: `op W productId at obsId` → a block of a product's packed observations;
 * `oq W competitorId at obsId` → a block of a competitor's packed entries;
 * `oqd W competitorId dayMs` → empty: packed on that day (its start in UTC), and not thinned since.
 *
 * A block is keyed by a position that none of its rows is before, and all of them are before the
 * key of the next block. One job at a time writes blocks: those of a product under the generation of
 * its offers (read first, checked, set), those of a competitor in the commit of the job's step.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { firstRow } from "../../platform/store/rows.ts";
import type { Position } from "./observation.ts";
import { keyAt, keyBehind, positionIn } from "./observation_store.ts";
import { boundsOf, isIn, type Stretch } from "./stretch.ts";
import type { Pack } from "./pack.ts";

const EMPTY = new Uint8Array();
/** Of blocks of some 4 KB, those of an earlier version up to 56. */
const BATCH_SIZE = 10;

const ownerKey = (pack: { readonly table: string }, workspaceId: string, ownerId: string) => [
  pack.table,
  idBytes(workspaceId),
  idBytes(ownerId),
];
const daysKey = (workspaceId: string, competitorId: string) => [
  "oqd",
  idBytes(workspaceId),
  idBytes(competitorId),
];

/** Whose blocks. */
export interface Owner<T extends Position> {
  readonly pack: Pack<T>;
  readonly ownerId: string;
}

/** A block as it was read, whole. */
export interface StoredBlock<T extends Position> {
  readonly start: Position;
  readonly rows: readonly T[];
}

/** Up to `limit` packed rows of a stretch, in its order. */
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

/** All blocks that may hold rows between two times, both inclusive. */
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

/** The block in which a position lies, if it is packed: the last one that begins at or before it. */
export async function findBlockOf<T extends Position>(
  { store, workspaceId }: WorkspaceStore,
  owner: Owner<T>,
  position: Position,
): Promise<StoredBlock<T> | null> {
  const prefix = ownerKey(owner.pack, workspaceId, owner.ownerId);
  const range = { start: prefix, end: keyBehind(prefix, position) };
  const row = await firstRow<Uint8Array>(store, range, { reverse: true });
  return row && asBlock(owner, row);
}

function asBlock<T extends Position>(
  { pack, ownerId }: Owner<T>,
  { key, value }: Deno.KvEntry<Uint8Array>,
): StoredBlock<T> {
  const rows = pack.decode(value, ownerId, -Infinity, Infinity);
  return { start: positionIn(key), rows };
}

async function* walkRows<T extends Position>(
  { store, workspaceId }: WorkspaceStore,
  { pack, ownerId }: Owner<T>,
  { lowMs, highMs, order }: {
    readonly lowMs: number;
    readonly highMs: number;
    readonly order: Stretch["order"];
  },
): AsyncGenerator<Deno.KvEntry<Uint8Array>> {
  const prefix = ownerKey(pack, workspaceId, ownerId);
  const end = [...prefix, highMs + 1];
  if (order === "asc") {
    const low = [...prefix, lowMs];
    const before = await firstRow(store, { start: prefix, end: low }, { reverse: true });
    const start = before?.key ?? low;
    yield* store.kv.list<Uint8Array>({ start, end }, { batchSize: BATCH_SIZE });
    return;
  }
  const options = { reverse: true, batchSize: BATCH_SIZE };
  for await (const row of store.kv.list<Uint8Array>({ start: prefix, end }, options)) {
    yield row;
    if (positionIn(row.key).atMs < lowMs) return;
  }
}

/** Writes a block under its key, or takes an empty one away. */
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

/** Days on which a competitor's observations still stand one by one, the oldest first. */
export async function listWholeDays(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  beforeMs: number,
): Promise<number[]> {
  const prefix = daysKey(workspaceId, competitorId);
  const rows = await Array.fromAsync(
    store.kv.list({ start: prefix, end: [...prefix, beforeMs] }, { batchSize: 1_000 }),
  );
  return rows.map(({ key }) => Number(key.at(-1)));
}

/** Goes into the commit that packs entries of the day. */
export function markDay(write: Write, workspaceId: string, competitorId: string, dayMs: number) {
  write.set([...daysKey(workspaceId, competitorId), dayMs], EMPTY);
}

/** The day is thinned. */
export function removeDay(
  write: Write,
  workspaceId: string,
  competitorId: string,
  dayMs: number,
): void {
  write.delete([...daysKey(workspaceId, competitorId), dayMs]);
}

/** Every block of a kind with its owner, for checks of the store. */
export async function* walkBlocks<T extends Position>(
  { store, workspaceId }: WorkspaceStore,
  pack: Pack<T>,
): AsyncGenerator<{ ownerId: string; block: StoredBlock<T> }> {
  const prefix = [pack.table, idBytes(workspaceId)];
  const rows = store.kv.list<Uint8Array>({ prefix }, { batchSize: 100 });
  for await (const row of rows) {
    const ownerId = idIn(row.key, 2);
    yield { ownerId, block: asBlock({ pack, ownerId }, row) };
  }
}
