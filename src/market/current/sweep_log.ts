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
import { defineTable } from "../../platform/store/table.ts";

/** Earlier versions stored copies of market tables. Nothing reads their content. */
export const formerCopies = defineTable<object>({
  prefix: "mkh",
  about: "the head of a former copy of the market table; deleted at night",
  key: {},
});

export const formerCopyParts = defineTable<
  { readonly generation: string; readonly n: number },
  "generation" | "n"
>({
  prefix: "mkp",
  about: "a part of a former copy of the market table; deleted at night",
  key: { generation: "id", n: "number" },
  codec: { decode: () => ({}) },
});

const CHANGES_PER_COMMIT = 500;

/** Runs daily. Deletes the log entries that existed at the previous run, and former copies. */
export async function sweepLog(workspace: WorkspaceStore & Pick<ClockAndIds, "now">) {
  await formerCopyParts.clear(workspace, {});
  const end = await findLogEnd(workspace);
  const nowMs = workspace.now().getTime();
  const sweep = await transact(workspace, (write) => {
    formerCopies.drop(write, workspace, {});
    return changeLogSweep(write, workspace, (before) => {
      if (before !== null && nowMs - before.markedAtMs < 23 * HOUR_MS) return null;
      return { swept: before?.mark ?? "", mark: end, markedAtMs: nowMs };
    });
  });
  const swept = sweep?.swept ?? "";
  if (swept === "") return;
  await removeInCommits(
    workspace,
    CHANGES_PER_COMMIT,
    (write, limit) => removeChanges(write, workspace, swept, limit),
  );
}
