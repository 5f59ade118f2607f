/**
 * The hold of imports (docs/decisions/imports.md): plain functions over products before and after.
 */
import { showMoney } from "../../base/money.ts";
import type { PricedProduct } from "../../catalogue/products/card.ts";
import type { HoldCause, HoldSample } from "../state/import_figures.ts";
import type { HoldTally } from "../state/import_job.ts";
import { movesBy, shareOf } from "./plan_impact.ts";
import type { Warning } from "./decide_record.ts";

/** Of each cause, so that one cannot hide another. */
export const SAMPLES_MAX = 10;

/** How far a price and a cost may move before they have moved. */
interface MoveBounds {
  readonly movePct: number;
  /** As `movePct` where it is absent. */
  readonly costMovePct?: number;
}

/** A tally before the first product; `isFirst` of a named source, null where the workspace's setting counts. */
export function createHoldTally(
  bounds: HoldTally["bounds"],
  isFirst: boolean | null = null,
): HoldTally {
  const tally = {
    bounds,
    products: 0,
    moved: 0,
    causes: { price: 0, cost: 0, currency: 0 },
    samples: [],
  };
  if (isFirst === null) return tally;
  const whole = { isFirst, skus: 0, changed: 0, created: 0, changedSkus: [], createdSkus: [] };
  return { ...tally, whole };
}

/** One more SKU of the file, and what becomes of its product. */
export function addToWhole(
  tally: HoldTally,
  sku: string,
  fate: "changed" | "created" | "left",
): HoldTally {
  const { whole } = tally;
  if (!whole) return tally;
  const skus = whole.skus + 1;
  const withSku = (known: readonly string[]) =>
    known.length < SAMPLES_MAX ? [...known, sku] : known;
  if (fate === "left") return { ...tally, whole: { ...whole, skus } };
  const more = fate === "changed"
    ? { changed: whole.changed + 1, changedSkus: withSku(whole.changedSkus) }
    : { created: whole.created + 1, createdSkus: withSku(whole.createdSkus) };
  return { ...tally, whole: { ...whole, skus, ...more } };
}

/**
 * One more existing product whose price or cost the file brings or takes; `after` is null when it
 * stays.
 */
export function addToHold(
  tally: HoldTally,
  before: PricedProduct | null,
  after: PricedProduct | null,
): HoldTally {
  if (before !== null && !isPriced(before)) return tally;
  const moves = before && after ? movesOf(before, after, tally.bounds) : [];
  const losses = before && after ? lossesOf(before, after) : [];
  if (moves.length === 0 && losses.length === 0) return { ...tally, products: tally.products + 1 };
  const more = (cause: HoldCause) =>
    losses.includes(cause) || moves.some((move) => move.cause === cause) ? 1 : 0;
  const { price, cost, currency } = tally.causes;
  return {
    ...tally,
    products: tally.products + 1,
    moved: tally.moved + 1,
    causes: {
      price: price + more("price"),
      cost: cost + more("cost"),
      currency: currency + more("currency"),
    },
    samples: moves.reduce(withSample, tally.samples),
  };
}

/**
 * Prices that the file takes away. A loss counts as a move without a sample: the next price
 * it would have nothing to be compared with.
 */
export function lossesOf(before: PricedProduct, after: PricedProduct): HoldCause[] {
  const isLost = (field: "ourPriceCents" | "costPriceCents") =>
    before[field] !== null && after[field] === null;
  return [
    ...(isLost("ourPriceCents") ? ["price" as const] : []),
    ...(isLost("costPriceCents") ? ["cost" as const] : []),
  ];
}

/**
 * The warning about a product that moves by more than `movePct`, with both prices; null for
 * another.
 */
export function warningOfMove(
  before: PricedProduct,
  after: PricedProduct,
  movePct: number,
): Warning | null {
  const moves = movesOf(before, after, { movePct });
  const [first] = moves;
  if (!first) return null;
  const told = moves.map((move) => `${move.cause} ${shownMove(move)}`).join("; ");
  return {
    code: "price_moved",
    message: `Moves by more than ${movePct} % or to another currency, and the hold of imports is ` +
      `off: ${told}`,
    value: showMoney(first.toCents, first.toCurrency),
  };
}

/** A move as a sentence has it. */
export function shownMove({ fromCents, fromCurrency, toCents, toCurrency }: HoldSample): string {
  return `${showMoney(fromCents, fromCurrency)} to ${showMoney(toCents, toCurrency)}`;
}

function isPriced({ ourPriceCents, costPriceCents }: PricedProduct): boolean {
  return ourPriceCents !== null || costPriceCents !== null;
}

/** Price first, then cost; in another currency the two cannot be compared, and that is the move. */
function movesOf(
  before: PricedProduct,
  after: PricedProduct,
  { movePct, costMovePct = movePct }: MoveBounds,
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
  before: PricedProduct,
  after: PricedProduct,
  field: "ourPriceCents" | "costPriceCents",
): HoldSample | null {
  const [fromCents, toCents] = [before[field], after[field]];
  if (fromCents === null || toCents === null) return null;
  const currencies = { fromCurrency: before.currency, toCurrency: after.currency };
  return { sku: after.sku, cause, fromCents, toCents, ...currencies };
}

/** The samples with one more, the greatest of each cause first. */
function withSample(samples: readonly HoldSample[], one: HoldSample): readonly HoldSample[] {
  const ofCause = [...samples.filter(({ cause }) => cause === one.cause), one];
  if (one.cause !== "currency") ofCause.sort((a, b) => shareOf(b) - shareOf(a));
  const others = samples.filter(({ cause }) => cause !== one.cause);
  return [...others, ...ofCause.slice(0, SAMPLES_MAX)];
}
