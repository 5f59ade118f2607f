/**
 * Whether the prices of a file are in the unit that they are taken for (docs/decisions/imports.md, "Hold"):
 * cents for euros, thousands for decimals. Plain functions over what a file says and what was there.
 */
import { showMoney } from "../../base/money.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { exponentOf } from "../../base/currency.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import type { UnitRemedy } from "../files/hold_codes.ts";
import { PRICE_FACTORS, type PriceFactor, type PriceUnits } from "../state/import_job.ts";

/** So many times its cost nothing is sold for. */
const BEYOND_COST = 20;
const PAIRS_MIN = 5;
/** So far a price may have moved besides. */
const NEAR = 1.25;

export const NO_UNITS: PriceUnits = { column: null, pairs: 0, beyondCost: 0, factors: {} };

/** Fewer whole prices are a coincidence, unless the name of their column says what they are. */
const WHOLES_MIN = 20;
const NAMED_WHOLES_MIN = 5;
/** Usual endings of prices in European shops, after the decimal sign. */
const ENDINGS: readonly string[] = ["99", "98", "95", "90", "50", "49", "00"];
const ENDINGS_PCT_MIN = 60;
const CENTS = /(?:^|[^a-zäöüß])(?:cents?|ct|minor)(?:[^a-zäöüß]|$)/i;

type Priced = Pick<Product, "sku" | "ourPriceCents" | "currency">;

interface Amounts {
  readonly ourPriceCents?: number | null;
  readonly costPriceCents?: number | null;
}

/** One more record of the file: its price and its own cost. */
export function addPair(units: PriceUnits, { ourPriceCents, costPriceCents }: Amounts): PriceUnits {
  if (!ourPriceCents || !costPriceCents) return units;
  const isBeyond = ourPriceCents >= BEYOND_COST * costPriceCents;
  return { ...units, pairs: units.pairs + 1, beyondCost: units.beyondCost + (isBeyond ? 1 : 0) };
}

/** One more record of the file: how its amounts are written. */
export function addWritten(
  units: PriceUnits,
  { wholePrice, patch }: Pick<EvaluatedRecord, "wholePrice" | "patch">,
): PriceUnits {
  const { wholes = { prices: 0, endings: 0 } } = units;
  if (wholePrice === undefined || wholes === null) return units;
  // In a currency without cents whole numbers are what prices are.
  const hasCents = exponentOf(patch?.amountsIn ?? patch?.currency ?? "") === 2;
  if (wholePrice === null || !hasCents) return { ...units, wholes: null };
  const endings = wholes.endings + (ENDINGS.includes(wholePrice.slice(-2)) ? 1 : 0);
  return { ...units, wholes: { prices: wholes.prices + 1, endings } };
}

/** One more existing product whose price the file brings. */
export function addFactor(units: PriceUnits, before: Priced, after: Priced): PriceUnits {
  const { ourPriceCents: from } = before;
  const { ourPriceCents: to } = after;
  if (!from || !to || before.currency !== after.currency) return units;
  const factor = PRICE_FACTORS.find((one) => isNear(to / from, Number(one)));
  if (factor === undefined) return units;
  const { sample = { sku: after.sku, fromCents: from, toCents: to, currency: after.currency } } =
    units;
  const factors = { ...units.factors, [factor]: (units.factors[factor] ?? 0) + 1 };
  return { ...units, factors, sample };
}

function isNear(ratio: number, factor: number): boolean {
  return ratio < factor * NEAR && ratio * NEAR > factor;
}

export interface UnitDoubt {
  readonly count: number;
  readonly of: number;
  readonly column: string | null;
  readonly remedy: UnitRemedy;
  readonly message: string;
}

/**
 * Null where nothing does. `products` are the existing ones whose price or cost the file brings: most of
 * a file must be new to be judged by its costs, and what is there is judged by what it was, where
 * `arePricesHeld`.
 */
export function unitDoubtOf(
  units: PriceUnits | undefined,
  products: number,
  arePricesHeld: boolean,
): UnitDoubt | null {
  if (units === undefined) return null;
  const { column, pairs, beyondCost, factors } = units;
  const [factor, count] = PRICE_FACTORS.map((one) => [one, factors[one] ?? 0] as const)
    .reduce((most, one) => one[1] > most[1] ? one : most);
  if (arePricesHeld && count * 2 > products) {
    const remedy = factor === "100" ? "minor" : "decimals";
    const message = factorMessage(units, factor, count, products) + REMEDIES[remedy];
    return { count, of: products, column, remedy, message };
  }
  if (pairs < PAIRS_MIN || products * 2 > pairs || beyondCost * 2 <= pairs) {
    return wholeDoubtOf(units, products);
  }
  const message = `In ${beyondCost} of ${pairs} records ${nameOf(units)} is more than ` +
    `${BEYOND_COST} times the cost of the product, as if it were in cents: nothing was applied. ` +
    REMEDIES.minor;
  return { count: beyondCost, of: pairs, column, remedy: "minor", message };
}

/** A first file alone is asked about: what is there says more than how it is written. */
function wholeDoubtOf(units: PriceUnits, products: number): UnitDoubt | null {
  const { column, wholes = null } = units;
  if (wholes === null || products * 2 > wholes.prices) return null;
  const { prices, endings } = wholes;
  const isNamed = prices >= NAMED_WHOLES_MIN && CENTS.test(column ?? "");
  const endsAsCents = prices >= WHOLES_MIN && endings * 100 >= ENDINGS_PCT_MIN * prices;
  if (!isNamed && !endsAsCents) return null;
  const why = isNamed
    ? "and the name of the column speaks of cents"
    : `and ${endings} of them end as prices do after the sign`;
  const message =
    `All ${prices} times ${nameOf(units)} is a whole number of three digits or more, ` +
    `${why}. Are these cents? Nothing was applied. ${REMEDIES.minor}`;
  return { count: prices, of: prices, column, remedy: "minor", message };
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
  return `In ${count} of ${products} products ${nameOf(units)} is ${SAID[factor]} the price of ` +
    `before: nothing was applied.${example} `;
}

const SAID: Readonly<Record<PriceFactor, string>> = {
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
