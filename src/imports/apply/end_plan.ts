import assert from "node:assert/strict";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { fileFinding, type FindingCode } from "../findings/finding.ts";
import {
  addStats,
  type DryRunResult,
  type ImportCursor,
  type ImportJob,
  type ImportPlan,
} from "../state/import_job.ts";
import { saveFinding } from "../findings/finding_store.ts";
import { holdMessage, isBeyond } from "./hold.ts";
import { isMoreThanPct } from "./plan_impact.ts";
import { requireCursor } from "./walk.ts";

/** `replace` may take away so much of what imports made; more is taken for a broken export. */
const REMOVED_PCT_MAX = 20;

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
  const refusal = replaceGuard(job, plan) ?? priceGuard(plan);
  if (refusal) return refuse(job, tools, cursor, refusal);
  return {
    phase: "apply",
    cursor: { ...cursor, shard: 0, position: 0, removedUpTo: null, plan: null },
    progress: { processed: cursor.checked.errors, total: cursor.records },
  };
}

interface Refusal {
  readonly code: FindingCode;
  readonly message: string;
}

function replaceGuard({ args }: ImportJob, { missing, importMade }: ImportPlan): Refusal | null {
  if (args.mode !== "replace" || !isMoreThanPct(missing, importMade, REMOVED_PCT_MAX)) return null;
  return {
    code: "replace_guard",
    message: `${missing} of ${importMade} products that imports made are missing from the file, ` +
      `more than ${REMOVED_PCT_MAX} %: nothing was applied; apply it with force=true if that is meant`,
  };
}

function priceGuard({ hold }: ImportPlan): Refusal | null {
  if (!hold || !isBeyond(hold)) return null;
  return { code: "price_guard", message: holdMessage(hold) };
}

function refuse(
  { jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  { checked }: ImportCursor,
  { code, message }: Refusal,
): StepResult<ImportJob> {
  const finding = fileFinding("error", null, { code, line: null, message });
  saveFinding(tools.write, tools.workspaceId, jobId, finding, 0);
  return {
    stats: addStats(checked, { errorCount: 1 }),
    end: { status: "failed", error: { code, message } },
  };
}
