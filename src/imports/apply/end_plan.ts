import assert from "node:assert/strict";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { fileFinding } from "../files/finding.ts";
import {
  addStats,
  type DryRunResult,
  type ImportCursor,
  type ImportJob,
} from "../state/import_job.ts";
import { saveFinding } from "../files/finding_store.ts";
import { type GuardFigures, guardsOf } from "./guards.ts";
import { requireCursor } from "./walk.ts";

/** What the figures of a plan lead to: the end of a dry run, a refusal, or the application. */
export function endPlan(
  job: ImportJob,
  tools: StepTools<ImportJob>,
): StepResult<ImportJob> {
  const cursor = requireCursor(job);
  const { plan } = cursor;
  assert(plan, "A plan has no figures");
  if (job.args.isDryRun) {
    const result: DryRunResult = { impact: plan.impact };
    return { stats: plan.stats, end: { status: "succeeded", result } };
  }
  const binding = guardsOf(plan, job.args.mode).filter(({ binds }) => binds);
  const [first] = binding;
  if (first) return refuse(job, tools, cursor, first, binding);
  return {
    phase: "apply",
    cursor: { ...cursor, shard: 0, position: 0, removedUpTo: null, plan: null },
    progress: { processed: cursor.checked.errors + cursor.checked.skipped, total: cursor.records },
  };
}

/** A finding for each guard that binds; the job's error is the first one. */
function refuse(
  { jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  { checked }: ImportCursor,
  { code, message }: GuardFigures,
  binding: readonly GuardFigures[],
): StepResult<ImportJob> {
  for (const [n, guard] of binding.entries()) {
    const fault = { code: guard.code, line: null, message: guard.message };
    saveFinding(tools.write, tools.workspaceId, jobId, fileFinding("error", null, fault), n);
  }
  return {
    stats: addStats(checked, { errorCount: binding.length }),
    end: { status: "failed", error: { code, message } },
  };
}
