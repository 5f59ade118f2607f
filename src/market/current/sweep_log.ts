/** Takes away what no process needs of the change log any more. */
import { changeLogSweep, findLogEnd } from "../../catalogue/products/change_log_store.ts";
import type { Clockwork, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { dropLeftBehind } from "./checkpoint.ts";
import { removeSwept } from "./remove_swept.ts";

/** A process whose table is further behind than this loads it anew. */
const KEPT_MS = 23 * 3_600_000;

/**
 * Asked once a day, it leaves a day of the log: what stood in it a day ago goes, and its end of now is
 * noted for the next time. Told before it is done, and gone on with where it broke off. A checkpoint
 * that nobody has renewed for so long goes with it.
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
