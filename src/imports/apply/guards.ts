/** Guards stop an import whose file looks wrong, for example because too many prices change. */
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { fileFinding } from "../files/source_file.ts";
import { saveFinding } from "../state/import_row_store.ts";
import {
  addStats,
  type Guard,
  type HoldCounters,
  type HoldSample,
  type ImportJob,
  type ImportPlan,
  PRICE_FACTORS,
  type PriceFactor,
  type PriceUnits,
  type WholeCounters,
} from "../state/import_job.ts";
import { requireCursor } from "./span.ts";
import { exponentOf, isMoreThanPct, showMoney } from "../../base/money.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { EvaluatedRecord, RecordPatch } from "../records/record_patch.ts";
import assert from "node:assert/strict";
import type { ImportMode, UnitRemedy } from "../choices.ts";
import type { SourceHold } from "../state/import_source.ts";
import { serialiseMove } from "./hold.ts";

const REMOVED_PCT_MAX_BY_DEFAULT = 20;
const HALF_PCT = 50;

interface GuardFigures extends Guard {
  readonly message: string;
}

export function guardsOf(
  { hold, missing, importMade, missingSkus, units }: ImportPlan,
  mode: ImportMode,
): GuardFigures[] {
  const bounds = hold?.bounds;
  const removedPct = bounds && isOfSource(bounds) ? bounds.deletedPct : REMOVED_PCT_MAX_BY_DEFAULT;
  const removal = figures({
    code: "replace_guard",
    count: missing,
    of: importMade,
    sharePct: removedPct,
    samples: missingSkus,
    message: `${missing} of ${importMade} products that imports made would be deleted, more ` +
      `than ${removedPct} %: nothing was applied; apply it with force=true if that is meant`,
  });
  const removals = mode === "replace" ? [removal] : [];
  if (!hold) return removals;
  const guards = hold.whole && isOfSource(hold.bounds)
    ? sourceGuards(hold, hold.bounds, hold.whole)
    : [workspaceGuard(hold)];
  const arePricesHeld = guards.some(({ code, binds }) => code === "price_guard" && binds);
  const doubt = unitDoubtOf(units, hold.products, arePricesHeld);
  return [...removals, ...guards, ...(doubt ? [doubt] : [])];
}

function unitGuard(
  { column }: PriceUnits,
  remedy: UnitRemedy,
  { message, ...counts }: Pick<GuardFigures, "count" | "of" | "message">,
): GuardFigures {
  const terms = { code: "unit_guard", sharePct: HALF_PCT, samples: [] } as const;
  const guard = figures({ ...counts, ...terms, message: message + REMEDIES[remedy] });
  return { ...guard, column, remedy };
}

function isOfSource(bounds: HoldCounters["bounds"]): bounds is SourceHold {
  return "costMovePct" in bounds;
}

function workspaceGuard(hold: HoldCounters): GuardFigures {
  const { moved: count, products: of, causes, bounds: { sharePct, movePct }, samples } = hold;
  const message = `${count} of ${of} products (more than ${sharePct} %) move their price or cost ` +
    `by more than ${movePct} %, lose it, or change their currency (price ${causes.price}, cost ` +
    `${causes.cost}, currency ${causes.currency}): nothing was applied.${exampleOf(samples)} ` +
    REMEDY;
  return figures({ code: "price_guard", count, of, sharePct, samples, message });
}

