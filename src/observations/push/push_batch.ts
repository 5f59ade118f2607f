import { shard } from "../../catalogue/product.ts";
import type { PlacedRow } from "./place_rows.ts";

/** One check each; a commit has one more for the competitors and one for its idempotency key. */
const SHARDS_MAX = 8;
/** In rows of a known match; one that makes a match takes more room, by the length of its URL. */
const WEIGHT_MAX = 150;

/**
 * Rows in commits that every store takes, in the order of shards and products, so that an offers
 * row is mostly written once. `isNew` says whether a row probably makes a match.
 */
export function cutBatches(
  rows: readonly PlacedRow[],
  isNew: (row: PlacedRow) => boolean,
): PlacedRow[][] {
  const sorted = rows.map((row) => ({ row, shard: shard(row.product.sku) }))
    .sort((a, b) => a.shard - b.shard || compare(a.row.product.id, b.row.product.id));
  const batches: PlacedRow[][] = [];
  let shards = new Set<number>();
  let weight = Infinity;
  for (const { row, shard } of sorted) {
    const rowWeight = isNew(row) ? newWeight(row) : 1;
    const isFull = weight + rowWeight > WEIGHT_MAX ||
      (shards.size === SHARDS_MAX && !shards.has(shard));
    if (isFull) {
      batches.push([]);
      shards = new Set();
      weight = 0;
    }
    batches.at(-1)?.push(row);
    shards.add(shard);
    weight += rowWeight;
  }
  return batches;
}

function newWeight({ row: { match } }: PlacedRow): number {
  return 2 + ("target" in match ? match.target.url.length / 400 : 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
