import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";
import { findWebhook, removeDelivery, walkDeliveries } from "./webhook_store.ts";

const BATCH_SIZE = 200;

/**
 * Forgets the deliveries that were made before then, and those of webhooks that are gone; answers how
 * many (docs/decisions/running.md, 30 d). The log has no other rows, and what is still tried is
 * younger.
 */
export async function sweepDeliveries(store: Store, madeBefore: Date): Promise<number> {
  const bound = madeBefore.toISOString();
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old deliveries", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    const isThere = new Map<string, boolean>();
    let batch: { webhookId: string; id: string }[] = [];
    const removeBatch = async () => {
      await transact(workspace, (write) => {
        for (const { webhookId, id } of batch) removeDelivery(write, workspaceId, webhookId, id);
        return Promise.resolve();
      });
      count += batch.length;
      batch = [];
    };
    for await (const { webhookId, delivery } of walkDeliveries(workspace)) {
      if (!isThere.has(webhookId)) {
        isThere.set(webhookId, await findWebhook(workspace, webhookId) !== null);
      }
      if (isThere.get(webhookId) && delivery.createdAt >= bound) continue;
      if (batch.push({ webhookId, id: delivery.id }) === BATCH_SIZE) await removeBatch();
    }
    await removeBatch();
  });
  return count;
}
