import { removeFinishedExports } from "../catalogue/prices/finished_export_store.ts";
import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the exports that were finished before then; answers how many that were. */
export async function sweepExports(store: Store, before: Date): Promise<number> {
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old exports", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    for (let size = ROWS_PER_COMMIT; size === ROWS_PER_COMMIT; count += size) {
      size = await transact(
        workspace,
        (write) => removeFinishedExports(write, workspace, before.getTime(), ROWS_PER_COMMIT),
      );
    }
  });
  return count;
}
