/**
 * Keys of layout 2, which are taken away: `pb W brand id`, `pc W category id`, `pt W tier id` and
 * `pu W updatedAt id`; `d W dimension value` and `dv W`. The count of all products among them stays
 * (`product_count_store.ts`).
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";

/** One more row of the longest key fits behind this. */
const NEXT_ROW = shareOfCommit(0.1);
const ROWS_PER_COMMIT = 500;

/** Takes away as many rows as a commit has room for; false when none was left. */
export async function removeFormerRows(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
): Promise<boolean> {
  const workspace = idBytes(workspaceId);
  const version = ["dv", workspace];
  if ((await store.kv.get(version)).versionstamp !== null) write.delete(version);
  const prefixes = [
    ...["pb", "pc", "pt", "pu"].map((table) => [table, workspace]),
    ...[..."bct"].map((dimension) => ["d", workspace, dimension]),
  ];
  for (const prefix of prefixes) {
    const options = { limit: ROWS_PER_COMMIT, batchSize: ROWS_PER_COMMIT };
    for await (const { key } of store.kv.list({ prefix }, options)) {
      if (!write.fits(NEXT_ROW)) return true;
      write.delete(key);
    }
  }
  return !write.isEmpty;
}
