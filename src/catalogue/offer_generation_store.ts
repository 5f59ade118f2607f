/**
 * Keys: `go W shard` → empty; its versionstamp is the generation of the offers of a shard (the shard
 * of the product's SKU). Every commit that writes offers sets it, blind, and so does a change of SKU:
 * else two batches on either side of it would check different generations and lose an offer.
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import type { Write } from "../platform/kv.ts";

const GET_MANY_MAX = 10;
const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, shard: number) => ["go", idBytes(workspaceId), shard];

/** The generations of the offers of `shards`, null where nothing was ever written; a batch reads them before all else. */
export async function findOfferGenerations(
  { store, workspaceId }: WorkspaceStore,
  shards: readonly number[],
): Promise<Map<number, string | null>> {
  const generations = new Map<number, string | null>();
  for (let at = 0; at < shards.length; at += GET_MANY_MAX) {
    const some = shards.slice(at, at + GET_MANY_MAX);
    const rows = await store.kv.getMany(some.map((shard) => rowKey(workspaceId, shard)));
    for (const [position, shard] of some.entries()) {
      generations.set(shard, rows[position]?.versionstamp ?? null);
    }
  }
  return generations;
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
