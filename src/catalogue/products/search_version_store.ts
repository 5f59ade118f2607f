/**
 * Keys: `psv W shard` → empty; its versionstamp is the version of what a search finds in the shard (of
 * SKUs). Every commit that makes a product findable, by other words or no more sets it, blind; other
 * changes of a product leave it. Absent: nobody has since there are such rows.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shardVersions } from "./shard_version_store.ts";

const versions = shardVersions("psv");

/** The version of every shard that has one. */
export const listSearchVersions = versions.list;

/** Null for a shard that has none. */
export async function findSearchVersion(
  workspace: WorkspaceStore,
  shard: number,
): Promise<string | null> {
  return (await versions.find(workspace, [shard])).get(shard) ?? null;
}

/** The commit fails when a search would find something else in the shard since its version was read. */
export const checkSearchVersion = versions.check;

/** What a search finds in the shard is another from this commit on. */
export const setSearchVersion = versions.set;
