/**
 * Keys: `go W shard` → empty; its versionstamp is the generation of the offers of a shard (the shard
 * of the product's SKU). Every commit that writes offers sets it, blind, and so does a change of SKU:
 * else two batches on either side of it would check different generations and lose an offer.
 */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";

const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, shard: number) => ["go", keptIdBytes(workspaceId), shard];

/** The generations of the offers of `shards`, null where nothing was ever written; a batch reads them before all else. */
export async function findOfferGenerations(
  { store, workspaceId }: WorkspaceStore,
  shards: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await getRows(store, shards.map((shard) => rowKey(workspaceId, shard)));
  return new Map(shards.map((shard, at) => [shard, rows[at]?.versionstamp ?? null]));
}

/** The commit fails when anybody wrote offers of the shard since its generation was read (null: never). */
export function checkOfferGeneration(
  write: Write,
  workspaceId: string,
  shard: number,
  generation: string | null,
): void {
  write.check(rowKey(workspaceId, shard), generation);
}

/** Sets the generation of the offers of one shard. */
export function setOfferGeneration(write: Write, workspaceId: string, shard: number): void {
  write.set(rowKey(workspaceId, shard), EMPTY);
}
