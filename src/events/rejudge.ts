/**
 * Many products that are to be judged anew for one reason: a job of the room that judges streams them
 * (docs/decisions/jobs.md, Evaluation).
 */
import { addJob } from "../platform/jobs/add_job.ts";
import type { Job } from "../platform/jobs/job.ts";
import type { Context } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";

export const REJUDGE_KIND = "rejudge";

/** Whose products: those of a rule's scope, those that a shop sells, all. */
export type RejudgeArgs =
  | {
    readonly by: "rule";
    readonly ruleId: string;
    readonly version: number;
    /** True where a person asks for it now: also of what was judged since the rule was saved. */
    readonly isAsked?: true;
  }
  | { readonly by: "competitor"; readonly competitorId: string }
  | { readonly by: "settings" };

/** Products up to `after` are before the rules already. */
export interface RejudgeCursor {
  readonly after: string;
}

export type RejudgeJob = Job<RejudgeArgs, RejudgeCursor, Record<never, never>>;

/** Adds the job to the commit of the change. A later one of the same reason takes its place. */
export function rejudge(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "now" | "newId">,
  args: RejudgeArgs,
): RejudgeJob {
  return addJob(write, ctx, { kind: REJUDGE_KIND, args, stats: {} });
}

/** What a later job of the same reason replaces. */
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
