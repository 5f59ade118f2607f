import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import type { Store } from "../platform/store/kv.ts";
import { removeInBatches } from "../platform/store/rows.ts";
import { monthOf } from "./sale.ts";
import { deleteSalesRow, type SalesRow, walkSalesRows } from "./sales_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the months that ended before then; answers how many rows that were. */
export async function sweepSales(store: Store, before: Date): Promise<number> {
  const month = monthOf(before.toISOString());
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old sales", workspaces.map(({ id }) => id), async (workspaceId) => {
    const old = olderThan(walkSalesRows({ store, workspaceId }), month);
    count += await removeInBatches(
      store,
      old,
      ROWS_PER_COMMIT,
      (write, row) => deleteSalesRow(write, workspaceId, row),
    );
  });
  return count;
}

async function* olderThan(rows: AsyncIterable<SalesRow>, month: number) {
  for await (const row of rows) if (row.month < month) yield row;
}
