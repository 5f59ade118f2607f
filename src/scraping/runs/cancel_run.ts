import { isId } from "../../base/id.ts";
import { Failure } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import { cancelJob } from "../../platform/jobs/cancel_job.ts";
import { waitForJob } from "../../platform/jobs/wait_for_job.ts";
import { transact } from "../../platform/store/kv.ts";
import { noSuchRun, readRun } from "./read_runs.ts";
import { type Run, RUN_KIND, type RunJob } from "./run.ts";

/** A run in hand sees it within two seconds; the answer waits for that. */
const WAIT_MS = 4_000;

/**
 * Ends a run; what it has stored stays. Refuses with `not_found`, and with `conflict` one that has
 * ended already.
 */
export async function cancelRun(
  ctx: Context,
  kind: Pick<JobKind<RunJob>, "kind" | "finish">,
  id: string,
): Promise<Run> {
  await transact(ctx, async (write) => {
    const run = isId(id) ? await findJob<RunJob>(ctx, RUN_KIND, id) : null;
    if (!run) throw noSuchRun(id);
    if (hasEnded(run)) {
      throw new Failure("conflict", `The scrape run has already ended: ${run.status}`);
    }
    await cancelJob(write, ctx, kind, id);
    ctx.receipt?.put(write, `/api/scrape-runs/${id}`);
  });
  await waitForJob(ctx, RUN_KIND, id, WAIT_MS);
  return await readRun(ctx, id);
}
