/**
 * The effect of an import on prices and fields, counted without floats (docs/decisions/imports.md,
 * "Dry run").
 */
import { marginPct } from "../../base/margin.ts";
import { recordOf } from "../../base/record_of.ts";
import type { PricedProduct } from "../../catalogue/products/card.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { AMOUNT_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import type { SalesChange } from "../../catalogue/sales/change_sales.ts";
import type { FieldChange, ImportImpact, PriceMove } from "../state/import_figures.ts";

const LARGEST_MAX = 10;
const OVER_PCT = 20;

/** How prices are meant: what a product's price is compared with its cost by. */
export interface PriceTerms {
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  /** That in which the sums are. */
  readonly currency: string;
}

/** The impact with one more existing product; one that keeps its price adds nothing. */
export function addToImpact(
  impact: ImportImpact,
  before: PricedProduct,
  after: PricedProduct,
  terms: PriceTerms,
): ImportImpact {
  const isSamePrice = before.ourPriceCents === after.ourPriceCents &&
    before.currency === after.currency;
  if (isSamePrice) return impact;
  const move = priceMoveOf(before, after);
  const isUp = move !== null && move.toCents > move.fromCents;
  const byCents = move?.currency === terms.currency ? move.toCents - move.fromCents : 0;
  return {
    priceChanges: impact.priceChanges + 1,
    up: impact.up + (isUp ? 1 : 0),
    down: impact.down + (move !== null && !isUp ? 1 : 0),
    over20pct: impact.over20pct + (move !== null && movesBy(move, OVER_PCT) ? 1 : 0),
    belowCost: impact.belowCost + (isBelowCost(after, terms) ? 1 : 0),
    raisedCents: (impact.raisedCents ?? 0) + Math.max(0, byCents),
    loweredCents: (impact.loweredCents ?? 0) + Math.max(0, -byCents),
    largest: move === null ? impact.largest : withMove(impact.largest, move, after, terms),
  };
}

/** Null when one of the prices is missing, or they are in two currencies. */
export function priceMoveOf(before: PricedProduct, after: PricedProduct): PriceMove | null {
  const [fromCents, toCents] = [before.ourPriceCents, after.ourPriceCents];
  if (fromCents === null || toCents === null || fromCents === toCents) return null;
  if (before.currency !== after.currency) return null;
  return { sku: after.sku, fromCents, toCents, currency: after.currency };
}

type Amounts = Pick<PriceMove, "fromCents" | "toCents">;

/** Exact "by more than `pct` % of the old price"; any move from 0 is. */
export function movesBy({ fromCents, toCents }: Amounts, pct: number): boolean {
  return isMoreThanPct(Math.abs(toCents - fromCents), fromCents, pct);
}

/** Exact "part is more than pct % of whole", to four decimals of a percent. */
export function isMoreThanPct(part: number, whole: number, pct: number): boolean {
  const scaledPct = Math.round(pct * 10_000);
  const [left, right] = [part * 1_000_000, whole * scaledPct];
  // Beyond that a product of numbers is no longer exact.
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) return left > right;
  return BigInt(part) * 1_000_000n > BigInt(whole) * BigInt(scaledPct);
}

/** Costs are net; a gross price without a known rate is compared as it is. */
function isBelowCost(
  { ourPriceCents, costPriceCents, vatRatePct }: PricedProduct,
  terms: PriceTerms,
): boolean {
  if (ourPriceCents === null || costPriceCents === null) return false;
  const ratePct = terms.pricesIncludeVat ? vatRatePct ?? terms.vatRatePct ?? 0 : 0;
  const grossFactor = 1_000_000n + BigInt(Math.round(ratePct * 10_000));
  return BigInt(ourPriceCents) * 1_000_000n < BigInt(costPriceCents) * grossFactor;
}

/** Margins are told of those that stay alone: most moves are not among the largest. */
function withMove(
  largest: readonly PriceMove[],
  move: PriceMove,
  after: PricedProduct,
  terms: PriceTerms,
): readonly PriceMove[] {
  const last = largest.at(-1);
  if (largest.length === LARGEST_MAX && last && byShare(move, last) >= 0) return largest;
  const told = { ...move, marginPct: marginOf(after, terms) };
  return [...largest, told].sort(byShare).slice(0, LARGEST_MAX);
}

/** In percent; null without a price, a cost or a VAT rate that is needed. */
function marginOf(product: PricedProduct, terms: PriceTerms): number | null {
  const { ourPriceCents, costPriceCents } = product;
  const { pricesIncludeVat } = terms;
  const vatRatePct = product.vatRatePct ?? terms.vatRatePct;
  return marginPct(ourPriceCents, { costPriceCents, pricesIncludeVat, vatRatePct });
}

/** The greater share of the old price first. */
function byShare(one: PriceMove, other: PriceMove): number {
  return shareOf(other) - shareOf(one);
}

/** Only for the order of a list. */
export function shareOf({ fromCents, toCents }: Amounts): number {
  return fromCents === 0 ? Infinity : Math.abs(toCents - fromCents) / fromCents;
}

const READ_NAMES = recordOf(AMOUNT_NAMES, majorName);

const NOT_TOLD: readonly string[] = ["updatedAt", "ourPriceUpdatedAt"];

const OF_MARGIN: ReadonlySet<string> = new Set(["ourPriceCents", "costPriceCents"]);

/**
 * The fields that differ, under the names and in the units in which they are read; price and cost
 * with the margin of the product before and afterwards, which is of all that the file changes.
 */
export function fieldChanges(before: Product, after: Product, terms: PriceTerms): FieldChange[] {
  const old: Record<string, unknown> = before;
  const names: Record<string, string | undefined> = READ_NAMES;
  return Object.entries(after).filter(([field, value]) =>
    !NOT_TOLD.includes(field) && JSON.stringify(old[field]) !== JSON.stringify(value)
  ).map(([field, value]) => ({
    sku: after.sku,
    field: names[field] ?? field,
    from: old[field],
    to: value,
    ...(names[field] && { fromCurrency: before.currency, toCurrency: after.currency }),
    ...(OF_MARGIN.has(field) && {
      fromMarginPct: marginOf(before, terms),
      toMarginPct: marginOf(after, terms),
    }),
  }));
}

/** The days of a product whose units differ. */
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
