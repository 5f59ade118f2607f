/**
 * Rows `table W shard` → empty, of which only the versionstamp says something: the version of what a
 * shard (of SKUs) has of a kind. Every commit that changes that sets the row, blind.
 */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows, listVersions } from "../../platform/store/rows.ts";

const EMPTY = new Uint8Array();

/** The versions of one table; who writes many products reads them before all else and checks them. */
export function shardVersions(table: string) {
  const prefix = (workspaceId: string) => [table, keptIdBytes(workspaceId)];
  const rowKey = (workspaceId: string, shard: number) => [...prefix(workspaceId), shard];
  return {
    /** Of every shard that has one. */
    async list({ store, workspaceId }: WorkspaceStore): Promise<Map<number, string>> {
      return await listVersions(store, prefix(workspaceId));
    },

    /** Of a few shards, null where nothing was ever written. */
    async find(
      { store, workspaceId }: WorkspaceStore,
      shards: readonly number[],
    ): Promise<Map<number, string | null>> {
      const rows = await getRows(store, shards.map((shard) => rowKey(workspaceId, shard)));
      return new Map(shards.map((shard, at) => [shard, rows[at]?.versionstamp ?? null]));
    },

    /** The commit fails when somebody has set it since it was read (null: never). */
    check(write: Write, workspaceId: string, shard: number, version: string | null): void {
      write.check(rowKey(workspaceId, shard), version);
    },

    set(write: Write, workspaceId: string, shard: number): void {
      write.set(rowKey(workspaceId, shard), EMPTY);
    },
  };
}
