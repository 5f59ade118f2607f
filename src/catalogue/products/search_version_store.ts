/**
 * Keys: `psv W shard` → empty; its versionstamp is the version of what a search finds in the shard (of
 * SKUs). Every commit that makes a product findable, by other words or no more sets it, blind; other
 * changes of a product leave it. Absent: nobody has since there are such rows.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { listVersions } from "../../platform/store/rows.ts";

const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, shard: number) => ["psv", idBytes(workspaceId), shard];

/** The version of every shard that has one. */
export async function listSearchVersions(
  { store, workspaceId }: WorkspaceStore,
): Promise<Map<number, string>> {
  return await listVersions(store, ["psv", idBytes(workspaceId)]);
}

/** Null for a shard that has none. */
export async function findSearchVersion(
  { store, workspaceId }: WorkspaceStore,
  shard: number,
): Promise<string | null> {
  return (await store.kv.get(rowKey(workspaceId, shard))).versionstamp;
}

/** The commit fails when a search would find something else in the shard since its version was read. */
export function checkSearchVersion(
  write: Write,
  workspaceId: string,
  shard: number,
  version: string | null,
): void {
  write.check(rowKey(workspaceId, shard), version);
}

/** What a search finds in the shard is another from this commit on. */
export function setSearchVersion(write: Write, workspaceId: string, shard: number): void {
  write.set(rowKey(workspaceId, shard), EMPTY);
}
