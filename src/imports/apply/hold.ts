/**
 * Counts the changes that an import makes, for its result and for the guards that may stop the
 * import.
 */
import type { Workspace } from "../../accounts/workspace.ts";
import { fromKeys } from "../../base/collections.ts";
import { exponentOf, isAtLeastPct, isLargeMove, showMoney } from "../../base/money.ts";
import { marginPct } from "../../base/fraction.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  AMOUNT_NAMES,
  FOLLOWING_NAMES,
  majorName,
} from "../../catalogue/products/product_field_table.ts";
import type { SalesChange } from "../../catalogue/sales/sale.ts";
import {
  type FieldChange,
  type HoldCause,
  type HoldCounters,
  type HoldSample,
  type ImportImpact,
  PRICE_FACTORS,
  type PriceFactor,
  type PriceMove,
  type PriceUnits,
  type WholeCounters,
} from "../state/import_job.ts";
import { type RecordNote, warning } from "./decide_record.ts";
import type { EvaluatedRecord, RecordPatch } from "../records/record_patch.ts";
import type { UnitRemedy } from "../choices.ts";

const LARGEST_MAX = 10;
const OVER_PCT = 20;

type PriceTerms = Pick<Workspace, "pricesIncludeVat" | "vatRatePct" | "currency">;

export function addToImpact(
  impact: ImportImpact,
  before: Product,
  after: Product,
  terms: PriceTerms,
): void {
  const { sku, currency, ourPriceCents: toCents } = after;
  const { ourPriceCents: fromCents } = before;
  const isSameCurrency = before.currency === currency;
  if (fromCents === toCents && isSameCurrency) return;
  impact.priceChanges++;
  if (isBelowCost(after, terms)) impact.belowCost++;
  if (fromCents === null || toCents === null || !isSameCurrency) return;
  const move = { sku, fromCents, toCents, currency };
  const byCents = toCents - fromCents;
  impact[byCents > 0 ? "up" : "down"]++;
  if (isLargeMove({ beyondPct: OVER_PCT }, fromCents, toCents)) impact.over20pct++;
  if (currency === terms.currency) {
    impact[byCents > 0 ? "raisedCents" : "loweredCents"] += Math.abs(byCents);
  }
  const least = impact.largest.at(LARGEST_MAX - 1);
  if (least && byShare(move, least) >= 0) return;
  const withMargin = { ...move, marginPct: marginOf(after, terms) };
  impact.largest = [...impact.largest, withMargin].sort(byShare).slice(0, LARGEST_MAX);
}

type Amounts = Pick<PriceMove, "fromCents" | "toCents">;

function isBelowCost(
  { ourPriceCents, costPriceCents, vatRatePct }: Product,
  terms: PriceTerms,
): boolean {
  if (ourPriceCents === null || costPriceCents === null) return false;
  const ratePct = terms.pricesIncludeVat ? vatRatePct ?? terms.vatRatePct ?? 0 : 0;
  return !isAtLeastPct(ourPriceCents, costPriceCents, 100 + ratePct);
}

function marginOf(product: Product, terms: PriceTerms): number | null {
  const { ourPriceCents, costPriceCents } = product;
  const { pricesIncludeVat } = terms;
  const vatRatePct = product.vatRatePct ?? terms.vatRatePct;
  return marginPct(ourPriceCents, { costPriceCents, pricesIncludeVat, vatRatePct });
}

function byShare(one: Amounts, other: Amounts): number {
  return shareOf(other) - shareOf(one);
}

function shareOf({ fromCents, toCents }: Amounts): number {
  return fromCents === 0 ? Infinity : Math.abs(toCents - fromCents) / fromCents;
}

const READ_NAMES = fromKeys(AMOUNT_NAMES, majorName);

const OF_MARGIN: ReadonlySet<string> = new Set(["ourPriceCents", "costPriceCents"]);

export function fieldChanges(before: Product, after: Product, terms: PriceTerms): FieldChange[] {
  const old: Record<string, unknown> = before;
  const names: Record<string, string | undefined> = READ_NAMES;
  return Object.entries(after).filter(([field, value]) =>
    !FOLLOWING_NAMES.includes(field) && JSON.stringify(old[field]) !== JSON.stringify(value)
  ).map(([field, value]) => ({
    sku: after.sku,
    field: names[field] ?? field,
    from: old[field],
    to: value,
    ...(names[field] && { fromCurrency: before.currency, toCurrency: after.currency }),
    ...(OF_MARGIN.has(field) &&
      { fromMarginPct: marginOf(before, terms), toMarginPct: marginOf(after, terms) }),
  }));
}

export function salesChanges(sku: string, sales: readonly SalesChange[]): FieldChange[] {
  return sales.flatMap(({ days }) =>
    days.map(({ date, from, to }) => ({
      sku,
      field: "units",
      date,
      from: from?.units ?? null,
      to: to?.units ?? null,
    }))
  );
}

export const SAMPLES_MAX = 10;

export function createHoldCounters(
  bounds: HoldCounters["bounds"],
  isFirst: boolean | null = null,
): HoldCounters {
  const counters = {
    bounds,
    products: 0,
    moved: 0,
    causes: { price: 0, cost: 0, currency: 0 },
    samples: [],
  };
  if (isFirst === null) return counters;
  const whole = { isFirst, skus: 0, changed: 0, created: 0, changedSkus: [], createdSkus: [] };
  return { ...counters, whole };
}

