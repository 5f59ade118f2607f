/**
 * Guards that keep an import from being applied (docs/decisions/imports.md, "Sources"): plain
 * functions over the figures of its plan.
 */
import assert from "node:assert/strict";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { fileFinding } from "../files/finding.ts";
import type { HoldCode } from "../files/hold_codes.ts";
import type { Guard, HoldCause, HoldSample, SourceHold } from "../state/import_figures.ts";
import {
  addStats,
  type DryRunResult,
  type HoldTally,
  type ImportCursor,
  type ImportJob,
  type ImportMode,
  type ImportPlan,
  type WholeTally,
} from "../state/import_job.ts";
import { saveFinding } from "../state/import_row_store.ts";
import { isMoreThanPct, shownMove } from "./hold.ts";
import { type UnitDoubt, unitDoubtOf } from "./price_units.ts";
import { requireCursor } from "./span.ts";

type GuardSample = Guard["samples"][number];

/** `replace` may take away so much of what imports made; more is taken for a broken export. */
const REMOVED_PCT_MAX = 20;
/** Prices of most products in another unit are no accident. */
const HALF_PCT = 50;

export interface GuardFigures extends Guard {
  /** For who looks into a held job for the first time. */
  readonly message: string;
}

/** All that are asked of an import, those that let it pass included. */
export function guardsOf(
  { hold, missing, importMade, missingSkus = [], units }: Pick<
    ImportPlan,
    "hold" | "missing" | "importMade" | "missingSkus" | "units"
  >,
  mode: ImportMode,
): GuardFigures[] {
  const bounds = hold?.bounds;
  const removedPct = bounds && isOfSource(bounds) ? bounds.deletedPct : REMOVED_PCT_MAX;
  const removal = mode === "replace"
    ? [figures("replace_guard", missing, importMade, removedPct, {
      samples: missingSkus.map(bare),
      message: `${missing} of ${importMade} products that imports made are missing from the ` +
        `file, more than ${removedPct} %: nothing was applied; apply it with force=true if that ` +
        "is meant",
    })]
    : [];
  if (!hold) return removal;
  const guards = hold.whole && isOfSource(hold.bounds)
    ? sourceGuards(hold, hold.bounds, hold.whole)
    : [workspaceGuard(hold)];
  const arePricesHeld = guards.some(({ code, binds }) => code === "price_guard" && binds);
  const unit = unitGuard(unitDoubtOf(units, hold.products, arePricesHeld));
  return [...removal, ...guards, ...unit];
}

/** There only when it binds: what is as usual needs no words. */
function unitGuard(doubt: UnitDoubt | null): GuardFigures[] {
  if (doubt === null) return [];
  const { count, of, column, remedy, message } = doubt;
  const guard = figures("unit_guard", count, of, HALF_PCT, { samples: [], message });
  return [{ ...guard, column, remedy }];
}

function isOfSource(bounds: HoldTally["bounds"]): bounds is SourceHold {
  return "costMovePct" in bounds;
}

function workspaceGuard(hold: HoldTally): GuardFigures {
  const { moved, products, bounds } = hold;
  return figures("price_guard", moved, products, bounds.sharePct, {
    samples: hold.samples,
    message: holdMessage(hold),
  });
}

function sourceGuards(
  { causes, products, samples }: HoldTally,
  { sharePct, movePct, costMovePct, changedPct, newPct, currencyPct }: SourceHold,
  { isFirst, skus, changed, created, changedSkus, createdSkus }: WholeTally,
): GuardFigures[] {
  const ofCause = (code: HoldCode, cause: HoldCause, pct: number, what: string) => {
    const shown = samples.filter((sample) => sample.cause === cause);
    const message = `${causes[cause]} of ${products} products (more than ${pct} %) ${what}: ` +
      `nothing was applied.${exampleOf(shown)} ${REMEDY}`;
    return figures(code, causes[cause], products, pct, { samples: shown, message });
  };
  const ofSkus = (
    code: HoldCode,
    of: readonly string[],
    count: number,
    pct: number,
    what: string,
  ) =>
    figures(code, count, skus, pct, {
      samples: of.map(bare),
      message: `${count} of ${skus} SKUs of the file (more than ${pct} %) ${what}: nothing was ` +
        `applied. ${REMEDY}`,
    });
  return [
    ofCause(
      "price_guard",
      "price",
      sharePct,
      `move their price by more than ${movePct} % or lose it`,
    ),
    ofCause(
      "cost_guard",
      "cost",
      sharePct,
      `move their cost by more than ${costMovePct} % or lose it`,
    ),
    ofCause("currency_guard", "currency", currencyPct, "change their currency"),
    ...(isFirst ? [] : [
      ofSkus("change_guard", changedSkus, changed, changedPct, "change their product"),
      ofSkus("new_guard", createdSkus, created, newPct, "are new"),
    ]),
  ];
}

const REMEDY = "If that is meant, apply the import with force=true within 24 hours; else correct " +
  "the export and send it again";

function figures(
  code: HoldCode,
  count: number,
  of: number,
  sharePct: number,
  { samples, message }: { readonly samples: readonly GuardSample[]; readonly message: string },
): GuardFigures {
  const shown = samples.map(({ sku, fromCents, fromCurrency, toCents, toCurrency }) => ({
    sku,
    fromCents,
    fromCurrency,
    toCents,
    toCurrency,
  }));
  const binds = isMoreThanPct(count, of, sharePct);
  const about = { column: null, remedy: null, message };
  return { code, count, of, sharePct, binds, samples: shown, ...about };
}

function bare(sku: string): GuardSample {
  return { sku, fromCents: null, fromCurrency: null, toCents: null, toCurrency: null };
}

function exampleOf([first]: readonly HoldSample[]): string {
  return first ? ` For example "${first.sku}": ${shownMove(first)}.` : "";
}

function holdMessage({ moved, products, causes, bounds, samples }: HoldTally): string {
  return `${moved} of ${products} products (more than ${bounds.sharePct} %) move their price or ` +
    `cost by more than ${bounds.movePct} %, lose it, or change their currency (price ${causes.price}, cost ` +
    `${causes.cost}, currency ${causes.currency}): nothing was applied.${
      exampleOf(samples)
    } ${REMEDY}`;
}

/** Ends a plan: a dry run ends, a guard refuses, or the application begins. */
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
