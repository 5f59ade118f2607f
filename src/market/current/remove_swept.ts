import { removeChanges } from "../../catalogue/products/change_log_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { removeInCommits } from "../../platform/store/rows.ts";

const ROWS_PER_COMMIT = 500;

/** Takes away the rows of the change log up to a position that is noted as swept. */
export async function removeSwept(workspace: WorkspaceStore, swept: string): Promise<void> {
  await removeInCommits(
    workspace,
    ROWS_PER_COMMIT,
    (write, limit) => removeChanges(write, workspace, swept, limit),
  );
}
