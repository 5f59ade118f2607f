import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";
import { removeSpent, walkSpent } from "./budget_store.ts";

/** Forgets what was counted on the days before then; answers how many days. */
export async function sweepBudgets(store: Store, before: Date): Promise<number> {
  let count = 0;
  const beforeDate = before.toISOString().slice(0, 10);
  const workspaces = await listWorkspaces(store);
  await eachApart("old budgets", workspaces.map(({ id }) => id), async (workspaceId) => {
    const days = await Array.fromAsync(walkSpent({ store, workspaceId }, beforeDate));
    await transact({ store }, (write) => {
      for (const { date } of days) removeSpent(write, workspaceId, date);
      return Promise.resolve();
    });
    count += days.length;
  });
  return count;
}
