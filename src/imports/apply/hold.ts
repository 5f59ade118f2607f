/**
 * The hold of imports (docs/decisions/imports.md): plain functions over products before and after.
 */
import { showMoney } from "../../base/money.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { ImportHold } from "../../identity/workspace.ts";
import type { HoldCause, HoldSample, HoldTally } from "../state/import_job.ts";
import { isMoreThanPct, movesBy, shareOf } from "./plan_impact.ts";
import type { Warning } from "./decide_record.ts";

/** Of each cause, so that one cannot hide another. */
const SAMPLES_PER_CAUSE = 5;

/** A tally before the first product. */
export function createHoldTally(bounds: ImportHold): HoldTally {
  return {
    bounds,
    products: 0,
    moved: 0,
    causes: { price: 0, cost: 0, currency: 0 },
    samples: [],
  };
}

/**
 * One more existing product whose price or cost the file brings or takes; `after` is null when it
 * stays.
 */
export function addToHold(tally: HoldTally, before: Product | null, after: Product | null) {
  if (before !== null && !isPriced(before)) return tally;
  const moves = before && after ? movesOf(before, after, tally.bounds.movePct) : [];
  const losses = before && after ? lossesOf(before, after) : [];
  const more = (cause: HoldCause) =>
    losses.includes(cause) || moves.some((move) => move.cause === cause) ? 1 : 0;
  const { price, cost, currency } = tally.causes;
  return {
    ...tally,
    products: tally.products + 1,
    moved: tally.moved + (moves.length + losses.length > 0 ? 1 : 0),
    causes: {
      price: price + more("price"),
      cost: cost + more("cost"),
      currency: currency + more("currency"),
    },
    samples: moves.reduce(withSample, tally.samples),
  };
}

/**
 * What the file takes away. It counts as a move, though there is nothing to sample: what comes after
 * it would have nothing to be compared with.
 */
export function lossesOf(before: Product, after: Product): HoldCause[] {
  const isLost = (field: "ourPriceCents" | "costPriceCents") =>
    before[field] !== null && after[field] === null;
  return [
    ...(isLost("ourPriceCents") ? ["price" as const] : []),
    ...(isLost("costPriceCents") ? ["cost" as const] : []),
  ];
}

/**
 * True when more products moved than the setting lets pass: exactly, and never without a product.
 */
export function isBeyond({ moved, products, bounds }: HoldTally): boolean {
  return isMoreThanPct(moved, products, bounds.sharePct);
}

/** What an integrator reads who looks into a held job for the first time. */
export function holdMessage({ moved, products, causes, bounds, samples }: HoldTally): string {
  const first = samples.slice(0, 1).map((sample) =>
    ` For example "${sample.sku}": ${shown(sample)}.`
  );
  return `${moved} of ${products} products (more than ${bounds.sharePct} %) move their price or ` +
    `cost by more than ${bounds.movePct} %, lose it, or change their currency (price ${causes.price}, cost ` +
    `${causes.cost}, currency ${causes.currency}): nothing was applied.${
      first.join("")
    } If that is ` +
    "meant, apply the import with force=true within 24 hours; else correct the export and send it again";
}

/**
 * The warning about a product that moves by more than `movePct`, with both prices; null for
 * another.
 */
export function warningOfMove(before: Product, after: Product, movePct: number): Warning | null {
  const moves = movesOf(before, after, movePct);
  const [first] = moves;
  if (!first) return null;
  const told = moves.map((move) => `${NAMES[move.cause]} ${shown(move)}`).join("; ");
  return {
    code: "price_moved",
    message: `Moves by more than ${movePct} % or to another currency, and the hold of imports is ` +
      `off: ${told}`,
    value: showMoney(first.toCents, first.toCurrency),
  };
}

const NAMES: Readonly<Record<HoldCause, string>> = {
  price: "price",
  cost: "cost",
  currency: "currency",
};

function shown({ fromCents, fromCurrency, toCents, toCurrency }: HoldSample): string {
  return `${showMoney(fromCents, fromCurrency)} to ${showMoney(toCents, toCurrency)}`;
}

function isPriced({ ourPriceCents, costPriceCents }: Product): boolean {
  return ourPriceCents !== null || costPriceCents !== null;
}

/** Price first, then cost; in another currency the two cannot be compared, and that is the move. */
function movesOf(before: Product, after: Product, movePct: number): HoldSample[] {
  const price = pairOf("price", before, after, "ourPriceCents");
  const cost = pairOf("cost", before, after, "costPriceCents");
  const pairs = [price, cost].filter((pair) => pair !== null);
  if (before.currency === after.currency) return pairs.filter((pair) => movesBy(pair, movePct));
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

/** The samples with one more, the greatest of each cause first. */
function withSample(samples: readonly HoldSample[], one: HoldSample): readonly HoldSample[] {
  const ofCause = [...samples.filter(({ cause }) => cause === one.cause), one];
  if (one.cause !== "currency") ofCause.sort((a, b) => shareOf(b) - shareOf(a));
  const others = samples.filter(({ cause }) => cause !== one.cause);
  return [...others, ...ofCause.slice(0, SAMPLES_PER_CAUSE)];
}
