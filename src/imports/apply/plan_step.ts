/**
 * Plans an import without writing products. After the plan, guards stop an import whose file looks
 * wrong, for example because too many prices change.
 */
import assert from "node:assert/strict";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { fileFinding } from "../files/source_file.ts";
import {
  bringsPrice,
  patchOf,
  type RecordLine,
  reportRows,
  saveFinding,
  writtenOf,
} from "../state/import_row_store.ts";
import {
  addStats,
  countOf,
  type Guard,
  type HoldCause,
  type HoldCounters,
  type HoldSample,
  type ImportCursor,
  type ImportJob,
  type ImportPlan,
  type ImportStats,
  NO_IMPACT,
  type PriceUnits,
  type ReportEntry,
  type WholeCounters,
} from "../state/import_job.ts";
import {
  afterRecords,
  afterSpan,
  type Batch,
  countMadeBy,
  type ImportStep,
  isMadeBy,
  missingFrom,
  requireCursor,
} from "./span.ts";
import { isMoreThanPct } from "../../base/money.ts";
import type { ImportMode } from "../choices.ts";
import type { SourceHold } from "../state/import_source.ts";
import {
  addFactor,
  addToHold,
  addToImpact,
  addToWhole,
  createHoldCounters,
  fieldChanges,
  lossesOf,
  salesChanges,
  SAMPLES_MAX,
  serialiseMove,
  unitDoubtOf,
} from "./hold.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { RecordOutcome } from "./decide_record.ts";
import { type RecordSink, type ResolvedRecord, walkRecords } from "./resolve_record.ts";
import { blankCompetitor, type CompetitorSet, freeColours } from "../../shops/competitor_store.ts";
import type { HoldTerms } from "../state/sources.ts";

const REMOVED_PCT_MAX_BY_DEFAULT = 20;
const HALF_PCT = 50;

const REMEDY = "If that is meant, apply the import with force=true within 24 hours; else correct " +
  "the export and send it again";

interface GuardFigures extends Guard {
  readonly message: string;
}

export function guardsOf(
  { hold, missing, importMade, missingSkus, units }: ImportPlan,
  mode: ImportMode,
): GuardFigures[] {
  const ofSource = hold && "costMovePct" in hold.bounds ? hold.bounds : null;
  const removedPct = ofSource?.deletedPct ?? REMOVED_PCT_MAX_BY_DEFAULT;
  const isRemoving = mode === "replace" || (missing > 0 && ofSource !== null);
  const lost = "products that imports made would be deleted";
  const removals = isRemoving
    ? [figures("replace_guard", missing, importMade, removedPct, lost, missingSkus)]
    : [];
  if (!hold) return removals;
  const guards = ofSource && hold.whole
    ? sourceGuards(hold, ofSource, hold.whole)
    : [workspaceGuard(hold)];
  const arePricesHeld = guards.some(({ code, binds }) => code === "price_guard" && binds);
  const doubt = unitDoubtOf(units, hold.products, arePricesHeld);
  if (doubt === null) return [...removals, ...guards];
  const { count, of, remedy, message } = doubt;
  const counted = figures("unit_guard", count, of, HALF_PCT, "", []);
  return [...removals, ...guards, { ...counted, column: units.column, remedy, message }];
}

function workspaceGuard({ moved, products, causes, bounds, samples }: HoldCounters): GuardFigures {
  const what = `products move their price or cost by more than ${bounds.movePct} %, lose it, or ` +
    `change their currency (price ${causes.price}, cost ${causes.cost}, currency ` +
    `${causes.currency})`;
  return figures("price_guard", moved, products, bounds.sharePct, what, samples);
}

function sourceGuards(
  { causes, products, samples }: HoldCounters,
  { sharePct, movePct, costMovePct, changedPct, newPct, currencyPct }: SourceHold,
  { isFirst, skus, changed, created, changedSkus, createdSkus }: WholeCounters,
): GuardFigures[] {
  const ofCause = (code: Guard["code"], cause: HoldCause, pct: number, what: string) => {
    const shown = samples.filter((sample) => sample.cause === cause);
    return figures(code, causes[cause], products, pct, `products ${what}`, shown);
  };
  const moves = (what: HoldCause, pct: number) =>
    `move their ${what} by more than ${pct} % or lose it`;
  const [changing, creating] = [
    "SKUs of the file change their product",
    "SKUs of the file are new",
  ];
  return [
    ofCause("price_guard", "price", sharePct, moves("price", movePct)),
    ofCause("cost_guard", "cost", sharePct, moves("cost", costMovePct)),
    ofCause("currency_guard", "currency", currencyPct, "change their currency"),
    ...(isFirst ? [] : [
      figures("change_guard", changed, skus, changedPct, changing, changedSkus),
      figures("new_guard", created, skus, newPct, creating, createdSkus),
    ]),
  ];
}

