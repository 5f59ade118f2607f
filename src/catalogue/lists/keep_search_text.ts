import { transact } from "../../platform/store/kv.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { checkSearchVersion, findSearchVersion } from "../products/search_version_store.ts";
import { packText } from "./search_pack.ts";
import { hasSearchPack, removePartsBehind, savePart, searchPackOf } from "./search_pack_store.ts";
import type { ShardText } from "./search_text.ts";

/** Half of what a commit takes. */
const PARTS_PER_COMMIT = 90;

/**
 * Stores a shard's search text beside the cards that it was read from, for whoever comes anew. Does
 * nothing when the shard no longer has that version, or somebody has stored it already.
 */
export async function keepSearchText(
  workspace: WorkspaceStore,
  shard: number,
  version: string | null,
  text: ShardText,
): Promise<void> {
  const bytes = packText(text);
  if (bytes === null) return;
  const pack = searchPackOf(shard, version, bytes);
  if (await hasSearchPack(workspace, pack)) return;
  for (let first = 0; first < pack.parts.length; first += PARTS_PER_COMMIT) {
    const isOfToday = await transact(workspace, async (write) => {
      if (await findSearchVersion(workspace, shard) !== version) return false;
      checkSearchVersion(write, workspace.workspaceId, shard, version);
      if (first === 0) await removePartsBehind(write, workspace, pack);
      const end = Math.min(first + PARTS_PER_COMMIT, pack.parts.length);
      for (let n = first; n < end; n++) savePart(write, workspace.workspaceId, pack, n);
      return true;
    });
    if (!isOfToday) return;
  }
}
