import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { removeAutomatic } from "./automatic_store.ts";
import { putDiscovery } from "./discovery_store.ts";
import { removePages } from "./page_store.ts";
import { removeSuggestions } from "./suggestion_store.ts";
import { removeUrls } from "./url_store.ts";

/**
 * A shop goes, and what was found there with it. What was rejected is remembered: the shop may come
 * again. Safe to repeat.
 */
export async function forgetDiscovery(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<void> {
  await transact(workspace, (write) => {
    putDiscovery(write, workspace.workspaceId, competitorId, null);
  });
  await removeAutomatic(workspace, competitorId);
  await removeUrls({ ...workspace, competitorId });
  await removePages(workspace, competitorId);
  await removeSuggestions(
    workspace,
    (one) => one.competitorId === competitorId && one.status !== "rejected",
  );
}
