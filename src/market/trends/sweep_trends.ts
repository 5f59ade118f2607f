import { monthOf } from "../../base/month.ts";
import { countInWorkspaces } from "../../identity/each_workspace.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeInCommits } from "../../platform/store/rows.ts";
import { removeTrendRows } from "./trend_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the months that ended before then; answers how many rows that were. */
export async function sweepTrends(store: Store, before: Date): Promise<number> {
  const month = monthOf(before.toISOString());
  return await countInWorkspaces(
    store,
    "old trends",
    (workspace) =>
      removeInCommits(
        workspace,
        ROWS_PER_COMMIT,
        (write, limit) => removeTrendRows(write, workspace, month, limit),
      ),
  );
}
