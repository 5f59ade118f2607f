import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import type { Store } from "../../platform/store/kv.ts";
import { checkUnreadVersion, findUnreadVersion, removeAlerts, walkAlerts } from "./alert_store.ts";
import type { StoredAlert } from "./alert.ts";

const BATCH_SIZE = 100;

/**
 * Forgets the alerts that were raised before then, read or not; answers how many
 * (docs/decisions/running.md, 400 d).
 */
export async function sweepAlerts(store: Store, raisedBefore: Date): Promise<number> {
  const bound = raisedBefore.toISOString();
  return await commitInWorkspaces(store, "old alerts", BATCH_SIZE, async (write, workspace) => {
    const version = await findUnreadVersion(workspace);
    const old: StoredAlert[] = [];
    const walk = { index: { by: "all" }, after: null, order: "asc" } as const;
    for await (const alert of walkAlerts(workspace, walk)) {
      if (alert.createdAt >= bound || old.push(alert) === BATCH_SIZE) break;
    }
    if (old.length > 0) checkUnreadVersion(write, workspace.workspaceId, version);
    removeAlerts(write, workspace.workspaceId, old);
    return old.length;
  });
}
