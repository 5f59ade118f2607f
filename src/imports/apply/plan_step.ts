import assert from "node:assert/strict";
import { blankCompetitor } from "../../competitors/competitor.ts";
import type { CompetitorSet } from "../../competitors/competitor_store.ts";
import type { ImportHold, Workspace } from "../../identity/workspace.ts";
import { requireWorkspace } from "../../identity/workspace_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { addCosts, shareOfCommit } from "../../platform/store/kv.ts";
import type { ImportDeps } from "./import_deps.ts";
import {
  addStats,
  countOf,
  type ImportCursor,
  type ImportJob,
  type ImportPlan,
  type ImportStats,
  NO_IMPACT,
} from "../state/import_job.ts";
import { saveReportRow } from "../state/import_row_store.ts";
import { type Batch, readBatch } from "./batch.ts";
import { endPlan } from "./end_plan.ts";
import { addToHold, createHoldTally, lossesOf } from "./hold.ts";
import { newIds } from "./new_ids.ts";
import { addToImpact, fieldChanges } from "./plan_impact.ts";
import { costOfNotes, type RecordNote, saveNotes } from "./record_note.ts";
import { missingFrom } from "./remove_missing.ts";
import { bringsPrice } from "../records/record_line.ts";
import { decideRecord, type RecordOutcome } from "./decide_record.ts";
import {
  countNotes,
  reportDuplicates,
  type ResolvedRecord,
  resolveRecord,
} from "./resolve_record.ts";
import type { Span, Winner } from "./span.ts";
import { afterRecords, afterSpan, requireCursor } from "./walk.ts";

/** Field changes and removals that a report shows (docs/decisions/imports.md, "Dry run"). */
const REPORT_ROWS_MAX = 200;
/** One of 100 prices and 100 findings still fits. */
const NEXT_RECORD = shareOfCommit(0.5);

/**
 * Goes the way of the application without writing a product: for a dry run, for the hold and for the
 * guard of `replace`. `span` is null when every shard was looked at.
 */
export async function planStep(
  deps: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span | null,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  if (requirePlan(cursor).hold === undefined) return await beginAgain(job, tools);
  if (span === null) return endPlan(job, tools);
  if (cursor.removedUpTo !== null) return planRemovals(job, tools, span);
  const batch = await readBatch(deps, job, tools, span, cursor.position);
  return job.args.isDryRun
    ? await planRecords(job, tools, span, batch)
    : judgeRecords(job, tools, span, batch);
}

/** A plan before its first record. */
export function emptyPlan(checked: ImportStats, bounds: ImportHold | null): ImportPlan {
  return {
    stats: checked,
    importMade: 0,
    missing: 0,
    hold: bounds && createHoldTally(bounds),
    changes: 0,
    removals: 0,
    impact: NO_IMPACT,
  };
}

/** An earlier version began the plan and counted other things; its rows are written over. */
async function beginAgain(
  job: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const { importHold } = await requireWorkspace(tools);
  const plan = emptyPlan(cursor.checked, importHold);
  return stepOf(job, { ...cursor, shard: 0, position: 0, removedUpTo: null, plan });
}

function requirePlan({ plan }: ImportCursor): ImportPlan {
  assert(plan, "A plan has no figures");
  return plan;
}

async function planRecords(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
  batch: Batch,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const workspace = await requireWorkspace(tools);
  const competitors = withUnknown(batch);
  const idOf = newIds(job, tools);
  const notes: RecordNote[] = [];
  const warnsBeyondPct = cursor.warnsBeyondPct ?? null;
  let plan = requirePlan(cursor);
  let position = cursor.position;
  for (const { winner, touched } of batch.records) {
    if (!tools.write.fits(addCosts(NEXT_RECORD, costOfNotes(notes.length)))) break;
    if (touched === null) {
      const stats = addStats(plan.stats, { skipped: 1 });
      plan = withHold({ ...plan, stats }, span, winner, null);
    } else {
      // Links are counted and not written, so that all of a record fit.
      const linksMax = Infinity;
      const rest = { isCounted: false, linksMax, warnsBeyondPct };
      const question = { job, tools, batch, competitors, idOf, ...rest };
      const resolved = await resolveRecord(question, touched);
      plan = countResolved(job, tools, workspace, plan, resolved);
      plan = withHold(plan, span, winner, resolved.outcome);
      notes.push(...resolved.notes);
    }
    const duplicates = reportDuplicates(winner);
    notes.push(...duplicates.notes);
    const stats = addStats(addStats(plan.stats, duplicates.stats), countNotes(duplicates.notes));
    plan = { ...plan, stats };
    position++;
  }
  // What a plan before the real thing finds, the real thing finds again.
  if (job.args.isDryRun) await saveNotes(tools.write, tools, job.jobId, notes);
  const next = afterRecords(cursor, span, position, job.args.mode === "replace");
  return stepOf(job, { ...next, plan });
}

