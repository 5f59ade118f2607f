/**
 * The filterable fields of workspaces in memory, for lists; the version of a shard says whether they
 * are still true.
 */

import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type FieldBlock, ID_BYTES } from "../products/field_block.ts";
import { findFieldVersion, listFieldVersions, readFields } from "../products/field_block_store.ts";
import { SHARD_NUMBERS } from "../products/product.ts";
import { DIMENSIONS } from "../products/product_counters.ts";
import { FieldValues, type ProductFields, type ShardFields } from "./product_columns.ts";

/** For all workspaces together; the one that was asked for longest ago goes first. */
const BYTES_MAX = 96 * 1_024 * 1_024;
/** Shards read side by side: more of them only wait in memory for their turn to be decoded. */
const LANES = 4;
/** Values that no product has any more may be so many times as many as those that some have. */
const VALUES_SHARE_MAX = 2;
const VALUES_SPARE = 1_000;

export interface FieldCache {
  /** The fields of all active products, including each commit that was answered before the call. */
  read(workspace: WorkspaceStore): Promise<ProductFields>;
}

interface LoadedShard {
  readonly version: string;
  readonly fields: ShardFields;
}

interface LoadedWorkspace {
  /** Of the store when `fields` were read or proven to be true. */
  version: string | null;
  values: readonly FieldValues[];
  shards: Map<number, LoadedShard>;
  fields: ProductFields;
  reading: Promise<unknown>;
}

export function createFieldCache(bytesMax: number = BYTES_MAX): FieldCache {
  const workspaces = new Map<string, LoadedWorkspace>();
  return {
    async read(workspace) {
      const { workspaceId } = workspace;
      const loaded = workspaces.get(workspaceId) ?? emptyWorkspace();
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, loaded);
      const version = await findFieldVersion(workspace);
      if (version === loaded.version) return loaded.fields;
      const read = () => readWorkspace(workspace, loaded);
      // The caller that started the read before gets its error.
      loaded.reading = loaded.reading.then(read, read);
      await loaded.reading;
      forgetOldest(workspaces, bytesMax, sizeOf);
      return loaded.fields;
    },
  };
}

function emptyWorkspace(): LoadedWorkspace {
  return {
    version: null,
    values: DIMENSIONS.map(() => new FieldValues()),
    shards: new Map(),
    fields: { values: [], shards: [] },
    reading: Promise.resolve(),
  };
}

/** Versions are read before blocks: fields may be newer than their version, never older. */
async function readWorkspace(workspace: WorkspaceStore, loaded: LoadedWorkspace): Promise<void> {
  const version = await findFieldVersion(workspace);
  if (version === loaded.version) return;
  const versions = await listFieldVersions(workspace);
  if (hasOldValues(loaded)) {
    loaded.values = DIMENSIONS.map(() => new FieldValues());
    loaded.shards = new Map();
  }
  const { values, shards } = loaded;
  for (const shard of shards.keys()) if (!versions.has(shard)) shards.delete(shard);
  const stale = SHARD_NUMBERS.filter((shard) =>
    versions.has(shard) && shards.get(shard)?.version !== versions.get(shard)
  ).values();
  const lane = async () => {
    for (const shard of stale) {
      const fields = joinBlocks(await readFields(workspace, shard), values);
      shards.set(shard, { version: versions.get(shard) ?? "", fields });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  loaded.fields = { values, shards: shards.values().map(({ fields }) => fields).toArray() };
  loaded.version = version;
}

/** True when most values belong to outdated rows, so that the cache is rebuilt. */
function hasOldValues({ values, shards }: LoadedWorkspace): boolean {
  let products = 0;
  for (const { fields } of shards.values()) products += fields.updatedAtMs.length;
  return values.some(({ texts }) => texts.length > VALUES_SHARE_MAX * products + VALUES_SPARE);
}

function joinBlocks(blocks: readonly FieldBlock[], values: readonly FieldValues[]): ShardFields {
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const ids = new Uint8Array(count * ID_BYTES);
  const updatedAtMs = new Float64Array(count);
  const codes = values.map(() => new Uint32Array(count));
  let from = 0;
  for (const block of blocks) {
    ids.set(block.ids, from * ID_BYTES);
    updatedAtMs.set(block.updatedAtMs, from);
    for (const [position, column] of block.columns.entries()) {
      const known = values[position];
      const target = codes[position];
      if (!known || !target) continue;
      const own = [0, ...column.values.map((value) => known.codeOf(value))];
      for (let row = 0; row < block.count; row++) {
        target[from + row] = own[column.codes[row] ?? 0] ?? 0;
      }
    }
    from += block.count;
  }
  return { ids, updatedAtMs, codes };
}

/** Each code of a column may be looked up by its value, too: its place takes some 12 bytes. */
const PLACED_FACTOR = 4;

function sizeOf({ values, shards }: LoadedWorkspace): number {
  let bytes = values.reduce((sum, { size }) => sum + size, 0);
  for (const { fields: { ids, updatedAtMs, codes } } of shards.values()) {
    bytes += ids.byteLength + updatedAtMs.byteLength;
    for (const column of codes) bytes += PLACED_FACTOR * column.byteLength;
  }
  return bytes;
}

/**
 * Takes away what was asked for longest ago, which stands first, until the rest is no larger than
 * `sizeMax`. What was asked for last stays, whatever its size.
 */
export function forgetOldest<Kept>(
  kept: Map<string, Kept>,
  sizeMax: number,
  sizeOf: (one: Kept) => number,
): void {
  let size = kept.values().reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [key, one] of kept) {
    if (size <= sizeMax || kept.size === 1) return;
    kept.delete(key);
    size -= sizeOf(one);
  }
}
