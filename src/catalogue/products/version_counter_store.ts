/**
 * Keys whose versionstamp serves as a version. Commits set these keys without reading them. `g W
 * shard` changes with every commit of a product. `go W shard` changes with every commit of offers.
 * If a SKU moves to another shard, `go` of both shards changes. `psv W shard` changes with every
 * change of a search text. `d W "n"` → u64: the number of active products, changed only by the
 * store's operation `sum`.
 */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows, listVersions } from "../../platform/store/rows.ts";

function shardVersions(table: string) {
  const prefix = (workspaceId: string) => [table, keptIdBytes(workspaceId)];
  const rowKey = (workspaceId: string, shard: number) => [...prefix(workspaceId), shard];
  return {
    async list({ store, workspaceId }: WorkspaceStore): Promise<Map<number, string>> {
      return await listVersions(store, prefix(workspaceId));
    },

    /** Null for a shard that was never written. */
    async find(
      { store, workspaceId }: WorkspaceStore,
      shards: readonly number[],
    ): Promise<Map<number, string | null>> {
      const rows = await getRows(store, shards.map((shard) => rowKey(workspaceId, shard)));
      return new Map(shards.map((shard, at) => [shard, rows[at]?.versionstamp ?? null]));
    },

    /** The commit fails if the shard's version has changed. */
    check(write: Write, workspaceId: string, shard: number, version: string | null): void {
      write.check(rowKey(workspaceId, shard), version);
    },

    set(write: Write, workspaceId: string, shard: number): void {
      write.touch(rowKey(workspaceId, shard));
    },
  };
}

const versionCounters = shardVersions("g");
export const listVersionCounters = versionCounters.list;
export const findVersionCounters = versionCounters.find;
export const checkVersionCounter = versionCounters.check;
export const setVersionCounter = versionCounters.set;

const offerVersionCounters = shardVersions("go");
export const listOfferVersionCounters = offerVersionCounters.list;
export const findOfferVersionCounters = offerVersionCounters.find;
export const checkOfferVersionCounter = offerVersionCounters.check;
export const setOfferVersionCounter = offerVersionCounters.set;

const searchVersions = shardVersions("psv");
export const listSearchVersions = searchVersions.list;
export const findSearchVersions = searchVersions.find;
export const checkSearchVersion = searchVersions.check;
export const setSearchVersion = searchVersions.set;

const countKey = (workspaceId: string) => ["d", keptIdBytes(workspaceId), "n"];

export async function countActiveProducts({ store, workspaceId }: WorkspaceStore): Promise<number> {
  const { value } = await store.kv.get<Deno.KvU64>(countKey(workspaceId));
  return value === null ? 0 : Number(value.value);
}

export function addToCount(write: Write, workspaceId: string, products: number): void {
  if (products !== 0) write.sum(countKey(workspaceId), products);
}
