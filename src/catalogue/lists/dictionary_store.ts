/**
 * Keys: `d W dimension value` → u64 count of active products with the folded value (`b` brand,
 * `c` category, `t` tier), `d W "n"` → u64 count of all active products, both moved by `sum` alone;
 * `dv W` → empty, its versionstamp is the dictionary's version: it moves when a value appears (its
 * count was absent or 0) and when one is swept away.
 */
import { idBytes } from "../../base/id.ts";
import { recordOf } from "../../base/record_of.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
import { setGeneration } from "../products/generation_store.ts";
import { setSearchVersion } from "../products/search_version_store.ts";
import type { Dimension } from "../products/product_field_table.ts";
import { DIMENSIONS, type Tally } from "../products/product_tally.ts";

const EMPTY = new Uint8Array();

const countKey = (workspaceId: string, dimension: Dimension, value: string) => [
  "d",
  idBytes(workspaceId),
  dimension,
  value,
];
const totalKey = (workspaceId: string) => ["d", idBytes(workspaceId), "n"];
const versionKey = (workspaceId: string) => ["dv", idBytes(workspaceId)];

/** How many active products have which value; a value may stand there with 0 until it is swept. */
export interface Dictionary {
  readonly total: number;
  readonly values: Readonly<Record<Dimension, ReadonlyMap<string, number>>>;
}

/** The version is read before the counts, so that a value it does not know is never taken for known. */
export async function readDictionary(
  { store, workspaceId }: WorkspaceStore,
): Promise<{ dictionary: Dictionary; version: string | null }> {
  const version = await findDictionaryVersion({ store, workspaceId });
  const values = recordOf(DIMENSIONS, () => new Map<string, number>());
  let total = 0;
  const prefix = ["d", idBytes(workspaceId)];
  for await (
    const { key, value } of store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 1_000 })
  ) {
    const count = Number(value.value);
    const [, , name, text] = key;
    const dimension = DIMENSIONS.find((letter) => letter === name);
    if (dimension !== undefined) values[dimension].set(String(text), count);
    else total = count;
  }
  return { dictionary: { total, values }, version };
}

/** Null while the workspace has never had a value of an indexed field. */
export async function findDictionaryVersion(
  { store, workspaceId }: WorkspaceStore,
): Promise<string | null> {
  return (await store.kv.get(versionKey(workspaceId))).versionstamp;
}

/** Active products of the workspace, exactly. */
export async function countActiveProducts({ store, workspaceId }: WorkspaceStore): Promise<number> {
  const { value } = await store.kv.get<Deno.KvU64>(totalKey(workspaceId));
  return value === null ? 0 : Number(value.value);
}

/**
 * Adds to the commit what its products share: counts, and the generations and search versions of
 * their shards. Reads the counts that grow; a batch gives `isKnown` instead, from a dictionary at
 * most 30 s old.
 */
export async function saveTally(
  write: Write,
  workspace: WorkspaceStore,
  tally: Tally,
  isKnown?: (dimension: Dimension, value: string) => boolean,
): Promise<void> {
  const { workspaceId } = workspace;
  for (const shard of tally.shards) setGeneration(write, workspaceId, shard);
  for (const shard of tally.searched) setSearchVersion(write, workspaceId, shard);
  if (tally.products !== 0) write.sum(totalKey(workspaceId), tally.products);
  const moved = DIMENSIONS.flatMap((dimension) =>
    [...tally.values[dimension]].map(([value, amount]) => ({ dimension, value, amount }))
  ).filter(({ amount }) => amount !== 0);
  for (const { dimension, value, amount } of moved) {
    write.sum(countKey(workspaceId, dimension, value), amount);
  }
  const growing = moved.filter(({ amount }) => amount > 0);
  const isNew = isKnown
    ? growing.some(({ dimension, value }) => !isKnown(dimension, value))
    : await isAnyCountZero(workspace, growing);
  if (isNew) write.set(versionKey(workspaceId), EMPTY);
}

async function isAnyCountZero(
  { store, workspaceId }: WorkspaceStore,
  entries: readonly { dimension: Dimension; value: string }[],
): Promise<boolean> {
  const keys = entries.map(({ dimension, value }) => countKey(workspaceId, dimension, value));
  const rows = await getRows<Deno.KvU64>(store, keys);
  return rows.some(({ value }) => value === null || value.value === 0n);
}

/** A value whose count is 0, with the version of that count. */
export interface EmptyValue {
  readonly dimension: Dimension;
  readonly value: string;
  readonly versionstamp: string;
}

export async function listEmptyValues(
  { store, workspaceId }: WorkspaceStore,
): Promise<EmptyValue[]> {
  const empty: EmptyValue[] = [];
  for (const dimension of DIMENSIONS) {
    const prefix = ["d", idBytes(workspaceId), dimension];
    const rows = store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 1_000 });
    for await (const { key, value, versionstamp } of rows) {
      if (value.value === 0n) empty.push({ dimension, value: String(key[3]), versionstamp });
    }
  }
  return empty;
}

/** The commit fails when anybody counted the value since it was found empty. */
export function removeEmptyValue(write: Write, workspaceId: string, empty: EmptyValue): void {
  const key = countKey(workspaceId, empty.dimension, empty.value);
  write.check(key, empty.versionstamp);
  write.delete(key);
  write.set(versionKey(workspaceId), EMPTY);
}
