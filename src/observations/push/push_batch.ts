import { shard } from "../../catalogue/product.ts";
import type { PlacedRow } from "./place_rows.ts";

/** One check each; a commit has one more for the competitors and one for its idempotency key. */
const SHARDS_MAX = 8;
const ROWS_MAX = 150;

/**
 * Rows in commits that every store takes, in the order of shards and products, so that an offers
 * row is mostly written once.
 */
export function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.map((row) => ({ row, shard: shard(row.product.sku) }))
    .sort((a, b) => a.shard - b.shard || compare(a.row.product.id, b.row.product.id));
  const batches: PlacedRow[][] = [];
  let batch: PlacedRow[] = [];
  let shards = new Set<number>();
  for (const { row, shard } of sorted) {
    const isFull = batch.length === ROWS_MAX || (shards.size === SHARDS_MAX && !shards.has(shard));
    if (isFull) {
      batches.push(batch);
      batch = [];
      shards = new Set();
    }
    batch.push(row);
    shards.add(shard);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
