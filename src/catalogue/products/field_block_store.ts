/**
 * Keys: `pf W shard firstId` → block of filterable fields and times of change (`field_block.ts`);
 * `pfv W shard` → empty, set whenever a block of the shard changes; `pfv W` → empty, set whenever
 * any block changes. The block of a product is the last one with `firstId` ≤ id; the first block of
 * a shard has an empty `firstId`.
 *
 * A commit of one product checks the blocks that it changes. A commit of many products checks the
 * version counters of the shards instead.
 */
import { idBytes, idText, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  bytesIn,
  getBytesAt,
  justAfterId,
  lastBytes,
  listVersions,
} from "../../platform/store/rows.ts";
import type { CommitCost, Write } from "../../platform/store/kv.ts";
import {
  bytesOfFields,
  changeBlock,
  cutBlock,
  decodeBlock,
  EMPTY_BLOCK,
  encodeBlock,
  type FieldBlock,
  type FieldChange,
  filterFieldsOf,
  ID_BYTES,
  rowOf,
  sizeOfBlock,
} from "./field_block.ts";
import assert from "node:assert/strict";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import { addToCount, productVersions, searchVersions } from "./change_log_store.ts";
import { type Product, shard } from "./product.ts";

const EMPTY = new Uint8Array();
/** The smallest non-empty key part. */
const AFTER_EMPTY = new Uint8Array(1);

const blockKey = (workspaceId: string, shard: number, first: string) => [
  "pf",
  keptIdBytes(workspaceId),
  shard,
  first === "" ? EMPTY : idBytes(first),
];
const workspaceVersionKey = (workspaceId: string) => ["pfv", keptIdBytes(workspaceId)];

export interface StoredBlock {
  /** In hex; empty for the first block of a shard. */
  readonly first: string;
  readonly bytes: Uint8Array;
  readonly versionstamp: string;
}

/** The block in which the id is or would be stored; null if the shard has no blocks. */
export async function findBlock(
  { store, workspaceId }: WorkspaceStore,
  shard: number,
  id: string,
): Promise<StoredBlock | null> {
  const prefix = ["pf", keptIdBytes(workspaceId), shard];
  const [row] = await lastBytes(store, prefix, { before: [justAfterId(id)] }, 1);
  return row
    ? { first: String(row.parts[0]), bytes: row.value, versionstamp: row.versionstamp }
    : null;
}

/** With `stretch`, only blocks after `after` up to the block of `last`. */
export async function listBlocks(
  { store, workspaceId }: WorkspaceStore,
  shard: number,
  stretch: { readonly after: string; readonly last: string } | null = null,
): Promise<StoredBlock[]> {
  const prefix = ["pf", keptIdBytes(workspaceId), shard];
  const selector = stretch === null ? { prefix } : {
    start: [...prefix, stretch.after === "" ? AFTER_EMPTY : justAfterId(stretch.after)],
    end: [...prefix, justAfterId(stretch.last)],
  };
  // One batch, so that all blocks belong to the same state of the store.
  const rows = store.kv.list<Uint8Array>(selector, { batchSize: 1_000 });
  return await Array.fromAsync(rows, ({ key, value, versionstamp }) => {
    return { first: bytesIn(key, 3).toHex(), bytes: value, versionstamp };
  });
}

/** Null in an empty catalogue. */
export async function findFieldVersion(
  { store, workspaceId }: WorkspaceStore,
): Promise<string | null> {
  const [row] = await getBytesAt(store, [workspaceVersionKey(workspaceId)]);
  return row?.versionstamp ?? null;
}

export function checkFieldVersion(write: Write, workspaceId: string, version: string | null): void {
  write.check(workspaceVersionKey(workspaceId), version);
}

/** Versions by shard, without shards that never had blocks. */
export async function listFieldVersions(
  { store, workspaceId }: WorkspaceStore,
): Promise<Map<number, string>> {
  return await listVersions(store, workspaceVersionKey(workspaceId));
}

export async function readFields(workspace: WorkspaceStore, shard: number): Promise<FieldBlock[]> {
  return (await listBlocks(workspace, shard)).map(({ bytes }) => decodeBlock(bytes));
}

/** Up to this number of products of a shard, the block of each product is read separately. */
const FEW_CHANGES = 8;

type Changes = readonly (readonly [id: string, change: FieldChange])[];

export interface HeldBlock {
  readonly first: string;
  /** Null if the block is not stored; empty if this process wrote the block. */
  readonly versionstamp: string | null;
  readonly block: FieldBlock;
}

