import { Failure } from "../../base/failure.ts";
import { cancelJob } from "../../platform/jobs/cancel_job.ts";
import { hasEnded, type JobKind } from "../../platform/jobs/job.ts";
import { waitForJob } from "../../platform/jobs/wait_for_job.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { CHECK_KIND, type CheckJob } from "./link_check.ts";
import { requireCheck } from "./read_check.ts";

/** A check in hand sees it at its next commit. */
const WAIT_MS = 4_000;

/**
 * Looks at no further line; what was looked at stays. Refuses with `not_found`, and with `conflict` a
 * check that has ended.
 */
export async function cancelCheck(
  ctx: Context,
  kind: Pick<JobKind<CheckJob>, "kind" | "finish">,
  id: string,
): Promise<void> {
  await transact(ctx, async (write) => {
    const check = await requireCheck(ctx, id);
    if (hasEnded(check)) {
      throw new Failure("conflict", `The link check has already ended: ${check.status}`);
    }
    await cancelJob(write, ctx, kind, id);
    ctx.receipt?.put(write, `/api/link-checks/${id}`);
  });
  await waitForJob(ctx, CHECK_KIND, id, WAIT_MS);
}
