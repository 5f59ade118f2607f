/** What a commit takes at most. */
export interface CutLimits {
  readonly rows: number;
  /** One check each. */
  readonly shards: number;
}

/** Rows in the order of their shards, cut into parts of which each fits into a commit. */
export function cutByShard<Row extends { readonly shard: number }>(
  sorted: readonly Row[],
  most: CutLimits,
): Row[][] {
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let shards = new Set<number>();
  for (const row of sorted) {
    const isNewShard = !shards.has(row.shard);
    if (batch.length === most.rows || (isNewShard && shards.size === most.shards)) {
      batches.push(batch);
      batch = [];
      shards = new Set();
    }
    batch.push(row);
    shards.add(row.shard);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
