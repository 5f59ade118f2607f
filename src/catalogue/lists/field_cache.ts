/** Caches the filterable fields of products, and reads a shard again when its blocks change. */
import { type IdWalk, mergeIds } from "../../base/heap.ts";
import { idBytes, idText } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  compareId,
  DIMENSIONS,
  type FieldBlock,
  ID_BYTES,
  rowOf,
} from "../products/field_block.ts";
import { findFieldVersion, listFieldVersions, readFields } from "../products/field_block_store.ts";
import { SHARD_NUMBERS } from "../products/product.ts";

const WORKERS = 4;
/** If a column has more cached values than this per product, all cached values are dropped. */
const VALUES_SHARE_MAX = 2;
const VALUES_SPARE = 1_000;

interface LoadedWorkspace {
  version: string | null;
  values: readonly FieldValues[];
  shards: Map<number, { readonly version: string; readonly fields: ShardFields }>;
  fields: ProductFields;
  reading: Promise<unknown>;
}

// `bytesMax` is the limit for all workspaces together.
export function createFieldCache(bytesMax: number = 96 * 1_024 * 1_024) {
  const workspaces = new Map<string, LoadedWorkspace>();
  return {
    /** Includes all changes that were committed before the call. */
    async read(workspace: WorkspaceStore): Promise<ProductFields> {
      const { workspaceId } = workspace;
      const loaded = workspaces.get(workspaceId) ?? emptyWorkspace();
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, loaded);
      const version = await findFieldVersion(workspace);
      if (version === loaded.version) return loaded.fields;
      const read = () => readWorkspace(workspace, loaded);
      // Only the caller of the previous read gets its error.
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

/** Must read the versions of the shards before the blocks of these shards. */
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
  const worker = async () => {
    for (const shard of stale) {
      const fields = joinBlocks(await readFields(workspace, shard), values);
      shards.set(shard, { version: versions.get(shard) ?? "", fields });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  loaded.fields = { values, shards: shards.values().map(({ fields }) => fields).toArray() };
  loaded.version = version;
}

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

/** A column and its index from codes to rows take this many times the bytes of the column. */
const PLACED_FACTOR = 4;

function sizeOf({ values, shards }: LoadedWorkspace): number {
  let bytes = values.reduce((sum, { size }) => sum + size, 0);
  for (const { fields: { ids, updatedAtMs, codes } } of shards.values()) {
    bytes += ids.byteLength + updatedAtMs.byteLength;
    for (const column of codes) bytes += PLACED_FACTOR * column.byteLength;
  }
  return bytes;
}

/** Drops the least recently used entries until the rest fits in `sizeMax`, but keeps one entry. */
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

class FieldValues {
  readonly texts: string[] = [];
  readonly #codes = new Map<string, number>();
  #size = 0;

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.texts.push(text);
    this.#codes.set(text, code);
    this.#size += 2 * text.length + 80;
    return code;
  }

  get size(): number {
    return this.#size;
  }
}

interface ShardFields {
  /** In ascending order, 12 bytes each. */
  readonly ids: Uint8Array;
  readonly updatedAtMs: Float64Array;
  /** One column per dimension. Code 0 means no value. */
  readonly codes: readonly Uint32Array[];
}

export interface ProductFields {
  readonly values: readonly FieldValues[];
  readonly shards: readonly ShardFields[];
}

export interface FieldQuery {
  /** `position` is the place of a dimension in `DIMENSIONS`. */
  readonly tests: readonly { readonly position: number; fits(value: string): boolean }[];
  readonly sinceMs: number;
}

/** Sorted by id. `after` is exclusive. */
export function* matchingIds(
  { values, shards }: ProductFields,
  { tests, sinceMs }: FieldQuery,
  after: string | null,
): Generator<string> {
  const columns = tests.map((test) => acceptedCodes(values, test));
  const from = after === null ? null : idBytes(after);
  const walks = shards.map((shard): Walk => {
    const tests = columns.flatMap(({ position, accepted }) => {
      const codes = shard.codes[position];
      return codes ? [{ codes, accepted }] : [];
    });
    const rows = fewestRows(shard, columns);
    return { shard, tests, sinceMs, rows, at: 0, row: 0, id: undefined };
  });
  for (const walk of walks) walkOn(walk, from === null ? 0 : rowAfter(walk.shard, from));
  yield* mergeIds(walks, (walk) => walkOn(walk, walk.row + 1));
}

function rowAfter({ ids }: ShardFields, id: Uint8Array): number {
  const row = rowOf(ids, id);
  return row * ID_BYTES < ids.length && compareId(ids, row, id) === 0 ? row + 1 : row;
}

interface Walk extends IdWalk {
  readonly shard: ShardFields;
  readonly tests: readonly { readonly codes: Uint32Array; readonly accepted: Uint8Array }[];
  readonly sinceMs: number;
  /** The only rows that can match, ascending; null if all rows must be tested. */
  readonly rows: readonly number[] | null;
  at: number;
  row: number;
  id: string | undefined;
}

function walkOn(walk: Walk, from: number): void {
  const { shard: { ids, updatedAtMs }, tests, sinceMs, rows } = walk;
  const end = updatedAtMs.length;
  let row = from;
  if (rows === null) {
    while (row < end && !fitsAt(row)) row++;
  } else {
    const next = () => rows[walk.at] ?? end;
    while (next() < from || (next() < end && !fitsAt(next()))) walk.at++;
    row = next();
  }
  walk.row = row;
  walk.id = row < end ? idText(ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES)) : undefined;

  function fitsAt(at: number): boolean {
    for (const { codes, accepted } of tests) if (accepted[codes[at] ?? 0] !== 1) return false;
    return (updatedAtMs[at] ?? 0) >= sinceMs;
  }
}

/** `accepted[code]` is 1 if the value matches. `few` lists the matching codes; null for many. */
function acceptedCodes(
  values: readonly FieldValues[],
  { position, fits }: FieldQuery["tests"][number],
) {
  const texts = values[position]?.texts ?? [];
  const accepted = new Uint8Array(texts.length + 1);
  const codes: number[] = [];
  for (const [at, text] of texts.entries()) {
    if (!fits(text)) continue;
    accepted[at + 1] = 1;
    codes.push(at + 1);
  }
  return { position, accepted, few: codes.length <= FEW_VALUES ? codes : null };
}

const FEW_VALUES = 8;

function fewestRows(
  { codes }: ShardFields,
  columns: readonly { readonly position: number; readonly few: readonly number[] | null }[],
): readonly number[] | null {
  let fewest: readonly number[] | null = null;
  for (const { position, few } of columns) {
    const column = codes[position];
    if (!column || few === null) continue;
    const places = placesOf(column);
    const rows = few.length === 1
      ? places.get(few[0] ?? 0) ?? []
      : few.flatMap((code) => places.get(code) ?? []).sort((one, other) => one - other);
    if (fewest === null || rows.length < fewest.length) fewest = rows;
  }
  return fewest;
}

const placesOfColumns = new WeakMap<Uint32Array, ReadonlyMap<number, readonly number[]>>();

function placesOf(column: Uint32Array): ReadonlyMap<number, readonly number[]> {
  const known = placesOfColumns.get(column);
  if (known) return known;
  const places = new Map<number, number[]>();
  for (const [row, code] of column.entries()) {
    const rows = places.get(code);
    if (rows) rows.push(row);
    else places.set(code, [row]);
  }
  placesOfColumns.set(column, places);
  return places;
}
