import assert from "node:assert/strict";
import type { Workspace } from "../../accounts/workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { CardPrices, PricedProduct } from "../../catalogue/products/card.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { addCosts, shareOfCommit } from "../../platform/store/kv.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { blankCompetitor, freeColours } from "../../shops/competitor.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import { bringsPrice, patchOf, writtenOf } from "../records/record_line.ts";
import { type FieldChange, NO_IMPACT } from "../state/import_figures.ts";
import {
  addStats,
  countOf,
  type HoldTally,
  type ImportCursor,
  type ImportJob,
  type ImportPlan,
  type ImportStats,
} from "../state/import_job.ts";
import { saveReportRow } from "../state/import_row_store.ts";
import { type HoldTerms, holdTermsOf } from "../state/source_store.ts";
import { isMadeBy, missingFrom } from "./apply_step.ts";
import { type Batch, readBatch } from "./batch.ts";
import { isSkipped, judgeRecord, type RecordOutcome } from "./decide_record.ts";
import { endPlan } from "./guards.ts";
import { addToHold, addToWhole, createHoldTally, lossesOf, SAMPLES_MAX } from "./hold.ts";
import type { ImportDeps } from "./import_deps.ts";
import { changedProduct, isSame } from "./patched_product.ts";
import { addToImpact, fieldChanges, salesChanges } from "./plan_impact.ts";
import { addFactor, NO_UNITS } from "./price_units.ts";
import {
  costOfNotes,
  countNotes,
  type RecordNote,
  reportDuplicates,
  type ResolvedRecord,
  resolveRecord,
  salesLeftOf,
  saveNotes,
  soldDaysIn,
} from "./resolve_record.ts";
import { afterRecords, afterSpan, newIds, requireCursor, type Span } from "./span.ts";
import type { Winner } from "./winners.ts";

/** Field changes, new products and removals that a report shows (docs/decisions/imports.md, "Dry run"). */
const REPORT_ROWS_MAX = 200;
/** A step of the guards looks at so many records: nothing is read or written for one of them. */
const JUDGED_MAX = 4_000;
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
  const isCounting = job.args.isDryRun || requirePlan(cursor).hold?.whole !== undefined;
  if (!isCounting) return await judgeRecords(job, await requireWorkspace(tools), span);
  const batch = await readBatch(deps, job, tools, span, cursor.position);
  return job.args.isDryRun
    ? await planRecords(job, tools, span, batch)
    : judgeWhole(job, await requireWorkspace(tools), span, batch);
}

