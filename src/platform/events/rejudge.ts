/** Jobs that queue many products for evaluation (docs/decisions/jobs.md). */
import { hasEnded, type Job } from "../jobs/job.ts";
import { addJob, listJobs } from "../jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { Write } from "../store/kv.ts";
import { dirtyQueue, outboxQueue } from "./outbox_store.ts";

export const REJUDGE_KIND = "rejudge";

export type RejudgeArgs =
  | {
    readonly by: "rule";
    readonly ruleId: string;
    readonly version: number;
    /** True to evaluate even products that were already evaluated with this version of the rule. */
    readonly isAsked?: true;
    readonly isApplied?: true;
  }
  | { readonly by: "competitor"; readonly competitorId: string }
  | { readonly by: "settings" };

export type RejudgeJob = Job<RejudgeArgs, { readonly after: string }, Record<never, never>>;

/**
 * A job by `rule` stops if the rule changes. A job by `competitor` stops if a later job for the
 * same competitor exists, and a job by `settings` stops if a later job by `settings` exists.
 */
export function rejudge(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "now" | "newId">,
  args: RejudgeArgs,
): RejudgeJob {
  return addJob(write, ctx, { kind: REJUDGE_KIND, args, stats: {} });
}

export function reasonOf(args: RejudgeArgs): string {
  switch (args.by) {
    case "rule":
      return `rule ${args.ruleId}`;
    case "competitor":
      return `competitor ${args.competitorId}`;
    case "settings":
      return "settings";
  }
}

/** True if products wait for evaluation; a queue whose first row waits for a retry is ignored. */
export async function isJudging(workspace: WorkspaceStore): Promise<boolean> {
  const page = { kind: REJUDGE_KIND, limit: 20, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs<RejudgeJob>(workspace, page);
  if (jobs.some((job) => !hasEnded(job))) return true;
  const { store, workspaceId } = workspace;
  for (const queue of [outboxQueue, dirtyQueue]) {
    const row = await queue.findBehind(store, null, [workspaceId]);
    if (row !== null && (row.value.failures ?? 0) === 0) return true;
  }
  return false;
}
