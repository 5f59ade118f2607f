/**
 * Keys, for active products only:
 * `pb W fold(brand) id`, `pc W fold(category) id`, `pt W tier id` → [fold(brand), fold(category), tier];
 * `pu W updatedAt id` → empty.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
import { justAfterId, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Product } from "./product.ts";
import type { Dimension } from "./product_field_table.ts";
import {
  countFields,
  DIMENSIONS,
  type FilterFields,
  filterFieldsOf,
  type Tally,
} from "./product_tally.ts";

const EMPTY = new Uint8Array();
const tableOf = (dimension: Dimension) => `p${dimension}` as const;

const valueKey = (workspace: Uint8Array, dimension: Dimension, value: string, id: Uint8Array) => [
  tableOf(dimension),
  workspace,
  value,
  id,
];
const updatedKey = (workspace: Uint8Array, updatedAt: string, id: Uint8Array) => [
  "pu",
  workspace,
  Date.parse(updatedAt),
  id,
];

/** The index rows of a product that becomes active. */
export function addIndexRows(write: Write, workspaceId: string, product: Product): void {
  const [workspace, id] = [idBytes(workspaceId), idBytes(product.id)];
  const fields = filterFieldsOf(product);
  for (const key of fieldKeys(workspace, id, fields)) write.set(key, fields);
  write.set(updatedKey(workspace, product.updatedAt, id), EMPTY);
}

/** The inverse of `addIndexRows`, for the product as it was. */
export function removeIndexRows(write: Write, workspaceId: string, product: Product): void {
  const [workspace, id] = [idBytes(workspaceId), idBytes(product.id)];
  for (const key of fieldKeys(workspace, id, filterFieldsOf(product))) write.delete(key);
  write.delete(updatedKey(workspace, product.updatedAt, id));
}

/** Moves the index rows of a product that stays active; each carries all indexed fields, so all are written anew. */
export function moveIndexRows(
  write: Write,
  workspaceId: string,
  before: Product,
  after: Product,
  tally: Tally,
): void {
  const [workspace, id] = [idBytes(workspaceId), idBytes(after.id)];
  const [old, fields] = [filterFieldsOf(before), filterFieldsOf(after)];
  if (old.some((value, position) => value !== fields[position])) {
    for (const key of fieldKeys(workspace, id, old)) write.delete(key);
    for (const key of fieldKeys(workspace, id, fields)) write.set(key, fields);
    countFields(tally, old, -1);
    countFields(tally, fields, 1);
  }
  if (before.updatedAt === after.updatedAt) return;
  write.delete(updatedKey(workspace, before.updatedAt, id));
  write.set(updatedKey(workspace, after.updatedAt, id), EMPTY);
}

/**
 * Writes the index rows of an active product anew, as a migration does; answers the values that had no
 * row, which are not counted yet.
 */
export async function renewIndexRows(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  product: Product,
): Promise<FilterFields> {
  const [workspace, id] = [idBytes(workspaceId), idBytes(product.id)];
  const fields = filterFieldsOf(product);
  const places = DIMENSIONS.flatMap((dimension, position) => {
    const value = fields[position] ?? null;
    return value === null ? [] : [{ position, key: valueKey(workspace, dimension, value, id) }];
  });
  const rows = await getRows(store, places.map(({ key }) => key));
  for (const { key } of places) write.set(key, fields);
  const isNew = new Set(
    places.filter((_, at) => rows[at]?.versionstamp === null).map(({ position }) => position),
  );
  return fields.map((value, position) => isNew.has(position) ? value : null);
}

function fieldKeys(workspace: Uint8Array, id: Uint8Array, fields: FilterFields) {
  return DIMENSIONS.flatMap((dimension, position) => {
    const value = fields[position] ?? null;
    return value === null ? [] : [valueKey(workspace, dimension, value, id)];
  });
}

export interface IndexRow {
  readonly id: string;
  readonly fields: FilterFields;
}

/** Up to `limit` rows of one value, by id, after the id `after`. */
export async function listIndexRows(
  { store, workspaceId }: WorkspaceStore,
  dimension: Dimension,
  value: string,
  after: string | null,
  limit: number,
): Promise<IndexRow[]> {
  const prefix = [tableOf(dimension), idBytes(workspaceId), value];
  const selector = after === null ? { prefix } : { prefix, start: [...prefix, justAfterId(after)] };
  const rows: IndexRow[] = [];
  for await (const { key, value } of store.kv.list<FilterFields>(selector, batch(limit))) {
    rows.push({ id: lastIdOf(key), fields: value });
  }
  return rows;
}

/** The ids of active products changed at `sinceMs` or later, in the order of change, at most `limit`. */
export async function listUpdatedIds(
  { store, workspaceId }: WorkspaceStore,
  sinceMs: number,
  limit: number,
): Promise<string[]> {
  const prefix = ["pu", idBytes(workspaceId)];
  const ids: string[] = [];
  for await (
    const { key } of store.kv.list({ prefix, start: [...prefix, sinceMs] }, batch(limit))
  ) {
    ids.push(lastIdOf(key));
  }
  return ids;
}

/** Every index row as it stands, for checks of the store: table, value or time, id, fields. */
export async function* walkIndexRows({ store, workspaceId }: WorkspaceStore) {
  for (const table of [...DIMENSIONS.map(tableOf), "pu"]) {
    const prefix = [table, idBytes(workspaceId)];
    for await (
      const { key, value } of store.kv.list<FilterFields>({ prefix }, { batchSize: 1_000 })
    ) {
      yield { table, value: key[2], id: lastIdOf(key), fields: value };
    }
  }
}

/** The rows that `walkIndexRows` must find for an active product, as `table value`. */
export function expectedIndexRows(product: Product): string[] {
  const fields = filterFieldsOf(product);
  const rows = DIMENSIONS.flatMap((dimension, position) => {
    const value = fields[position] ?? null;
    return value === null ? [] : [`${tableOf(dimension)} ${value}`];
  });
  return [...rows, `pu ${Date.parse(product.updatedAt)}`];
}

function batch(limit: number): Deno.KvListOptions {
  return { limit, batchSize: Math.min(limit, 1_000) };
}
