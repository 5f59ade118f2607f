/**
 * Applies an import, or plans it without writing products. Each commit also stores how far the job
 * has come. A commit fails if another writer has meanwhile changed the same shards (parts of the
 * catalogue).
 */
import { type BroughtPrice, noteBrought } from "../../catalogue/prices/awaited_price_store.ts";
import { batchesOf } from "../../base/collections.ts";
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import type { StepResult } from "../../platform/jobs/job.ts";
import { transact } from "../../platform/store/kv.ts";
import {
  addStats,
  countOf,
  type FieldChange,
  type ImportCursor,
  type ImportJob,
  type ImportPlan,
  type ImportStats,
  NO_IMPACT,
  type ReportEntry,
} from "../state/import_job.ts";
import {
  afterRecords,
  afterSpan,
  type Batch,
  type ImportStep,
  requireCursor,
  type Span,
  StaleBatch,
} from "./span.ts";
import { BatchCommit } from "./batch_commit.ts";
import { deletedProduct, type RecordOutcome } from "./decide_record.ts";
import { hasRoom, type RecordSink, type ResolvedRecord, walkRecords } from "./resolve_record.ts";
import assert from "node:assert/strict";
import { blankCompetitor, type CompetitorSet, freeColours } from "../../shops/competitor_store.ts";
import { bringsPrice, patchOf, type RecordLine, writtenOf } from "../records/record_patch.ts";
import { excludedMark, reportRows } from "../state/import_row_store.ts";
import type { HoldTerms } from "../state/sources.ts";
import { addFactor, createPriceUnits } from "./guards.ts";
import {
  addToHold,
  addToImpact,
  addToWhole,
  createHoldCounters,
  fieldChanges,
  lossesOf,
  salesChanges,
  SAMPLES_MAX,
} from "./hold.ts";

/** `mentioned` also has the SKUs of refused records, so their products are not deleted. */
function missingFrom(
  { indexRows, winners, excluded }: Pick<Span, "indexRows" | "winners" | "excluded">,
  source: string | undefined,
): { readonly sku: string; readonly indexRow: IndexRow }[] {
  return [...indexRows].filter(([sku, indexRow]) =>
    isMadeBy(indexRow, source) && !indexRow.isDeleted && !winners.mentioned.has(sku) &&
    (excluded.size === 0 || !excluded.has(excludedMark(sku)))
  ).map(([sku, indexRow]) => ({ sku, indexRow })).sort((a, b) => a.sku < b.sku ? -1 : 1);
}

function isMadeBy(
  { isFromImport, importSource }: Pick<IndexRow, "isFromImport" | "importSource">,
  source: string | undefined,
): boolean {
  return isFromImport && importSource === (source ?? null);
}

async function removeMissing(step: ImportStep): Promise<StepResult<ImportJob>> {
  const { job, tools, span } = step;
  const cursor = requireCursor(job);
  const upTo = cursor.removedUpTo ?? "";
  const left = missingFrom(span, job.args.source).filter(({ sku }) => sku > upTo);
  const chosen = left.slice(0, 80);
  const documents = await findDocuments(tools, chosen.map(({ indexRow }) => indexRow.id));
  if (documents.length < chosen.length) throw new StaleBatch();
  const commit = new BatchCommit(step);
  let removed = 0;
  for (const [position, { indexRow }] of chosen.entries()) {
    const found = documents[position];
    if (!found || !hasRoom(tools.write, { bytes: commit.pendingBytes })) break;
    const before = parseProduct(found.bytes);
    commit.remove(before, deletedProduct(before, tools.now()), indexRow);
    removed++;
  }
  span.versionCounters.check(tools, await commit.close());
  const isOver = removed === left.length;
  const last = chosen[removed - 1]?.sku ?? upTo;
  const { undoRows: undo } = commit;
  const moved = { ...cursor, undo };
  return {
    cursor: isOver ? afterSpan(moved, span) : { ...moved, removedUpTo: last },
    stats: addStats(job.stats, { removed }),
  };
}

const ROWS_PER_COMMIT = 100;