export interface BlockSource {
  /** True if the commit checks version counters that were read before the blocks. */
  readonly isVouched: boolean;
  /** The ids must be sorted. May also return blocks without any of these ids. */
  find(shard: number, ids: readonly string[]): Promise<readonly HeldBlock[]>;
  replace(shard: number, old: HeldBlock, next: readonly HeldBlock[]): void;
}

export function blocksOfStore(workspace: WorkspaceStore, isVouched: boolean): BlockSource {
  return { isVouched, find: (...of) => readBlocks(workspace, ...of), replace: () => {} };
}

/** The commit fails if another writer has changed a block. */
export function saveCounters(
  write: Write,
  workspace: WorkspaceStore,
  counters: Counters,
): Promise<void> {
  return saveCountersTo(write, workspace, counters, blocksOfStore(workspace, false));
}

export async function saveCountersTo(
  write: Write,
  workspace: WorkspaceStore,
  counters: Counters,
  source: BlockSource,
): Promise<void> {
  const { workspaceId } = workspace;
  for (const shard of counters.shards) productVersions.set(write, workspaceId, shard);
  for (const shard of counters.searched) searchVersions.set(write, workspaceId, shard);
  addToCount(write, workspaceId, counters.products);
  const versionKey = workspaceVersionKey(workspaceId);
  for (const [shard, changes] of counters.fields) {
    const sorted = [...changes].sort(([one], [other]) => one < other ? -1 : 1);
    await saveShard({ write, workspaceId, shard, source }, sorted);
    write.set([...versionKey, shard], EMPTY);
  }
  if (counters.fields.size > 0) write.set(versionKey, EMPTY);
}

interface Saving {
  readonly write: Write;
  readonly workspaceId: string;
  readonly shard: number;
  readonly source: BlockSource;
}

async function saveShard(saving: Saving, changes: Changes): Promise<void> {
  const blocks = await saving.source.find(saving.shard, changes.map(([id]) => id));
  const touched = byBlock(blocks, changes);
  for (const [held, own] of touched) {
    saveBlock(saving, held, changeBlock(held.block, own), isBehind(held.block, own));
  }
}

function byBlock(blocks: readonly HeldBlock[], changes: Changes): Map<HeldBlock, Changes> {
  const known = blocks[0]?.first === "" ? blocks : [NO_BLOCK, ...blocks];
  const found = new Map<HeldBlock, (readonly [string, FieldChange])[]>();
  let at = 0;
  for (const change of changes) {
    for (let next = known[at + 1]; next && next.first <= change[0]; next = known[at + 1]) at++;
    const held = known[at] ?? NO_BLOCK;
    const own = found.get(held);
    if (own) own.push(change);
    else found.set(held, [change]);
  }
  return found;
}

const NO_BLOCK: HeldBlock = { first: "", versionstamp: null, block: EMPTY_BLOCK };

function isBehind({ ids, count }: FieldBlock, [first]: Changes): boolean {
  return first !== undefined && rowOf(ids, idBytes(first[0])) === count;
}

function saveBlock(
  { write, workspaceId, shard, source }: Saving,
  held: HeldBlock,
  next: FieldBlock,
  isGrowingBehind: boolean,
): void {
  const parts = cutBlock(next, isGrowingBehind).map((block, at) => ({
    first: at === 0 ? held.first : idText(block.ids.subarray(0, ID_BYTES)),
    versionstamp: "",
    block,
  }));
  const key = blockKey(workspaceId, shard, held.first);
  if (!source.isVouched) write.check(key, held.versionstamp);
  if (held.versionstamp !== null && parts.length === 0) write.delete(key);
  for (const { first, block } of parts) {
    write.set(blockKey(workspaceId, shard, first), encodeBlock(block));
  }
  source.replace(shard, held, parts);
}

async function readBlocks(
  workspace: WorkspaceStore,
  shard: number,
  ids: readonly string[],
): Promise<HeldBlock[]> {
  const found = ids.length <= FEW_CHANGES
    ? await Promise.all(ids.map((id) => findBlock(workspace, shard, id)))
    : await readStretch(workspace, shard, ids);
  const blocks = new Map<string, HeldBlock>();
  for (const stored of found) {
    if (stored) blocks.set(stored.first, heldBlock(stored));
  }
  return [...blocks.values()].sort((one, other) => one.first < other.first ? -1 : 1);
}

