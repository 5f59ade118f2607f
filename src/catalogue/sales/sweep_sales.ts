import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import { monthOf } from "../../base/time.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { deleteSalesRow, type SalesRow, walkSalesRows } from "./sales_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the months that ended before then; answers how many rows that were. */
export async function sweepSales(store: Store, before: Date): Promise<number> {
  const month = monthOf(before.toISOString());
  return await countInWorkspaces(store, "old sales", (workspace) => {
    const old = olderThan(walkSalesRows(workspace), month);
    return removeInBatches(store, old, ROWS_PER_COMMIT, (write, row) => {
      deleteSalesRow(write, workspace.workspaceId, row);
    });
  });
}

async function* olderThan(rows: AsyncIterable<SalesRow>, month: number) {
  for await (const row of rows) if (row.month < month) yield row;
}
