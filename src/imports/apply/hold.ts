/**
 * Counts the changes that an import makes, for its result and for the guards that may stop the
 * import.
 */
import { fromKeys } from "../../base/collections.ts";
import { showMoney } from "../../base/money.ts";
import { marginPct } from "../../base/fraction.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  AMOUNT_NAMES,
  FOLLOWING_NAMES,
  majorName,
} from "../../catalogue/products/product_field_table.ts";
import type { SalesChange } from "../../catalogue/sales/sales_store.ts";
import type {
  FieldChange,
  HoldCause,
  HoldCounters,
  HoldSample,
  ImportImpact,
  PriceMove,
} from "../state/import_job.ts";
import type { Warning } from "./decide_record.ts";

const LARGEST_MAX = 10;
const OVER_PCT = 20;

export interface PriceTerms {
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  readonly currency: string;
}

export function addToImpact(
  impact: ImportImpact,
  before: Product,
  after: Product,
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
    raisedCents: impact.raisedCents + Math.max(0, byCents),
    loweredCents: impact.loweredCents + Math.max(0, -byCents),
    largest: move === null ? impact.largest : withMove(impact.largest, move, after, terms),
  };
}

function priceMoveOf(before: Product, after: Product): BareMove | null {
  const [fromCents, toCents] = [before.ourPriceCents, after.ourPriceCents];
  if (fromCents === null || toCents === null || fromCents === toCents) return null;
  if (before.currency !== after.currency) return null;
  return { sku: after.sku, fromCents, toCents, currency: after.currency };
}

type BareMove = Omit<PriceMove, "marginPct">;
type Amounts = Pick<PriceMove, "fromCents" | "toCents">;

function movesBy({ fromCents, toCents }: Amounts, pct: number): boolean {
  return isMoreThanPct(Math.abs(toCents - fromCents), fromCents, pct);
}

/** `pct` has at most four decimals. */
export function isMoreThanPct(part: number, whole: number, pct: number): boolean {
  const scaledPct = Math.round(pct * 10_000);
  const [left, right] = [part * 1_000_000, whole * scaledPct];
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) return left > right;
  return BigInt(part) * 1_000_000n > BigInt(whole) * BigInt(scaledPct);
}

function isBelowCost(
  { ourPriceCents, costPriceCents, vatRatePct }: Product,
  terms: PriceTerms,
): boolean {
  if (ourPriceCents === null || costPriceCents === null) return false;
  const ratePct = terms.pricesIncludeVat ? vatRatePct ?? terms.vatRatePct ?? 0 : 0;
  const grossFactor = 1_000_000n + BigInt(Math.round(ratePct * 10_000));
  return BigInt(ourPriceCents) * 1_000_000n < BigInt(costPriceCents) * grossFactor;
}

function withMove(
  largest: readonly PriceMove[],
  move: BareMove,
  after: Product,
  terms: PriceTerms,
): readonly PriceMove[] {
  const last = largest.at(-1);
  if (largest.length === LARGEST_MAX && last && byShare(move, last) >= 0) return largest;
  const withMargin = { ...move, marginPct: marginOf(after, terms) };
  return [...largest, withMargin].sort(byShare).slice(0, LARGEST_MAX);
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
  counters: HoldCounters,
  sku: string,
  effect: "changed" | "created" | "left",
): HoldCounters {
  const { whole } = counters;
  if (!whole) return counters;
  const skus = whole.skus + 1;
  const withSku = (known: readonly string[]) =>
    known.length < SAMPLES_MAX ? [...known, sku] : known;
  if (effect === "left") return { ...counters, whole: { ...whole, skus } };
  const more = effect === "changed"
    ? { changed: whole.changed + 1, changedSkus: withSku(whole.changedSkus) }
    : { created: whole.created + 1, createdSkus: withSku(whole.createdSkus) };
  return { ...counters, whole: { ...whole, skus, ...more } };
}

export function addToHold(
  counters: HoldCounters,
  before: Product | null,
  after: Product | null,
): HoldCounters {
  if (before !== null && !isPriced(before)) return counters;
  const moves = before && after ? movesOf(before, after, counters.bounds) : [];
  const losses = before && after ? lossesOf(before, after) : [];
  if (moves.length === 0 && losses.length === 0) {
    return { ...counters, products: counters.products + 1 };
  }
  const more = (cause: HoldCause) =>
    losses.includes(cause) || moves.some((move) => move.cause === cause) ? 1 : 0;
  const { price, cost, currency } = counters.causes;
  return {
    ...counters,
    products: counters.products + 1,
    moved: counters.moved + 1,
    causes: {
      price: price + more("price"),
      cost: cost + more("cost"),
      currency: currency + more("currency"),
    },
    samples: moves.reduce(withSample, counters.samples),
  };
}

export function lossesOf(before: Product, after: Product): HoldCause[] {
  const lost = (cause: HoldCause, field: "ourPriceCents" | "costPriceCents") =>
    before[field] !== null && after[field] === null ? [cause] : [];
  return [...lost("price", "ourPriceCents"), ...lost("cost", "costPriceCents")];
}

export function warningOfMove(
  before: Product,
  after: Product,
  movePct: number,
): Warning | null {
  const moves = movesOf(before, after, { movePct });
  const [first] = moves;
  if (!first) return null;
  const largest = moves.map((move) => `${move.cause} ${serialiseMove(move)}`).join("; ");
  return {
    code: "price_moved",
    message: `Moves by more than ${movePct} % or to another currency, and the hold of imports is ` +
      `off: ${largest}`,
    value: showMoney(first.toCents, first.toCurrency),
  };
}

export function serialiseMove(
  { fromCents, fromCurrency, toCents, toCurrency }: HoldSample,
): string {
  return `${showMoney(fromCents, fromCurrency)} to ${showMoney(toCents, toCurrency)}`;
}

function isPriced({ ourPriceCents, costPriceCents }: Product): boolean {
  return ourPriceCents !== null || costPriceCents !== null;
}

function movesOf(
  before: Product,
  after: Product,
  { movePct, costMovePct = movePct }: { readonly movePct: number; readonly costMovePct?: number },
): HoldSample[] {
  const price = pairOf("price", before, after, "ourPriceCents");
  const cost = pairOf("cost", before, after, "costPriceCents");
  const pairs = [price, cost].filter((pair) => pair !== null);
  if (before.currency === after.currency) {
    return pairs.filter((pair) => movesBy(pair, pair === cost ? costMovePct : movePct));
  }
  return pairs.slice(0, 1).map((pair) => ({ ...pair, cause: "currency" }));
}

function pairOf(
  cause: HoldCause,
  before: Product,
  after: Product,
  field: "ourPriceCents" | "costPriceCents",
): HoldSample | null {
  const [fromCents, toCents] = [before[field], after[field]];
  if (fromCents === null || toCents === null) return null;
  const currencies = { fromCurrency: before.currency, toCurrency: after.currency };
  return { sku: after.sku, cause, fromCents, toCents, ...currencies };
}

function withSample(samples: readonly HoldSample[], one: HoldSample): readonly HoldSample[] {
  const ofCause = [...samples.filter(({ cause }) => cause === one.cause), one];
  if (one.cause !== "currency") ofCause.sort((a, b) => shareOf(b) - shareOf(a));
  const others = samples.filter(({ cause }) => cause !== one.cause);
  return [...others, ...ofCause.slice(0, SAMPLES_MAX)];
}