async function readStretch(
  workspace: WorkspaceStore,
  shard: number,
  ids: readonly string[],
): Promise<StoredBlock[]> {
  const [first = "", last = first] = [ids[0], ids.at(-1)];
  const block = await findBlock(workspace, shard, first);
  const others = await listBlocks(workspace, shard, { after: block?.first ?? "", last });
  return block ? [block, ...others] : others;
}

function heldBlock({ first, bytes, versionstamp }: StoredBlock): HeldBlock {
  return { first, versionstamp, block: decodeBlock(bytes) };
}

const KEY_BYTES = 70;

/**
 * Caches blocks for a writer of many commits. The writer must create a new `KeptBlocks` after a
 * failed commit, or after another writer has changed the shard.
 */
export class KeptBlocks implements BlockSource {
  readonly isVouched = true;
  readonly #workspace: WorkspaceStore;
  readonly #shards = new Map<number, HeldBlock[]>();

  constructor(workspace: WorkspaceStore) {
    this.#workspace = workspace;
  }

  has(shard: number): boolean {
    return this.#shards.has(shard);
  }

  async find(shard: number): Promise<readonly HeldBlock[]> {
    const known = this.#shards.get(shard);
    if (known) return known;
    const read = (await listBlocks(this.#workspace, shard)).map(heldBlock);
    this.#shards.set(shard, read);
    return read;
  }

  replace(shard: number, old: HeldBlock, next: readonly HeldBlock[]): void {
    const left = (this.#shards.get(shard) ?? []).filter((held) => held !== old);
    const at = left.findIndex(({ first }) => first >= old.first);
    this.#shards.set(shard, left.toSpliced(at < 0 ? left.length : at, 0, ...next));
  }

  /**
   * Upper bound. `touched`: blocks that the commit already changes. Must be called after `find`.
   */
  costOf(
    shard: number,
    id: string,
    change: FieldChange,
    touched: Set<HeldBlock | number>,
  ): Partial<CommitCost> {
    const blocks = this.#shards.get(shard);
    assert(blocks, "The blocks of a shard were not found before");
    const place = blocks.findLast(({ first }) => first <= id) ?? shard;
    const added = change === null ? 0 : bytesOfFields(change.fields);
    // Each new block is at least half full.
    const share = 2 * added / PAGE_VALUE_BYTES;
    if (touched.has(place)) return { mutations: share, keyBytes: share * KEY_BYTES, bytes: added };
    touched.add(place);
    const rows = 4 + share;
    const held = typeof place === "number" ? 0 : sizeOfBlock(place.block);
    // 4 rows: the block, a further part or its deletion, and the versions of shard and workspace.
    return { mutations: rows, keyBytes: rows * KEY_BYTES, bytes: rows * KEY_BYTES + held + added };
  }
}

/**
 * Collects the changes of all products of a commit, so that the commit writes each block, version
 * and count once.
 */
export interface Counters {
  products: number;
  readonly shards: Set<number>;
  readonly searched: Set<number>;
  readonly fields: Map<number, Map<string, FieldChange>>;
}

export function createCounters(): Counters {
  return { products: 0, shards: new Set(), searched: new Set(), fields: new Map() };
}

export function touchShard(counters: Counters, sku: string): void {
  counters.shards.add(shard(sku));
}

export function touchSearch(counters: Counters, sku: string): void {
  counters.searched.add(shard(sku));
}

export function countProduct(counters: Counters, before: Product | null, after: Product): void {
  const was = before !== null && before.deletedAt === null ? before : null;
  const is = after.deletedAt === null ? after : null;
  counters.products += (is ? 1 : 0) - (was ? 1 : 0);
  if (was && (!is || shard(was.sku) !== shard(is.sku))) noteFields(counters, was, null);
  if (is && !(was && hasSameFields(was, is))) noteFields(counters, is, changeOf(is));
}

export function countFields(counters: Counters, product: Product): void {
  noteFields(counters, product, changeOf(product));
}

function changeOf(product: Product): FieldChange {
  return { updatedAtMs: Date.parse(product.updatedAt), fields: filterFieldsOf(product) };
}

function hasSameFields(was: Product, is: Product): boolean {
  if (was.updatedAt !== is.updatedAt || shard(was.sku) !== shard(is.sku)) return false;
  const fields = filterFieldsOf(is);
  return filterFieldsOf(was).every((value, position) => value === fields[position]);
}

function noteFields(counters: Counters, { id, sku }: Product, change: FieldChange): void {
  const number = shard(sku);
  counters.shards.add(number);
  const changes = counters.fields.get(number);
  if (changes) changes.set(id, change);
  else counters.fields.set(number, new Map([[id, change]]));
}
