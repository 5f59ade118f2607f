import { removeFinishedExports } from "../../catalogue/prices/finished_export_store.ts";
import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import type { Store } from "../../platform/store/kv.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the exports that were finished before then; answers how many that were. */
export async function sweepExports(store: Store, before: Date): Promise<number> {
  return await commitInWorkspaces(store, "old exports", ROWS_PER_COMMIT, (write, workspace) => {
    return removeFinishedExports(write, workspace, before.getTime(), ROWS_PER_COMMIT);
  });
}
