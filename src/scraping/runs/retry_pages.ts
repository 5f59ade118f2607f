import { Failure, noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import { countFailing } from "../../shops/offers/failing_page_store.ts";
import { type AskedKind, cancelAsked, findInHand, requireAsked } from "../asked_jobs.ts";
import {
  lastRetries,
  type Retry,
  RETRY_KIND,
  type RetryArgs,
  type RetryCounts,
  type RetryJob,
  type RetryRequest,
} from "./retry_kind.ts";

const ASKED_RETRY: AskedKind = { kind: RETRY_KIND, name: "retry", path: "/api/repairs/retries" };

/**
 * Queues all failing pages of a shop once more, or answers the unfinished retry: a shop has one at
 * a time. Refuses with `not_found` an unknown competitor, and with `conflict` where nothing fails
 * or pages are not fetched.
 */
export async function retryPages(
  ctx: Context,
  { competitorId, cause = null }: RetryRequest,
): Promise<Retry> {
  const retry = await transact(ctx, async (write) => {
    const found = isId(competitorId) ? await findCompetitor(ctx, competitorId) : null;
    if (!found) throw noSuch("competitor", competitorId);
    const last = await lastRetries.find(ctx, { competitorId });
    const running = last && await findInHand<RetryJob>(ctx, RETRY_KIND, last.row.retryId);
    if (running) return running;
    if (!found.competitor.enabled) {
      throw new Failure("conflict", "The competitor is switched off: nobody fetches from it");
    }
    const pages = await countFailing(ctx, { competitorId, cause });
    if (pages === 0) throw new Failure("conflict", "No page of the competitor fails so");
    const args: RetryArgs = { competitorId, cause };
    const stats: RetryCounts = { pages, asked: 0 };
    const progress = { processed: 0, total: pages };
    const job = addJob(write, ctx, { kind: RETRY_KIND, args, stats, progress });
    lastRetries.save(write, ctx, last, { competitorId, retryId: job.jobId });
    ctx.receipt?.put(write, `/api/repairs/retries/${job.jobId}`);
    return job;
  });
  return await toRetry(ctx, retry);
}

/** Refuses with `not_found`. */
export async function readRetry(workspace: WorkspaceStore, id: string): Promise<Retry> {
  return await toRetry(workspace, await requireAsked(workspace, ASKED_RETRY, id));
}

/** Asks for no more pages; those that were asked for are fetched. Refuses with `conflict` one that has ended. */
export async function cancelRetry(
  ctx: Context,
  kind: Pick<JobKind<RetryJob>, "kind" | "finish">,
  id: string,
): Promise<Retry> {
  await cancelAsked(ctx, ASKED_RETRY, kind, id);
  return await readRetry(ctx, id);
}

async function toRetry(workspace: WorkspaceStore, job: RetryJob): Promise<Retry> {
  const { competitorId, cause } = job.args;
  return {
    id: job.jobId,
    competitorId,
    cause,
    status: job.status,
    pages: job.stats.pages,
    done: Math.min(job.progress.processed, job.stats.pages),
    failing: await countFailing(workspace, { competitorId, cause }),
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
  };
}
