import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { findWebhook, removeDelivery, walkDeliveries } from "./webhook_store.ts";

const BATCH_SIZE = 200;

/**
 * Forgets the deliveries that were made before then, and those of webhooks that are gone; answers how
 * many (docs/decisions/running.md, 30 d). The log has no other rows, and what is still tried is
 * younger.
 */
export async function sweepDeliveries(store: Store, madeBefore: Date): Promise<number> {
  const bound = madeBefore.toISOString();
  return await countInWorkspaces(store, "old deliveries", (workspace) => {
    const old = oldDeliveries(workspace, bound);
    return removeInBatches(store, old, BATCH_SIZE, (write, { webhookId, delivery }) => {
      removeDelivery(write, workspace.workspaceId, webhookId, delivery.id);
    });
  });
}

async function* oldDeliveries(workspace: WorkspaceStore, bound: string) {
  const isThere = new Map<string, boolean>();
  for await (const found of walkDeliveries(workspace)) {
    const { webhookId, delivery } = found;
    if (!isThere.has(webhookId)) {
      isThere.set(webhookId, await findWebhook(workspace, webhookId) !== null);
    }
    if (!isThere.get(webhookId) || delivery.createdAt < bound) yield found;
  }
}
