import { addAuditRow } from "../../audit/audit_store.ts";
import { announce } from "../../events/announce.ts";
import type { JobKind, JobTools, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import { dropBlob, keepBlob } from "../../platform/spool/spool.ts";
import { applyStep } from "../apply/apply_step.ts";
import { StaleBatch } from "../apply/batch.ts";
import { checkStep } from "../apply/check_step.ts";
import { planStep } from "../apply/plan_step.ts";
import { spanAt } from "../apply/span.ts";
import { createSpanLoader, type SpanLoader } from "../apply/span_loader.ts";
import { requireCursor } from "../apply/walk.ts";
import type { ImportDeps } from "../apply/import_deps.ts";
import { fileFinding } from "../findings/finding.ts";
import { CRASH_LOOP, IMPORT_KIND, type ImportJob, keepsUpload } from "../state/import_job.ts";
import { saveFinding } from "../findings/finding_store.ts";
import { CLEARING_KIND, NO_CLEARING_STATS } from "./clearing_kind.ts";

/**
 * The file of a dry run or a held import can be applied for so long (docs/decisions/imports.md).
 */
const KEPT_MS = 24 * 3_600_000;
const READS_MAX = 12;

/**
 * Imports as jobs: check, plan when somebody asked for one, apply. Those of one workspace run one
 * after the other in the order of their sending, so that files never overtake each other.
 */
export function createImportKind(deps: ImportDeps): JobKind<ImportJob> {
  const spans = createSpanLoader();
  return {
    kind: IMPORT_KIND,
    slotsPerProcess: 2,
    slotsPerWorkspace: 1,
    isSerialPerWorkspace: true,
    step: (job, tools) => takeStep(deps, spans, job, tools),
    async finish(job, tools) {
      spans.forget(job.jobId);
      await finishImport(job, tools);
    },
  };
}

async function takeStep(
  deps: ImportDeps,
  spans: SpanLoader,
  job: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<StepResult<ImportJob>> {
  if (job.phase === null) return await checkStep(deps, job, tools);
  const shards = spanAt(requireCursor(job), job.args.mode);
  const isPlan = job.phase === "plan";
  for (let read = 1;; read++) {
    try {
      const span = shards.length === 0 ? null : await spans.load(job, tools, shards);
      if (span === null && !isPlan) return { end: { status: "succeeded" } };
      const result = await (span === null || isPlan
        ? planStep(deps, job, tools, span)
        : applyStep(deps, job, tools, span));
      spans.expect(job, result.cursor);
      return result;
    } catch (error) {
      if (!(error instanceof StaleBatch) || read === READS_MAX) throw error;
      spans.forget(job.jobId);
    }
  }
}

/**
 * One audit row and one event for what changed the catalogue; what the job needed to work is
 * cleared away.
 */
async function finishImport(job: ImportJob, tools: JobTools): Promise<void> {
  const { args, jobId, status, stats } = job;
  if (keepsUpload(job)) {
    await keepBlob(tools.write, tools, args.blobId, new Date(tools.now().getTime() + KEPT_MS));
  } else await dropBlob(tools.write, tools, args.blobId);
  const clearing = { kind: CLEARING_KIND, args: { jobId }, stats: NO_CLEARING_STATS };
  addJob(tools.write, tools, clearing);
  if (job.error?.code === CRASH_LOOP) {
    const fault = { code: CRASH_LOOP, line: null, message: job.error.message } as const;
    saveFinding(tools.write, tools.workspaceId, jobId, fileFinding("error", null, fault), 0);
  }
  if (args.isDryRun) return;
  addAuditRow(tools.write, tools, {
    action: "import.finish",
    resource: { type: "import", id: jobId, label: args.label },
    before: null,
    after: { status, mode: args.mode, ...stats, ...(job.error ? { error: job.error.code } : {}) },
  });
  announceEnd(job, tools);
}

function announceEnd(job: ImportJob, tools: JobTools): void {
  const { args: { label, mode }, jobId, status, hasErrors, stats, error } = job;
  if (status === "queued" || status === "running") return;
  const { errorCount: _errors, warningCount: _warnings, ...counts } = stats;
  const errorCode = error?.code ?? null;
  const data = { jobId, status, hasErrors, label, mode, stats: counts, errorCode };
  announce(tools.write, tools, [{ type: "import.finished", data }]);
}
