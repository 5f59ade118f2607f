import { compareTexts } from "../../base/text.ts";
import { cutByShard } from "../../catalogue/products/product_store.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import type { PlacedRow } from "./place_rows.ts";

/** A commit that has other checks to make leaves the rows of the last shards. */
const MOST = { rows: 170, shards: COMMIT_MAX.checks };

/**
 * Rows in commits that every store takes, in the order of shards and products, so that an offers
 * row is mostly written once.
 */
export function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.toSorted((a, b) => a.shard - b.shard || compareTexts(nameOf(a), nameOf(b)));
  return cutByShard(sorted, MOST);
}

function nameOf({ row: { product } }: PlacedRow): string {
  return "sku" in product ? product.sku : product.id;
}