function stepOf(job: ImportJob, cursor: ImportCursor): StepResult<ImportJob> {
  const { stats } = requirePlan(cursor);
  return {
    cursor,
    progress: { processed: countOf(stats), total: cursor.records },
    ...(job.args.isDryRun ? { stats } : {}),
    ...(job.args.isDryRun && stats.errors > 0 ? { hasErrors: true } : {}),
  };
}

/** Shops that nobody knows are only made by the real thing. */
function withUnknown({ records, competitors }: Batch): CompetitorSet | null {
  if (competitors === null) return null;
  const byId = new Map(competitors.byId);
  const byDomain = new Map(competitors.byDomain);
  for (const { touched } of records) {
    for (const { domain } of touched?.wanted ?? []) {
      if (byDomain.has(domain)) continue;
      const unknown = blankCompetitor({ id: domain, domain, createdAt: "" });
      byDomain.set(domain, unknown);
      byId.set(domain, unknown);
    }
  }
  return { ...competitors, byId, byDomain };
}

function countResolved(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  workspace: Workspace,
  plan: ImportPlan,
  resolved: ResolvedRecord,
): ImportPlan {
  const { outcome, notes } = resolved;
  const stats = addStats(addStats(plan.stats, resolved.stats), countNotes(notes));
  const counted = { ...plan, stats };
  if (outcome.kind !== "updated" && outcome.kind !== "deleted") return counted;
  const { before, after } = outcome;
  const changes = report(job, tools, plan.changes, before, after);
  if (outcome.kind === "deleted") return { ...counted, changes };
  return { ...counted, changes, impact: addToImpact(plan.impact, before, after, workspace) };
}

/**
 * The records of a span as far as the guards ask for them: what the file makes new is passed over.
 */
function judgeRecords(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
  batch: Batch,
): StepResult<ImportJob> {
  const cursor = requireCursor(job);
  const { mode, setting: { currency } } = job.args;
  let plan = requirePlan(cursor);
  for (const { winner, touched } of batch.records) {
    const setting = { mode, now: tools.now(), currency };
    const outcome = touched && decideRecord(touched.patch, touched.before, setting, () => "");
    const stats = addStats(plan.stats, { skipped: 1 + winner.losers });
    plan = withHold({ ...plan, stats }, span, winner, outcome);
  }
  const position = cursor.position + batch.records.length;
  const next = afterRecords(cursor, span, position, mode === "replace");
  return stepOf(job, { ...next, plan });
}

/**
 * The plan with one more SKU of the file in its tally; `outcome` is null for one that was passed
 * over.
 */
function withHold(
  plan: ImportPlan,
  { cards }: Span,
  winner: Winner,
  outcome: RecordOutcome | null,
): ImportPlan {
  if (!plan.hold || !(bringsPrice(winner) || takesPrice(outcome))) return plan;
  if (outcome === null) {
    if (!cards.has(winner.sku)) return plan;
    return { ...plan, hold: addToHold(plan.hold, null, null) };
  }
  if (outcome.kind !== "updated" && outcome.kind !== "unchanged") return plan;
  const after = outcome.kind === "updated" ? outcome.after : null;
  return { ...plan, hold: addToHold(plan.hold, outcome.before, after) };
}

function takesPrice(outcome: RecordOutcome | null): boolean {
  return outcome?.kind === "updated" && lossesOf(outcome.before, outcome.after).length > 0;
}

/** Adds the field changes to the report while it has room; answers how many rows it has. */
function report(
  { args, jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  rows: number,
  ...[before, after]: Parameters<typeof fieldChanges>
): number {
  if (!args.isDryRun) return rows;
  let count = rows;
  for (const change of fieldChanges(before, after)) {
    if (count === REPORT_ROWS_MAX) break;
    saveReportRow(tools.write, tools.workspaceId, jobId, count++, { change });
  }
  return count;
}

/** What `replace` would remove from the span, and how much of what imports made that is. */
function planRemovals(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
): StepResult<ImportJob> {
  const cursor = requireCursor(job);
  const plan = requirePlan(cursor);
  const missing = missingFrom(span);
  let removals = plan.removals;
  for (const { sku, card } of missing) {
    if (!job.args.isDryRun || removals === REPORT_ROWS_MAX) break;
    const removal = { sku, productId: card.id };
    saveReportRow(tools.write, tools.workspaceId, job.jobId, removals++, { removal });
  }
  const importMade = span.cards.values()
    .filter(({ isFromImport, isDeleted }) => isFromImport && !isDeleted)
    .reduce((count) => count + 1, 0);
  const next: ImportPlan = {
    ...plan,
    stats: addStats(plan.stats, { removed: missing.length }),
    importMade: plan.importMade + importMade,
    missing: plan.missing + missing.length,
    removals,
  };
  return stepOf(job, { ...afterSpan(cursor, span), plan: next });
}
