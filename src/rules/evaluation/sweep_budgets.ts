import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { removeSpent, walkSpent } from "./budget_store.ts";

/** Forgets what was counted on the days before then; answers how many days. */
export async function sweepBudgets(store: Store, before: Date): Promise<number> {
  const beforeDate = before.toISOString().slice(0, 10);
  return await countInWorkspaces(store, "old budgets", async (workspace) => {
    const days = await Array.fromAsync(walkSpent(workspace, beforeDate));
    await transact(workspace, (write) => {
      for (const { date } of days) removeSpent(write, workspace.workspaceId, date);
    });
    return days.length;
  });
}