/** `noteSeenPrices` must run before the products of the import are written. */
async function noteSeenPrices(
  { job: { jobId }, tools, span }: ImportStep,
  brought: readonly BroughtPrice[],
): Promise<void> {
  const awaited = brought.filter(({ productId }) => span.awaited.has(productId));
  for await (const part of batchesOf(awaited, ROWS_PER_COMMIT)) {
    await transact(tools, (write) => noteBrought(write, tools, jobId, part));
  }
}

export async function applyStep(step: ImportStep): Promise<StepResult<ImportJob>> {
  const isRemoving = requireCursor(step.job).removedUpTo !== null;
  return await (isRemoving ? removeMissing(step) : applyRecords(step));
}

async function applyRecords(step: ImportStep): Promise<StepResult<ImportJob>> {
  const { job, tools, span } = step;
  const cursor = requireCursor(job);
  const commit = new BatchCommit(step);
  const { position, isCounted, stats } = await walkRecords(step, commit);
  await noteSeenPrices(step, commit.brought);
  span.versionCounters.check(tools, await commit.close());
  const { impact, undoRows: undo } = commit;
  const moved = { ...cursor, impact, undo };
  const next = afterRecords(moved, span, position, job.args.mode === "replace");
  return {
    cursor: isCounted ? { ...next, isCounted } : next,
    stats,
    progress: { processed: countOf(stats), total: cursor.records },
    ...(stats.errors > 0 ? { hasErrors: true } : {}),
  };
}

export async function planStep(step: ImportStep): Promise<StepResult<ImportJob>> {
  const { job, span } = step;
  const cursor = requireCursor(job);
  const sink = new PlanSink(step);
  if (cursor.removedUpTo !== null) {
    sink.addMissing();
    return stepOf(job, afterSpan(cursor, span), sink.plan);
  }
  const { position, stats } = await walkRecords(step, sink);
  const next = afterRecords(cursor, span, position, job.args.mode === "replace");
  return stepOf(job, next, { ...sink.plan, stats });
}

export function emptyPlan(
  checked: ImportStats,
  { bounds, isFirst }: HoldTerms,
  units = createPriceUnits(),
): ImportPlan {
  return {
    stats: checked,
    importMade: 0,
    missing: 0,
    missingSkus: [],
    hold: bounds && createHoldCounters(bounds, isFirst),
    units,
    changes: 0,
    additions: 0,
    removals: 0,
    impact: NO_IMPACT,
  };
}

function stepOf(job: ImportJob, cursor: ImportCursor, plan: ImportPlan): StepResult<ImportJob> {
  const { stats } = plan;
  return {
    cursor: { ...cursor, plan },
    progress: { processed: countOf(stats), total: cursor.records },
    ...(job.args.isDryRun ? { stats } : {}),
    ...(job.args.isDryRun && stats.errors > 0 ? { hasErrors: true } : {}),
  };
}

const EFFECTS = {
  inserted: "created",
  updated: "changed",
  deleted: "changed",
  unchanged: "left",
  skipped: "left",
  refused: "left",
} as const satisfies Record<RecordOutcome["kind"], Parameters<typeof addToWhole>[2]>;

const COUNTS = { change: "changes", addition: "additions", removal: "removals" } as const;

class PlanSink implements RecordSink {
  readonly plan: ImportPlan;
  readonly competitorsOf = withUnknown;
  readonly pendingBytes = 0;
  readonly #step: ImportStep;

  constructor(step: ImportStep) {
    const { plan } = requireCursor(step.job);
    assert(plan, "A plan has no figures");
    this.plan = structuredClone(plan);
    this.#step = step;
  }

