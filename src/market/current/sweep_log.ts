/** Deletes entries of the change log that no running process needs. */

import { HOUR_MS } from "../../base/time.ts";
import {
  changeLogSweep,
  findLogEnd,
  removeChanges,
} from "../../catalogue/products/change_log_store.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { removeInCommits } from "../../platform/store/rows.ts";

const CHANGES_PER_COMMIT = 500;

/** Runs daily. Deletes the log entries that existed at the previous run. */
export async function sweepLog(workspace: WorkspaceStore & Pick<ClockAndIds, "now">) {
  const end = await findLogEnd(workspace);
  const nowMs = workspace.now().getTime();
  const sweep = await transact(
    workspace,
    (write) =>
      changeLogSweep(write, workspace, (before) => {
        if (before !== null && nowMs - before.markedAtMs < 23 * HOUR_MS) return null;
        return { swept: before?.mark ?? "", mark: end, markedAtMs: nowMs };
      }),
  );
  const swept = sweep?.swept ?? "";
  if (swept === "") return;
  await removeInCommits(
    workspace,
    CHANGES_PER_COMMIT,
    (write, limit) => removeChanges(write, workspace, swept, limit),
  );
}
