import { COMMIT_MAX } from "../../platform/store/kv.ts";
import type { PlacedRow } from "./place_rows.ts";

/** One check each; a commit that has others to make leaves the rows of the last shards. */
const SHARDS_MAX = COMMIT_MAX.checks;
const ROWS_MAX = 170;

/**
 * Rows in commits that every store takes, in the order of shards and products, so that an offers
 * row is mostly written once.
 */
export function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.toSorted((a, b) => a.shard - b.shard || compare(nameOf(a), nameOf(b)));
  const batches: PlacedRow[][] = [];
  let batch: PlacedRow[] = [];
  let shards = new Set<number>();
  for (const row of sorted) {
    const isNewShard = !shards.has(row.shard);
    if (batch.length === ROWS_MAX || (isNewShard && shards.size === SHARDS_MAX)) {
      batches.push(batch);
      batch = [];
      shards = new Set();
    }
    batch.push(row);
    shards.add(row.shard);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function nameOf({ row: { product } }: PlacedRow): string {
  return "sku" in product ? product.sku : product.id;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
