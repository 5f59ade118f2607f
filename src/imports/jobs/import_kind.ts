/**
 * Runs imports and undos as jobs. At its end, each job writes an audit row and an event, unless it
 * was a dry run.
 */
import {
  arrivalCounts,
  awaitsAny,
  queuedArrivals,
} from "../../catalogue/prices/awaited_price_store.ts";
import type { Job, JobKind, JobTools, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { dropBlob, keepBlob, sweepBlobs } from "../../platform/store/spool.ts";
import {
  CRASH_LOOP,
  IMPORT_KIND,
  type ImportJob,
  isUndo,
  keepsUpload,
  type QueuedImport,
} from "../state/import_job.ts";
import { appliers, clearImport, saveFinding } from "../state/import_row_store.ts";
import { undoers } from "../state/undo_store.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { addJob } from "../../platform/jobs/job_store.ts";
import { applyStep } from "../apply/apply_step.ts";
import { endPlan, planStep } from "../apply/plan_step.ts";
import { type ImportDeps, requireCursor, spanAt, SpanLoader, StaleBatch } from "../apply/span.ts";
import { checkStep } from "../apply/check_step.ts";
import { undoStep } from "../apply/undo_step.ts";
import { fileFinding } from "../files/source_file.ts";
import { KEPT_HOURS } from "../choices.ts";
import { DEFAULT_SOURCE } from "../state/import_source.ts";
import { findLastImportOf, findSource, lastImports } from "../state/sources.ts";

/** A workspace's jobs run one by one in upload order, so no old file overwrites a newer one. */
export function createImportKind(deps: ImportDeps): JobKind<QueuedImport> {
  const spans = new SpanLoader();
  return {
    kind: IMPORT_KIND,
    slotsPerProcess: 2,
    isSerialPerWorkspace: true,
    step: (job, tools) => isUndo(job) ? undoStep(job, tools) : takeStep(deps, spans, job, tools),
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
  if (shards.length === 0) return isPlan ? endPlan(job, tools) : { end: { status: "succeeded" } };
  for (let read = 1;; read++) {
    try {
      const step = { deps, job, tools, span: await spans.load(job, tools, shards) };
      const result = await (isPlan ? planStep(step) : applyStep(step));
      spans.expect(job, result.cursor);
      return result;
    } catch (error) {
      if (!(error instanceof StaleBatch) || read === 12) throw error;
      spans.forget(job.jobId);
    }
  }
}

async function finishImport(job: QueuedImport, tools: JobTools): Promise<void> {
  const { args, jobId, status, stats } = job;
  if (!isUndo(job)) await finishUpload(job, tools);
  if (job.error?.code === CRASH_LOOP) {
    const fault = { code: CRASH_LOOP, line: null, message: job.error.message } as const;
    saveFinding(tools.write, tools, jobId, fileFinding("error", null, fault), 0);
  }
  if (args.isDryRun) return;
  if (!isUndo(job)) await noteEnd(job, tools);
  const error = job.error ? { error: job.error.code } : {};
  if (!isUndo(job) && status === "succeeded" && args.mode !== "insert" && await awaitsAny(tools)) {
    queuedArrivals.put(tools.write, tools, { jobId });
  }
  addAuditRow(tools.write, tools, {
    action: isUndo(job) ? "import.undo" : "import.finish",
    resource: { type: "import", id: jobId, label: args.label },
    reason: job.args.reason ?? null,
    after: isUndo(job) ? { status, undoes: job.args.undoes, ...job.cursor?.counts, ...error } : {
      status,
      mode: args.mode,
      ...(job.args.source === undefined ? {} : { source: job.args.source }),
      ...stats,
      ...error,
    },
  });
  publishEnd(job, tools);
}

async function noteEnd(
  { args, jobId, status, error, finishedAt, createdAt }: ImportJob,
  tools: JobTools,
): Promise<void> {
  const id = args.source ?? DEFAULT_SOURCE;
  if (await findSource(tools, id) === null) return;
  const before = await findLastImportOf(tools, id);
  const endedAt = finishedAt ?? createdAt;
  const succeededAt = status === "succeeded" ? endedAt : before?.succeededAt ?? null;
  const errorCode = error?.code ?? null;
  const last = { jobId, status, errorCode, finishedAt: endedAt, succeededAt };
  lastImports.put(tools.write, tools, { ...last, sourceId: id });
}

async function finishUpload(job: ImportJob, tools: JobTools): Promise<void> {
  const { args: { blobId }, jobId } = job;
  if (keepsUpload(job)) {
    const keptUntil = new Date(tools.now().getTime() + KEPT_HOURS * 3_600_000);
    await keepBlob(tools.write, tools, blobId, keptUntil);
  } else await dropBlob(tools.write, tools, blobId);
  addJob(tools.write, tools, { kind: CLEARING_KIND, args: { jobId }, stats: {} });
}

function publishEnd(job: QueuedImport, tools: JobTools): void {
  const { args: { label, mode }, jobId, status, hasErrors, stats, error } = job;
  if (status === "queued" || status === "running") return;
  const { errorCount: _errors, warningCount: _warnings, ...counts } = stats;
  const errorCode = error?.code ?? null;
  const undoes = isUndo(job) ? job.args.undoes : null;
  const data = { jobId, status, hasErrors, label, mode, stats: counts, errorCode, undoes };
  publish(tools.write, tools, [{ type: "import.finished", data }]);
}

const CLEARING_KIND = "import_clearing";

type ClearingJob = Job<{ readonly jobId: string }, number, Record<string, never>>;

export function createClearingKind(): JobKind<ClearingJob> {
  return {
    kind: CLEARING_KIND,
    async step({ args }, tools) {
      await clearImport(tools, args.jobId, "work", (effects) => tools.checkpoint({}, effects));
      await sweepBlobs(tools.store, tools.now());
      return { end: { status: "succeeded" } };
    },
  };
}

export async function removeImport(store: Store, job: Job): Promise<void> {
  if (job.kind !== IMPORT_KIND) return;
  const { workspaceId, jobId } = job;
  await clearImport({ store, workspaceId }, jobId, "whole", async (effects) => {
    await transact({ store }, effects);
  });
  await transact({ store }, (write) => {
    appliers.drop(write, { workspaceId }, { jobId });
    undoers.drop(write, { workspaceId }, { jobId });
    arrivalCounts.drop(write, { workspaceId }, { jobId });
    queuedArrivals.drop(write, { workspaceId }, { jobId });
  });
}