/** A plan before its first record. */
export function emptyPlan(
  checked: ImportStats,
  { bounds, isFirst }: HoldTerms,
  units = NO_UNITS,
): ImportPlan {
  return {
    stats: checked,
    importMade: 0,
    missing: 0,
    missingSkus: [],
    hold: bounds && createHoldTally(bounds, isFirst),
    units,
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
  const terms = await holdTermsOf(tools, job.args.source);
  const plan = emptyPlan(cursor.checked, terms, cursor.plan?.units);
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
      const sales = salesLeftOf(winner, span, batch);
      const stats = addStats(plan.stats, { skipped: 1, soldDays: soldDaysIn(sales) });
      const changes = report(job, tools, plan.changes, salesChanges(winner.sku, sales));
      const counted = { ...plan, stats, changes };
      plan = withWhole(withHold(counted, span, winner, null), winner, "left");
    } else {
      // Links are counted and not written, so that all of a record fit.
      const linksMax = Infinity;
      const rest = { isCounted: false, linksMax, warnsBeyondPct };
      const question = { job, tools, batch, competitors, idOf, ...rest };
      const resolved = await resolveRecord(question, touched);
      plan = countResolved(job, tools, workspace, plan, resolved);
      plan = withHold(plan, span, winner, resolved.outcome);
      plan = withWhole(plan, winner, FATES[resolved.outcome.kind]);
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
  const colours = freeColours(competitors.byId.values());
  for (const { touched } of records) {
    for (const { domain } of touched?.wanted ?? []) {
      if (byDomain.has(domain)) continue;
      const unknown = blankCompetitor({
        id: domain,
        domain,
        colour: colours.next().value,
        createdAt: "",
      });
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
  const { outcome, notes, sales, record } = resolved;
  const stats = addStats(addStats(plan.stats, resolved.stats), countNotes(notes));
  const isChanged = outcome.kind === "updated" || outcome.kind === "deleted";
  const differences = [
    ...(isChanged
      ? withWritten(fieldChanges(outcome.before, outcome.after, workspace), record.winner)
      : []),
    ...(outcome.kind === "inserted" ? [] : salesChanges(record.winner.sku, sales)),
  ];
  const changes = report(job, tools, plan.changes, differences);
  const counted = { ...plan, stats, changes };
  if (outcome.kind === "inserted") return withAddition(job, tools, counted, outcome.after);
  if (outcome.kind !== "updated") return counted;
  const { before, after } = outcome;
  return { ...counted, impact: addToImpact(plan.impact, before, after, workspace) };
}

/** Beside a new value stands what the file says, where that reads otherwise. */
function withWritten(differences: readonly FieldChange[], winner: Winner): FieldChange[] {
  const texts = new Map(Object.entries(writtenOf(winner)));
  return differences.map((change) => {
    const written = texts.get(change.field);
    return written === undefined ? change : { ...change, written };
  });
}

/**
 * The records of a span as far as the guards ask for them: what the file makes new is passed over, and
 * of what there is the cards say the prices.
 */
async function judgeRecords(
  job: ImportJob,
  workspace: Workspace,
  span: Span,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const { mode } = job.args;
  let plan = requirePlan(cursor);
  let skipped = 0;
  let position = cursor.position;
  const slice = new TimeSlice();
  for (const upTo = position + JUDGED_MAX; position < upTo;) {
    const winner = span.winners.at(position);
    if (winner === undefined) break;
    skipped += 1 + winner.losers;
    position++;
    const card = span.cards.get(winner.sku);
    if (isSkipped(mode, winner.hash, card)) plan = withHold(plan, span, winner, null);
    else if (card) plan = withCard(plan, winner, card.prices, workspace);
    await slice.yield();
  }
  plan = { ...plan, stats: addStats(plan.stats, { skipped }) };
  const next = afterRecords(cursor, span, position, mode === "replace");
  return stepOf(job, { ...next, plan });
}

/** The plan with one more product that the file may change, as far as its prices go. */
function withCard(
  plan: ImportPlan,
  winner: Winner,
  before: CardPrices,
  workspace: Workspace,
): ImportPlan {
  const after = plan.hold && judgeRecord(patchOf(winner), before);
  if (!after) return plan;
  const { sku } = winner;
  const [from, to] = [{ sku, ...before }, { sku, ...after }];
  const impact = addToImpact(plan.impact, from, to, workspace);
  return { ...withMove(plan, winner, from, to), impact };
}

/**
 * The records of a span where the guards ask besides how many products the file changes and how many it
 * makes: that takes the products themselves.
 */
function judgeWhole(
  job: ImportJob,
  workspace: Workspace,
  span: Span,
  batch: Batch,
): StepResult<ImportJob> {
  const cursor = requireCursor(job);
  let plan = requirePlan(cursor);
  let skipped = 0;
  for (const { winner, touched } of batch.records) {
    skipped += 1 + winner.losers;
    const before = touched?.before ?? null;
    const changed = before && touched && !touched.patch.isDeleted
      ? changedProduct(before, touched.patch)
      : null;
    if (touched === null) {
      const fate = unreadFate(job, span, winner, plan.hold);
      plan = withWhole(withHold(plan, span, winner, null), winner, fate);
    } else if (before && changed && !("refused" in changed)) {
      const after = changed.product;
      plan = withMove(plan, winner, before, after);
      plan = withWhole(plan, winner, isSame(before, after) ? "left" : "changed");
      plan = { ...plan, impact: addToImpact(plan.impact, before, after, workspace) };
    } else {
      const isGoing = touched.patch.isDeleted && before?.deletedAt === null;
      plan = withWhole(plan, winner, isGoing ? "changed" : "left");
    }
  }
  plan = { ...plan, stats: addStats(plan.stats, { skipped }) };
  const position = cursor.position + batch.records.length;
  const next = afterRecords(cursor, span, position, job.args.mode === "replace");
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
  if (outcome?.kind === "updated") return withMove(plan, winner, outcome.before, outcome.after);
  if (outcome?.kind === "unchanged") return withMove(plan, winner, outcome.before, outcome.before);
  if (outcome !== null || !plan.hold || !bringsPrice(winner)) return plan;
  return cards.has(winner.sku) ? { ...plan, hold: addToHold(plan.hold, null, null) } : plan;
}

const FATES = {
  inserted: "created",
  updated: "changed",
  deleted: "changed",
  unchanged: "left",
  skipped: "left",
  refused: "left",
} as const satisfies Record<RecordOutcome["kind"], Parameters<typeof addToWhole>[2]>;

/** What becomes of a record that nobody looks at: new with a title, or left alone. */
function unreadFate(
  { args }: ImportJob,
  { cards }: Span,
  winner: Winner,
  hold: HoldTally | null | undefined,
): "created" | "left" {
  const isAsked = hold?.whole && args.mode !== "update" && !cards.has(winner.sku);
  if (!isAsked) return "left";
  const { title, isDeleted } = patchOf(winner);
  return title === undefined || isDeleted ? "left" : "created";
}

function withWhole(
  plan: ImportPlan,
  { sku }: Winner,
  fate: Parameters<typeof addToWhole>[2],
): ImportPlan {
  return plan.hold?.whole ? { ...plan, hold: addToWhole(plan.hold, sku, fate) } : plan;
}

/** The plan with one more product, where the file brings its price or cost or takes one away. */
function withMove(
  plan: ImportPlan,
  winner: Winner,
  before: PricedProduct,
  after: PricedProduct,
): ImportPlan {
  if (!plan.hold) return plan;
  if (!bringsPrice(winner) && lossesOf(before, after).length === 0) return plan;
  const units = plan.units && addFactor(plan.units, before, after);
  return { ...plan, ...(units && { units }), hold: addToHold(plan.hold, before, after) };
}

/** Adds the differences to the report while it has room; answers how many rows it has. */
function report(
  { args, jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  rows: number,
  differences: readonly FieldChange[],
): number {
  if (!args.isDryRun) return rows;
  let count = rows;
  for (const row of differences) {
    if (count === REPORT_ROWS_MAX) break;
    saveReportRow(tools.write, tools.workspaceId, jobId, { kind: "change", n: count++, row });
  }
  return count;
}

/** The plan with one more new product in its report, while that has room. */
function withAddition(
  { args, jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  plan: ImportPlan,
  { sku, title, ourPriceCents, currency }: Product,
): ImportPlan {
  const { additions = 0 } = plan;
  if (!args.isDryRun || additions === REPORT_ROWS_MAX) return plan;
  const row = { sku, title, priceCents: ourPriceCents, currency };
  const added = { kind: "addition", n: additions, row } as const;
  saveReportRow(tools.write, tools.workspaceId, jobId, added);
  return { ...plan, additions: additions + 1 };
}

/** What `replace` would remove from the span, and how much of what imports made that is. */
function planRemovals(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
): StepResult<ImportJob> {
  const cursor = requireCursor(job);
  const plan = requirePlan(cursor);
  const missing = missingFrom(span, job.args.source);
  let removals = plan.removals;
  for (const { sku, card } of missing) {
    if (!job.args.isDryRun || removals === REPORT_ROWS_MAX) break;
    const removal = { kind: "removal", n: removals++, row: { sku, productId: card.id } } as const;
    saveReportRow(tools.write, tools.workspaceId, job.jobId, removal);
  }
  const importMade = span.cards.values()
    .filter((card) => isMadeBy(card, job.args.source) && !card.isDeleted)
    .reduce((count) => count + 1, 0);
  const next: ImportPlan = {
    ...plan,
    stats: addStats(plan.stats, { removed: missing.length }),
    importMade: plan.importMade + importMade,
    missing: plan.missing + missing.length,
    missingSkus: [...plan.missingSkus ?? [], ...missing.map(({ sku }) => sku)].slice(
      0,
      SAMPLES_MAX,
    ),
    removals,
  };
  return stepOf(job, { ...afterSpan(cursor, span), plan: next });
}
