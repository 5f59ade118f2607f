import { removeChanges } from "../../catalogue/products/change_log_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";

const ROWS_PER_COMMIT = 500;

/** Takes away the rows of the change log up to a position that is noted as swept. */
export async function removeSwept(workspace: WorkspaceStore, swept: string): Promise<void> {
  for (let count = ROWS_PER_COMMIT; count === ROWS_PER_COMMIT;) {
    count = await transact(
      workspace,
      (write) => removeChanges(write, workspace, swept, ROWS_PER_COMMIT),
    );
  }
}