  put({ winner, patch, outcome, sales, indexRow }: ResolvedRecord): void {
    const { hold } = this.plan;
    const { indexRows, workspace } = this.#step.span;
    if (patch === null) {
      this.#report(changeRows(salesChanges(winner.sku, sales)), winner.index);
      if (!hold) return;
      if (bringsPrice(winner) && indexRows.has(winner.sku)) hold.products++;
      if (hold.whole) addToWhole(hold.whole, winner.sku, this.#unreadEffect(winner));
      return;
    }
    if (outcome.kind === "updated" || outcome.kind === "deleted") {
      const changes = fieldChanges(outcome.before, outcome.after, workspace);
      this.#report(changeRows(withWritten(changes, winner)), winner.index);
    }
    if (outcome.kind === "inserted") {
      const { sku, title, ourPriceCents: priceCents, currency } = outcome.after;
      const row = { sku, title, priceCents, currency };
      this.#report([{ kind: "addition", row }], winner.index);
    } else this.#report(changeRows(salesChanges(winner.sku, sales)), winner.index);
    if (outcome.kind === "deleted" && indexRow && isMadeBy(indexRow, this.#step.job.args.source)) {
      this.#countMissing([winner.sku]);
    }
    if (outcome.kind === "updated") this.move(winner, outcome.before, outcome.after);
    if (outcome.kind === "unchanged") this.move(winner, outcome.before, outcome.before);
    if (hold?.whole) addToWhole(hold.whole, winner.sku, EFFECTS[outcome.kind]);
  }

  move(winner: RecordLine, before: Product, after: Product): void {
    const { hold, units, impact } = this.plan;
    addToImpact(impact, before, after, this.#step.span.workspace);
    if (!hold || (!bringsPrice(winner) && lossesOf(before, after).length === 0)) return;
    addFactor(units, before, after);
    addToHold(hold, before, after);
  }

  addMissing(): void {
    const { job: { args: { source } }, span } = this.#step;
    const missing = missingFrom(span, source);
    this.#report(
      missing.map(({ sku, indexRow: { id } }) => ({
        kind: "removal",
        row: { sku, productId: id },
      })),
      0,
    );
    const importMade = span.indexRows.values()
      .filter((indexRow) => isMadeBy(indexRow, source) && !indexRow.isDeleted)
      .reduce((count) => count + 1, 0);
    const { plan } = this;
    plan.stats = addStats(plan.stats, { removed: missing.length });
    plan.importMade += importMade;
    this.#countMissing(missing.map(({ sku }) => sku));
  }

  #countMissing(skus: readonly string[]): void {
    const { plan } = this;
    plan.missing += skus.length;
    plan.missingSkus = [...plan.missingSkus, ...skus].slice(0, SAMPLES_MAX);
  }

  #unreadEffect(winner: RecordLine): "created" | "left" {
    const { job, span } = this.#step;
    if (job.args.mode === "update" || span.indexRows.has(winner.sku)) return "left";
    const { title, isDeleted } = patchOf(winner);
    return title === undefined || isDeleted ? "left" : "created";
  }

  #report(entries: readonly ReportEntry[], at: number): void {
    const { job: { args: { isDryRun }, jobId }, tools } = this.#step;
    for (const entry of isDryRun ? entries : []) {
      const n = this.plan[COUNTS[entry.kind]];
      if (n === 200) return;
      reportRows.put(tools.write, tools, { ...entry, jobId, n, at });
      this.plan[COUNTS[entry.kind]] = n + 1;
    }
  }
}

function changeRows(changes: readonly FieldChange[]): ReportEntry[] {
  return changes.map((row) => ({ kind: "change", row }));
}

function withWritten(differences: readonly FieldChange[], winner: RecordLine): FieldChange[] {
  const texts = new Map(Object.entries(writtenOf(winner)));
  return differences.map((change) => {
    const written = texts.get(change.field);
    return written === undefined ? change : { ...change, written };
  });
}

function withUnknown({ records, competitors }: Batch): CompetitorSet | null {
  if (competitors === null) return null;
  const byId = new Map(competitors.byId);
  const byDomain = new Map(competitors.byDomain);
  const colours = freeColours(competitors.byId.values());
  for (const { wanted } of records) {
    for (const { domain } of wanted) {
      if (byDomain.has(domain)) continue;
      const colour = colours.next().value;
      const unknown = blankCompetitor({ id: domain, domain, colour, createdAt: "" });
      byDomain.set(domain, unknown);
      byId.set(domain, unknown);
    }
  }
  return { ...competitors, byId, byDomain };
}