function sourceGuards(
  { causes, products, samples }: HoldCounters,
  { sharePct, movePct, costMovePct, changedPct, newPct, currencyPct }: SourceHold,
  { isFirst, skus, changed, created, changedSkus, createdSkus }: WholeCounters,
): GuardFigures[] {
  const ofCauses = [
    ["price_guard", "price", sharePct, `move their price by more than ${movePct} % or lose it`],
    ["cost_guard", "cost", sharePct, `move their cost by more than ${costMovePct} % or lose it`],
    ["currency_guard", "currency", currencyPct, "change their currency"],
  ] as const;
  const ofSkus = [
    ["change_guard", changed, changedPct, "change their product", changedSkus],
    ["new_guard", created, newPct, "are new", createdSkus],
  ] as const;
  return [
    ...ofCauses.map(([code, cause, pct, what]) => {
      const shown = samples.filter((sample) => sample.cause === cause);
      const message = `${causes[cause]} of ${products} products (more than ${pct} %) ${what}: ` +
        `nothing was applied.${exampleOf(shown)} ${REMEDY}`;
      const count = causes[cause];
      return figures({ code, count, of: products, sharePct: pct, samples: shown, message });
    }),
    ...(isFirst ? [] : ofSkus).map(([code, count, pct, what, named]) => {
      const message =
        `${count} of ${skus} SKUs of the file (more than ${pct} %) ${what}: nothing ` +
        `was applied. ${REMEDY}`;
      return figures({ code, count, of: skus, sharePct: pct, samples: named, message });
    }),
  ];
}

const REMEDY = "If that is meant, apply the import with force=true within 24 hours; else correct " +
  "the export and send it again";

function figures(
  { count, of, sharePct, samples, ...guard }:
    & Pick<GuardFigures, "code" | "count" | "of" | "sharePct" | "message">
    & { readonly samples: readonly (HoldSample | string)[] },
): GuardFigures {
  const binds = isMoreThanPct(count, of, sharePct);
  const shown = samples.map((sample) => {
    if (typeof sample === "string") return { sku: sample, ...NO_AMOUNTS };
    const { cause: _, ...move } = sample;
    return move;
  });
  return { ...guard, count, of, sharePct, binds, samples: shown, column: null, remedy: null };
}

const NO_AMOUNTS = { fromCents: null, fromCurrency: null, toCents: null, toCurrency: null };

function exampleOf([first]: readonly HoldSample[]): string {
  return first ? ` For example "${first.sku}": ${serialiseMove(first)}.` : "";
}

export function endPlan(job: ImportJob, tools: StepTools<ImportJob>): StepResult<ImportJob> {
  const cursor = requireCursor(job);
  const { plan, checked } = cursor;
  assert(plan, "A plan has no figures");
  if (job.args.isDryRun) {
    return { stats: plan.stats, end: { status: "succeeded" } };
  }
  const binding = guardsOf(plan, job.args.mode).filter(({ binds }) => binds);
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
    stats: addStats(checked, { errorCount: binding.length }),
    end: { status: "failed", error: { code: first.code, message: first.message } },
  };
}

const CENTS_RATIO_MIN = 20;
const FACTOR_TOLERANCE = 1.25;

export function createPriceUnits(): PriceUnits {
  return { column: null, pairs: 0, beyondCost: 0, factors: {} };
}

const WHOLE_PRICES_MIN = 20;
const CENTS = /(?:^|[^a-zäöüß])(?:cents?|ct|minor)(?:[^a-zäöüß]|$)/i;

type Priced = Pick<Product, "sku" | "ourPriceCents" | "currency">;

export function addFactor(units: PriceUnits, before: Priced, after: Priced): void {
  const { ourPriceCents: from } = before;
  const { ourPriceCents: to, sku, currency } = after;
  if (!from || !to || before.currency !== currency) return;
  const factor = PRICE_FACTORS.find((one) => isNear(to / from, Number(one)));
  if (factor === undefined) return;
  units.factors[factor] = (units.factors[factor] ?? 0) + 1;
  units.sample ??= { sku, fromCents: from, toCents: to, currency };
}

function isNear(ratio: number, factor: number): boolean {
  return ratio < factor * FACTOR_TOLERANCE && ratio * FACTOR_TOLERANCE > factor;
}

