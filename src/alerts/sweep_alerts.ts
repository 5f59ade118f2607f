import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";
import { checkUnreadVersion, findUnreadVersion, removeAlerts, walkAlerts } from "./alert_store.ts";
import type { StoredAlert } from "./alert.ts";

const BATCH_SIZE = 100;

/**
 * Forgets the alerts that were raised before then, read or not; answers how many
 * (docs/decisions/running.md, 400 d).
 */
export async function sweepAlerts(store: Store, raisedBefore: Date): Promise<number> {
  const bound = raisedBefore.toISOString();
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old alerts", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    for (let size = BATCH_SIZE; size === BATCH_SIZE; count += size) {
      size = await transact(workspace, async (write) => {
        const version = await findUnreadVersion(workspace);
        const old: StoredAlert[] = [];
        const walk = { index: { by: "all" }, after: null, order: "asc" } as const;
        for await (const alert of walkAlerts(workspace, walk)) {
          if (alert.createdAt >= bound || old.push(alert) === BATCH_SIZE) break;
        }
        if (old.length > 0) checkUnreadVersion(write, workspaceId, version);
        removeAlerts(write, workspaceId, old);
        return old.length;
      });
    }
  });
  return count;
}