const NO_AMOUNTS = { fromCents: null, fromCurrency: null, toCents: null, toCurrency: null };

function figures(
  code: Guard["code"],
  count: number,
  of: number,
  sharePct: number,
  what: string,
  examples: readonly (HoldSample | string)[],
): GuardFigures {
  const samples = examples.map((example) => {
    if (typeof example === "string") return { sku: example, ...NO_AMOUNTS };
    const { cause: _, ...move } = example;
    return move;
  });
  const [first] = examples;
  const example = typeof first === "object"
    ? ` For example "${first.sku}": ${serialiseMove(first)}.`
    : "";
  const message = `${count} of ${of} ${what}, more than ${sharePct} %: nothing was ` +
    `applied.${example} ${REMEDY}`;
  const binds = isMoreThanPct(count, of, sharePct);
  return { code, count, of, sharePct, binds, samples, column: null, remedy: null, message };
}

export async function endPlan(
  job: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const { checked } = cursor;
  const { mode, source, isDryRun } = job.args;
  assert(cursor.plan, "A plan has no figures");
  const plan = { ...cursor.plan };
  if (mode !== "replace" && source !== undefined && plan.missing > 0) {
    plan.importMade = await countMadeBy(tools, source);
  }
  if (isDryRun) {
    return { cursor: { ...cursor, plan }, stats: plan.stats, end: { status: "succeeded" } };
  }
  const binding = guardsOf(plan, mode).filter(({ binds }) => binds);
  const [first] = binding;
  if (first === undefined) {
    return {
      phase: "apply",
      cursor: { ...cursor, shard: 0, position: 0, removedUpTo: null, plan: null },
      progress: { processed: checked.errors + checked.skipped, total: cursor.records },
    };
  }
  for (const [n, { code, message }] of binding.entries()) {
    const finding = fileFinding("error", null, { code, line: null, message });
    saveFinding(tools.write, tools, job.jobId, finding, n);
  }
  return {
    cursor: { ...cursor, plan },
    stats: addStats(checked, { errorCount: binding.length }),
    end: { status: "failed", error: { code: first.code, message: first.message } },
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
  units: PriceUnits,
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
    ...(job.args.isDryRun && { stats, ...(stats.errors > 0 && { hasErrors: true }) }),
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

  put(resolved: ResolvedRecord): void {
    const { winner, patch, outcome: { kind, before, after }, indexRow } = resolved;
    const { hold } = this.plan;
    const { args } = this.#step.job;
    if (args.isDryRun) this.#reportRecord(resolved);
    if (patch === null && hold && bringsPrice(winner) && indexRow) hold.products++;
    if (kind !== "deleted") {
      if (before && after) this.#move(winner, before, after);
    } else if (indexRow && isMadeBy(indexRow, args.source)) this.#countMissing([winner.sku]);
    if (!hold?.whole) return;
    const effect = patch === null ? this.#unreadEffect(winner) : EFFECTS[kind];
    addToWhole(hold.whole, winner.sku, effect);
  }

  #reportRecord({ winner, outcome, sales }: ResolvedRecord): void {
    const { kind, before, after } = outcome;
    if (kind === "inserted" && after) {
      const { sku, title, ourPriceCents: priceCents, currency } = after;
      const row = { sku, title, priceCents, currency };
      return this.#report([{ kind: "addition", row }], winner.index);
    }
    const written = new Map(Object.entries(writtenOf(winner)));
    const changes = before && after && before !== after
      ? fieldChanges(before, after, this.#step.span.workspace)
      : [];
    const rows = [
      ...changes.map((change) => {
        const text = written.get(change.field);
        return text === undefined ? change : { ...change, written: text };
      }),
      ...salesChanges(winner.sku, sales),
    ];
    this.#report(rows.map((row) => ({ kind: "change", row })), winner.index);
  }

  #move(winner: RecordLine, before: Product, after: Product): void {
    const { hold, units, impact } = this.plan;
    addToImpact(impact, before, after, this.#step.span.workspace);
    if (!hold || (!bringsPrice(winner) && lossesOf(before, after).length === 0)) return;
    addFactor(units, before, after);
    addToHold(hold, before, after);
  }

  addMissing(): void {
    const { plan } = this;
    const { importMade, missing } = missingFrom(this.#step);
    const removals = missing.map(({ sku, indexRow: { id: productId } }) => ({ sku, productId }));
    this.#report(removals.map((row) => ({ kind: "removal", row })), 0);
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