export function unitDoubtOf(
  units: PriceUnits,
  products: number,
  arePricesHeld: boolean,
): GuardFigures | null {
  const { pairs, beyondCost, factors } = units;
  const [factor, count] = PRICE_FACTORS.map((one) => [one, factors[one] ?? 0] as const)
    .reduce((most, one) => one[1] > most[1] ? one : most);
  if (arePricesHeld && count * 2 > products) {
    const message = factorMessage(units, factor, count, products);
    return unitGuard(units, factor === "100" ? "minor" : "decimals", {
      count,
      of: products,
      message,
    });
  }
  if (pairs < 5 || products * 2 > pairs || beyondCost * 2 <= pairs) {
    return wholeDoubtOf(units, products);
  }
  const message = `In ${beyondCost} of ${pairs} records ${nameOf(units)} is more than ` +
    `${CENTS_RATIO_MIN} times the cost of the product, as if it were in cents: ` +
    "nothing was applied. ";
  return unitGuard(units, "minor", { count: beyondCost, of: pairs, message });
}

function wholeDoubtOf(units: PriceUnits, products: number): GuardFigures | null {
  const { column, wholes = null } = units;
  if (wholes === null || products * 2 > wholes.prices) return null;
  const { prices, endings } = wholes;
  const isNamed = prices >= 5 && CENTS.test(column ?? "");
  const endsAsCents = prices >= WHOLE_PRICES_MIN && endings * 100 >= 60 * prices;
  if (!isNamed && !endsAsCents) return null;
  const why = isNamed
    ? "and the name of the column speaks of cents"
    : `and ${endings} of them end as prices do after the sign`;
  const message = `All ${prices} times ${nameOf(units)} is a whole number of three digits or ` +
    `more, ${why}. Are these cents? Nothing was applied. `;
  return unitGuard(units, "minor", { count: prices, of: prices, message });
}

function factorMessage(
  units: PriceUnits,
  factor: PriceFactor,
  count: number,
  products: number,
): string {
  const { sample } = units;
  const example = sample
    ? ` For example "${sample.sku}": ${showMoney(sample.fromCents, sample.currency)} to ` +
      `${showMoney(sample.toCents, sample.currency)}.`
    : "";
  return `In ${count} of ${products} products ${nameOf(units)} is ${
    FACTOR_WORDS[factor]
  } the price of ` +
    `before: nothing was applied.${example} `;
}

const FACTOR_WORDS: Readonly<Record<PriceFactor, string>> = {
  "1000": "about 1000 times",
  "100": "about 100 times",
  "10": "about 10 times",
  "0.1": "about a tenth of",
  "0.01": "about a hundredth of",
  "0.001": "about a thousandth of",
};

const REMEDIES: Readonly<Record<UnitRemedy, string>> = {
  minor: "Export the column in the currency itself, with two decimals, or set `amounts` of the " +
    "import profile to `minor` where all its amounts are in cents; with force=true it is applied " +
    "as it is",
  decimals: "Say in the import profile whether its numbers are German or English, and export the " +
    "column with two decimals; with force=true it is applied as it is",
};

function nameOf({ column }: PriceUnits): string {
  return column === null ? "the price" : `the price in "${column}"`;
}

const FREQUENT_ENDINGS: readonly string[] = ["99", "98", "95", "90", "50", "49", "00"];

type Amounts = Pick<RecordPatch, "ourPriceCents" | "costPriceCents">;

export function addPair(units: PriceUnits, { ourPriceCents, costPriceCents }: Amounts): void {
  if (!ourPriceCents || !costPriceCents) return;
  units.pairs++;
  if (ourPriceCents >= CENTS_RATIO_MIN * costPriceCents) units.beyondCost++;
}

export function addWritten(
  units: PriceUnits,
  { wholePrice, patch }: Pick<EvaluatedRecord, "wholePrice" | "patch">,
): void {
  if (wholePrice === undefined || units.wholes === null) return;
  const hasCents = exponentOf(patch?.amountsIn ?? patch?.currency ?? "") === 2;
  if (wholePrice === null || !hasCents) {
    units.wholes = null;
    return;
  }
  units.wholes ??= { prices: 0, endings: 0 };
  units.wholes.prices++;
  if (FREQUENT_ENDINGS.includes(wholePrice.slice(-2))) units.wholes.endings++;
}
