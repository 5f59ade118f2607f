/**
 * Keys: `g W shard` → empty; its versionstamp is the generation of the shard (of SKUs). Every commit
 * that touches a product sets it, blind; who writes many reads the generations first and checks those.
 */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows, listVersions } from "../../platform/store/rows.ts";

const EMPTY = new Uint8Array();

const generationKey = (
  workspaceId: string,
  shard: number,
) => ["g", keptIdBytes(workspaceId), shard];

/** The generation of every shard that has one; a batch reads them before all else. */
export async function listGenerations(
  { store, workspaceId }: WorkspaceStore,
): Promise<Map<number, string>> {
  return await listVersions(store, ["g", keptIdBytes(workspaceId)]);
}

/** The generations of a few shards, null where nothing was ever written. */
export async function findGenerations(
  { store, workspaceId }: WorkspaceStore,
  shards: readonly number[],
): Promise<(readonly [shard: number, generation: string | null])[]> {
  const rows = await getRows(store, shards.map((number) => generationKey(workspaceId, number)));
  return rows.map(({ versionstamp }, at) => [shards[at] ?? 0, versionstamp]);
}

/** The commit fails when anybody wrote to the shard since its generation was read (null: never). */
export function checkGeneration(
  write: Write,
  workspaceId: string,
  shardNumber: number,
  generation: string | null,
): void {
  write.check(generationKey(workspaceId, shardNumber), generation);
}

/** Sets the generation of one shard; for rows that hang on a product without being the product. */
export function setGeneration(write: Write, workspaceId: string, shardNumber: number): void {
  write.set(generationKey(workspaceId, shardNumber), EMPTY);
}
