import { removeFinishedExports } from "../catalogue/prices/finished_export_store.ts";
import { countInWorkspaces } from "../identity/each_workspace.ts";
import type { Store } from "../platform/store/kv.ts";
import { removeInCommits } from "../platform/store/rows.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the exports that were finished before then; answers how many that were. */
export async function sweepExports(store: Store, before: Date): Promise<number> {
  return await countInWorkspaces(
    store,
    "old exports",
    (workspace) =>
      removeInCommits(
        workspace,
        ROWS_PER_COMMIT,
        (write, limit) => removeFinishedExports(write, workspace, before.getTime(), limit),
      ),
  );
}
