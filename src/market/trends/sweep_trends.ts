import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import { monthOf } from "../../base/time.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeTrendRows } from "./trend_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the months that ended before then; answers how many rows that were. */
export async function sweepTrends(store: Store, before: Date): Promise<number> {
  const month = monthOf(before.toISOString());
  return await commitInWorkspaces(store, "old trends", ROWS_PER_COMMIT, (write, workspace) => {
    return removeTrendRows(write, workspace, month, ROWS_PER_COMMIT);
  });
}