export function addToWhole(
  whole: WholeCounters,
  sku: string,
  effect: "changed" | "created" | "left",
): void {
  whole.skus++;
  if (effect === "left") return;
  whole[effect]++;
  const samples = whole[`${effect}Skus`];
  if (samples.length < SAMPLES_MAX) samples.push(sku);
}

export function addToHold(counters: HoldCounters, before: Product, after: Product): void {
  if (before.ourPriceCents === null && before.costPriceCents === null) return;
  counters.products++;
  const moves = movesOf(before, after, counters.bounds);
  const causes = new Set([...lossesOf(before, after), ...moves.map(({ cause }) => cause)]);
  if (causes.size === 0) return;
  counters.moved++;
  for (const cause of causes) counters.causes[cause]++;
  counters.samples = moves.reduce(withSample, counters.samples);
}

const AMOUNTS = [["price", "ourPriceCents"], ["cost", "costPriceCents"]] as const;

export function lossesOf(before: Product, after: Product): HoldCause[] {
  return AMOUNTS.filter(([, field]) => before[field] !== null && after[field] === null)
    .map(([cause]) => cause);
}

export function warningOfMove(
  before: Product,
  after: Product,
  movePct: number,
): RecordNote | null {
  const moves = movesOf(before, after, { movePct });
  const [first] = moves;
  if (!first) return null;
  const largest = moves.map((move) => `${move.cause} ${serialiseMove(move)}`).join("; ");
  const message =
    `Moves by more than ${movePct} % or to another currency, and the hold of imports is off: ` +
    largest;
  return warning("price_moved", message, showMoney(first.toCents, first.toCurrency));
}

export function serialiseMove(
  { fromCents, fromCurrency, toCents, toCurrency }: HoldSample,
): string {
  return `${showMoney(fromCents, fromCurrency)} to ${showMoney(toCents, toCurrency)}`;
}

function movesOf(
  before: Product,
  after: Product,
  { movePct, costMovePct = movePct }: { readonly movePct: number; readonly costMovePct?: number },
): HoldSample[] {
  const ofProduct = { sku: after.sku, fromCurrency: before.currency, toCurrency: after.currency };
  const pairs = AMOUNTS.flatMap(([cause, field]): HoldSample[] => {
    const [fromCents, toCents] = [before[field], after[field]];
    return fromCents === null || toCents === null
      ? []
      : [{ ...ofProduct, cause, fromCents, toCents }];
  });
  if (before.currency === after.currency) {
    return pairs.filter(({ cause, fromCents, toCents }) =>
      isLargeMove({ beyondPct: cause === "cost" ? costMovePct : movePct }, fromCents, toCents)
    );
  }
  return pairs.slice(0, 1).map((pair) => ({ ...pair, cause: "currency" }));
}

function withSample(samples: readonly HoldSample[], one: HoldSample): readonly HoldSample[] {
  const ofCause = [...samples.filter(({ cause }) => cause === one.cause), one];
  if (one.cause !== "currency") ofCause.sort((a, b) => shareOf(b) - shareOf(a));
  const others = samples.filter(({ cause }) => cause !== one.cause);
  return [...others, ...ofCause.slice(0, SAMPLES_MAX)];
}

const CENTS_RATIO_MIN = 20;
const FACTOR_TOLERANCE = 1.25;

export function createPriceUnits(): PriceUnits {
  return { column: null, pairs: 0, beyondCost: 0, factors: {} };
}

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

const FREQUENT_ENDINGS: readonly string[] = ["99", "98", "95", "90", "50", "49", "00"];

type PairAmounts = Pick<RecordPatch, "ourPriceCents" | "costPriceCents">;

export function addPair(units: PriceUnits, { ourPriceCents, costPriceCents }: PairAmounts): void {
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

const WHOLE_PRICES_MIN = 20;
const CENTS = /(?:^|[^a-zäöüß])(?:cents?|ct|minor)(?:[^a-zäöüß]|$)/i;

export function unitDoubtOf(
  units: PriceUnits,
  products: number,
  arePricesHeld: boolean,
): UnitDoubt | null {
  const { pairs, beyondCost, factors } = units;
  const [factor, count] = PRICE_FACTORS.map((one) => [one, factors[one] ?? 0] as const)
    .reduce((most, one) => one[1] > most[1] ? one : most);
  if (arePricesHeld && count * 2 > products) {
    const message = factorMessage(units, factor, count, products);
    return doubt(factor === "100" ? "minor" : "decimals", count, products, message);
  }
  if (pairs < 5 || products * 2 > pairs || beyondCost * 2 <= pairs) {
    return wholeDoubtOf(units, products);
  }
  const message = `In ${beyondCost} of ${pairs} records ${nameOf(units)} is more than ` +
    `${CENTS_RATIO_MIN} times the cost of the product, as if it were in cents: ` +
    "nothing was applied. ";
  return doubt("minor", beyondCost, pairs, message);
}

function wholeDoubtOf(units: PriceUnits, products: number): UnitDoubt | null {
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
  return doubt("minor", prices, prices, message);
}

type UnitDoubt = ReturnType<typeof doubt>;

function doubt(remedy: UnitRemedy, count: number, of: number, message: string) {
  return { remedy, count, of, message: message + REMEDIES[remedy] };
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
  return `In ${count} of ${products} products ${nameOf(units)} is about ${factor} times ` +
    `the price of before: nothing was applied.${example} `;
}

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
