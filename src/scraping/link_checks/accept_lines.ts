import { addJob, waitForJob } from "../../platform/jobs/add_job.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import {
  ACCEPT_KIND,
  type AcceptArgs,
  type AcceptCounts,
  type AcceptedLines,
  type AcceptJob,
  type AcceptLines,
} from "./link_check.ts";
import { requireCheck } from "./read_check.ts";

/** As long as an import is waited for. */
const WAIT_MS = 10_000;
const NONE: AcceptCounts = { linked: 0, existing: 0, refused: 0, refusals: [] };

/**
 * Makes links of lines; told twice, it makes them once. Answers what became of them within ten seconds:
 * of many lines the rest is linked in the background. Refuses with `not_found` an unknown check.
 */
export async function acceptLines(
  ctx: Context,
  checkId: string,
  asked: AcceptLines,
): Promise<AcceptedLines> {
  const { jobId } = await transact(ctx, async (write) => {
    await requireCheck(ctx, checkId);
    const args: AcceptArgs = "lines" in asked
      ? { checkId, outcomes: [], lines: [...new Set(asked.lines)] }
      : { checkId, outcomes: [...new Set(asked.outcomes)], lines: null };
    const job = addJob(write, ctx, { kind: ACCEPT_KIND, args, stats: NONE });
    ctx.receipt?.put(write, `/api/link-checks/${checkId}`);
    return job;
  });
  const job = await waitForJob<AcceptJob>(ctx, ACCEPT_KIND, jobId, WAIT_MS);
  return { status: job?.status ?? "queued", ...job?.stats ?? NONE };
}
