import { eachApart } from "../platform/jobs/each_apart.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { type Store, transact, type Write } from "../platform/store/kv.ts";
import { listWorkspaces } from "./workspace_store.ts";

/** Does `work` for one workspace after the other, as `eachApart` does. */
export async function eachWorkspace(
  store: Store,
  name: string,
  work: (workspace: WorkspaceStore) => Promise<void>,
): Promise<void> {
  const workspaces = await listWorkspaces(store);
  await eachApart(
    name,
    workspaces.map(({ id }) => id),
    (workspaceId) => work({ store, workspaceId }),
  );
}

/** As `eachWorkspace`; answers what `work` has counted in all of them. */
export async function countInWorkspaces(
  store: Store,
  name: string,
  work: (workspace: WorkspaceStore) => Promise<number>,
): Promise<number> {
  let count = 0;
  await eachWorkspace(store, name, async (workspace) => {
    count += await work(workspace);
  });
  return count;
}

/**
 * In one workspace after the other, commits until one does less than `limit`: `change` answers how much it
 * does. Answers how much that was in all, with what came before a commit that failed.
 */
export async function commitInWorkspaces(
  store: Store,
  name: string,
  limit: number,
  change: (write: Write, workspace: WorkspaceStore) => Promise<number>,
): Promise<number> {
  let count = 0;
  await eachWorkspace(store, name, async (workspace) => {
    for (let size = limit; size === limit; count += size) {
      size = await transact(workspace, (write) => change(write, workspace));
    }
  });
  return count;
}
