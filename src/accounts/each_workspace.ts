import { eachApart } from "../platform/jobs/work_loop.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { type Store, transact, type Write } from "../platform/store/kv.ts";
import type { MigrationStep } from "../platform/store/migrate.ts";
import { listWorkspaces, workspaces } from "./workspace_store.ts";

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

/** In each workspace, repeats commits until one changes fewer than `limit` rows. */
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

interface Place {
  readonly workspaceId: string;
  readonly after: string | null;
}

/** `rewrite` adds one commit's changes and returns the next `after`, or null after the last row. */
export function inEachWorkspace(
  rewrite: (
    write: Write,
    workspace: WorkspaceStore,
    after: string | null,
  ) => Promise<string | null>,
): MigrationStep["advance"] {
  const placeBehind = async (store: Store, workspaceId: string | null): Promise<Place | null> => {
    const after = workspaceId === null ? null : { id: workspaceId };
    const [found] = await workspaces.list({ store }, { after, limit: 1 });
    return found ? { workspaceId: found.row.id, after: null } : null;
  };
  return async (store, write, place): Promise<Place | null> => {
    const at = isPlace(place) ? place : await placeBehind(store, null);
    if (at === null) return null;
    const { workspaceId } = at;
    const after = await rewrite(write, { store, workspaceId }, at.after);
    return after === null ? await placeBehind(store, workspaceId) : { workspaceId, after };
  };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
