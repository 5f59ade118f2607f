import { waitForJob } from "../../platform/jobs/add_job.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import type { Context } from "../../platform/store/context.ts";
import { cancelAsked } from "../asked_jobs.ts";
import { CHECK_KIND, type CheckJob } from "./link_check.ts";
import { ASKED_CHECK } from "./read_check.ts";

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
  await cancelAsked(ctx, ASKED_CHECK, kind, id);
  await waitForJob(ctx, CHECK_KIND, id, WAIT_MS);
}
