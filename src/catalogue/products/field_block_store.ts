/**
 * Keys: `pf W shard firstId` → block of filterable fields and times of change (`field_block.ts`);
 * `pfv W shard` → empty, set with every block of the shard; `pfv W` → empty, set with every block
 * of any shard. A product's block is the last one with `firstId` ≤ id; the first block has an empty
 * `firstId`. A commit of one product checks the changed blocks. A commit of many products checks
 * the version counters of the shards. A measured hot path, hence no table.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { bytesIn, firstRow, justAfterId, listVersions } from "../../platform/store/rows.ts";
import type { Write } from "../../platform/store/kv.ts";
import { decodeBlock, encodeBlock, type FieldBlock } from "./field_block.ts";

const EMPTY = new Uint8Array();
/** Smallest key part after the empty one. */
const AFTER_EMPTY = new Uint8Array(1);

const blockKey = (workspaceId: string, shard: number, first: string) => [
  "pf",
  keptIdBytes(workspaceId),
  shard,
  first === "" ? EMPTY : idBytes(first),
];
const workspaceVersionKey = (workspaceId: string) => ["pfv", keptIdBytes(workspaceId)];

export interface StoredBlock {
  /** `firstId` of the key; empty for the first block of a shard. */
  readonly first: string;
  readonly bytes: Uint8Array;
  readonly versionstamp: string;
}

function storedBlock({ key, value, versionstamp }: Deno.KvEntry<Uint8Array>): StoredBlock {
  return { first: bytesIn(key, 3).toHex(), bytes: value, versionstamp };
}

/** The block that contains or would contain the id; null if there are no blocks yet. */
export async function findBlock(
  { store, workspaceId }: WorkspaceStore,
  shard: number,
  id: string,
): Promise<StoredBlock | null> {
  const prefix = ["pf", keptIdBytes(workspaceId), shard];
  const range = { start: prefix, end: [...prefix, justAfterId(id)] };
  const row = await firstRow<Uint8Array>(store, range, { reverse: true });
  return row && storedBlock(row);
}

/** All blocks of the shard, or those after `after` up to the block of `last`. */
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
  // One read for the whole shard, so that all blocks are of the same moment.
  const rows = store.kv.list<Uint8Array>(selector, { batchSize: 1_000 });
  return await Array.fromAsync(rows, storedBlock);
}

/** A null versionstamp: the commit fails if the block exists. */
export function checkBlock(
  write: Write,
  workspaceId: string,
  shard: number,
  { first, versionstamp }: Pick<StoredBlock, "first"> & { readonly versionstamp: string | null },
): void {
  write.check(blockKey(workspaceId, shard, first), versionstamp);
}

export function putBlock(
  write: Write,
  workspaceId: string,
  shard: number,
  first: string,
  block: FieldBlock,
): void {
  write.set(blockKey(workspaceId, shard, first), encodeBlock(block));
}

export function removeBlock(write: Write, workspaceId: string, shard: number, first: string): void {
  write.delete(blockKey(workspaceId, shard, first));
}

export function setFieldVersions(
  write: Write,
  workspaceId: string,
  shards: Iterable<number>,
): void {
  for (const shard of shards) write.set([...workspaceVersionKey(workspaceId), shard], EMPTY);
  write.set(workspaceVersionKey(workspaceId), EMPTY);
}

/** Changes with the fields of any product; null before the first one. */
export async function findFieldVersion(
  { store, workspaceId }: WorkspaceStore,
): Promise<string | null> {
  return (await store.kv.get(workspaceVersionKey(workspaceId))).versionstamp;
}

export function checkFieldVersion(write: Write, workspaceId: string, version: string | null): void {
  write.check(workspaceVersionKey(workspaceId), version);
}

/** By shard. Shards that never had blocks are absent. */
export async function listFieldVersions(
  { store, workspaceId }: WorkspaceStore,
): Promise<Map<number, string>> {
  return await listVersions(store, workspaceVersionKey(workspaceId));
}

export async function readFields(workspace: WorkspaceStore, shard: number): Promise<FieldBlock[]> {
  return (await listBlocks(workspace, shard)).map(({ bytes }) => decodeBlock(bytes));
}
