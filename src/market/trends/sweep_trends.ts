import { listWorkspaces } from "../../identity/workspace_store.ts";
import { eachApart } from "../../platform/jobs/each_apart.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { placeOfDate, removeTrendRows } from "./trend_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the months that ended before then; answers how many rows that were. */
export async function sweepTrends(store: Store, before: Date): Promise<number> {
  const { month } = placeOfDate(before.toISOString().slice(0, 10));
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old trends", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    for (let size = ROWS_PER_COMMIT; size === ROWS_PER_COMMIT; count += size) {
      size = await transact(
        workspace,
        (write) => removeTrendRows(write, workspace, month, ROWS_PER_COMMIT),
      );
    }
  });
  return count;
}
