import { waitForJob } from "../../platform/jobs/add_job.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import type { Context } from "../../platform/store/context.ts";
import { cancelAsked } from "../asked_jobs.ts";
import { ASKED_RUN, readRun } from "./read_runs.ts";
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
  await cancelAsked(ctx, ASKED_RUN, kind, id);
  await waitForJob(ctx, RUN_KIND, id, WAIT_MS);
  return await readRun(ctx, id);
}
