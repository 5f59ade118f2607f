/**
 * Keys: `sl W product month` → what was sold of a product on the days of a month (202611), as packed
 * bytes (`sales_row.ts`). Who writes one sets the generation of the product's shard and has checked it,
 * so that no day of another writer is lost.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { firstRow, getRows } from "../../platform/store/rows.ts";

/** The row of a month. */
export interface SalesPlace {
  readonly productId: string;
  /** 202611 for November 2026. */
  readonly month: number;
}

/** A row as it lies there. */
export interface SalesRow extends SalesPlace {
  readonly bytes: Uint8Array;
}

const rowsOf = (workspaceId: string) => ["sl", keptIdBytes(workspaceId)];

const salesKey = (workspaceId: string, { productId, month }: SalesPlace) => [
  ...rowsOf(workspaceId),
  idBytes(productId),
  month,
];

/** In the order of the places; null where nothing is known of a month. */
export async function findSalesRows(
  { store, workspaceId }: WorkspaceStore,
  places: readonly SalesPlace[],
): Promise<(Uint8Array | null)[]> {
  const rows = await getRows<Uint8Array>(
    store,
    places.map((place) => salesKey(workspaceId, place)),
  );
  return rows.map(({ value }) => value);
}

export function putSalesRow(
  write: Write,
  workspaceId: string,
  { bytes, ...place }: SalesRow,
): void {
  write.set(salesKey(workspaceId, place), bytes);
}

/** True when anything is known of any product. */
export async function hasSales({ store, workspaceId }: WorkspaceStore): Promise<boolean> {
  return await firstRow(store, { prefix: rowsOf(workspaceId) }) !== null;
}

/** Every row, by product and month. */
export async function* walkSalesRows(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<SalesRow> {
  const prefix = rowsOf(workspaceId);
  for await (const { key, value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 500 })) {
    yield { productId: idIn(key, 2), month: Number(key[3]), bytes: value };
  }
}

/** Takes a row away. */
export function deleteSalesRow(write: Write, workspaceId: string, place: SalesPlace): void {
  write.delete(salesKey(workspaceId, place));
}
