/** Takes away what no process needs of the change log any more. */
import { changeLogSweep, findLogEnd } from "../../catalogue/products/change_log_store.ts";
import type { Clockwork, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { dropLeftBehind } from "./checkpoint.ts";
import { removeSwept } from "./remove_swept.ts";

/** A process whose table is behind by more than this reloads it. */
const KEPT_MS = 23 * 3_600_000;

/**
 * Daily sweep that leaves a day of the change log: entries older than the end noted a day ago are
 * removed, and the current end is noted. The new end is stored first, so a broken sweep continues.
 * A checkpoint that was not renewed for so long is removed, too.
 */
export async function sweepLog(
  workspace: WorkspaceStore & Pick<Clockwork, "now">,
): Promise<void> {
  const end = await findLogEnd(workspace);
  const nowMs = workspace.now().getTime();
  const sweep = await transact(workspace, (write) =>
    changeLogSweep(write, workspace, (before) => {
      if (before !== null && nowMs - before.markedAtMs < KEPT_MS) return null;
      return { swept: before?.mark ?? "", mark: end, markedAtMs: nowMs };
    }));
  const swept = sweep?.swept ?? "";
  if (swept === "") return;
  await removeSwept(workspace, swept);
  await dropLeftBehind(workspace, swept);
}
