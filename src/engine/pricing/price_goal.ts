/**
 * Computes a rule's new price (docs/decisions/rules.md, Price aims). The wish is the reference
 * price after the rule's adjustment, for example 1 % below the cheapest offer. The goal is the
 * wish, limited by the price bounds and then rounded. A price change never goes beyond the goal.
 */
import {
  ceilOf,
  compareFractions,
  floorOf,
  type Fraction,
  multiply,
  percent,
  whole,
} from "../../base/fraction.ts";
import { currencyExponent } from "../../base/money.ts";

interface EndingRange {
  /** The exclusive end; null for the last range. */
  readonly belowCents: number | null;
  /** Allowed last digits of amounts in minor units; empty if every amount is allowed. */
  readonly endings: readonly string[];
}

/** The span includes `lowCents` and `highCents`. */
interface Span {
  readonly lowCents: number;
  readonly highCents: number;
}

interface Endings {
  greatest(span: Span): number | null;
  least(span: Span): number | null;
}

interface Slice extends Span {
  readonly steps: readonly { readonly every: number; readonly ending: number }[];
}

const EVERY_AMOUNT = [{ every: 1, ending: 0 }];
const EVERY_PRICE: EndingRange = { belowCents: null, endings: [] };

/** `ranges` must be in ascending order, and only the last range may lack an end. */
export function compileEndings(ranges: readonly EndingRange[]): Endings {
  const all = ranges.length === 0 ? [EVERY_PRICE] : ranges;
  const slices = all.map(({ belowCents, endings }, at) => ({
    lowCents: all[at - 1]?.belowCents ?? 0,
    highCents: belowCents === null ? Number.MAX_SAFE_INTEGER : belowCents - 1,
    steps: endings.length === 0
      ? EVERY_AMOUNT
      : endings.map((digits) => ({ every: 10 ** digits.length, ending: Number(digits) })),
  }));
  return {
    greatest: (span) => best(slices, span, greatestOf, Math.max),
    least: (span) => best(slices, span, leastOf, Math.min),
  };
}

function overlap(a: Span, b: Span): Span {
  return {
    lowCents: Math.max(a.lowCents, b.lowCents),
    highCents: Math.min(a.highCents, b.highCents),
  };
}

function best(
  slices: readonly Slice[],
  span: Span,
  inSpan: (span: Span, every: number, ending: number) => number,
  pick: (...amounts: number[]) => number,
): number | null {
  let found: number | null = null;
  for (const slice of slices) {
    const part = overlap(slice, span);
    for (const { every, ending } of slice.steps) {
      const cents = inSpan(part, every, ending);
      if (cents < part.lowCents || cents > part.highCents) continue;
      found = found === null ? cents : pick(found, cents);
    }
  }
  return found;
}

function greatestOf({ highCents }: Span, every: number, ending: number): number {
  return highCents - remainder(highCents - ending, every);
}

function leastOf({ lowCents }: Span, every: number, ending: number): number {
  return lowCents + remainder(ending - lowCents, every);
}

function remainder(value: number, every: number): number {
  return ((value % every) + every) % every;
}

export const ROUNDING_WAYS = ["down", "up", "nearest"] as const;
type RoundingWay = (typeof ROUNDING_WAYS)[number];

export const DIRECTIONS = ["both", "lower", "raise"] as const;
type Direction = (typeof DIRECTIONS)[number];

export interface GoalTerms {
  readonly way: RoundingWay;
  readonly endings: Endings;
  readonly direction: Direction;
  /** Minimum change in percent of our price, unless our price is out of bounds. */
  readonly deadbandPct: number;
  /** Maximum size of one price change, in percent of the current price. */
  readonly maxMovePct: number | null;
  /** Maximum difference from our price 24 hours ago, in percent of that price. */
  readonly maxMovePerDayPct: number | null;
}

interface OwnPrices {
  readonly oursCents: number;
  /** Our price 24 hours ago; if null, the daily limit does not apply. */
  readonly dayAgoCents: number | null;
}

/** Why no price is set. After `bounds_conflict` and `max_move`, the rule still counts as fired. */
export type Stop =
  | "no_change"
  | "ending_beyond"
  | "direction"
  | "deadband"
  | "bounds_conflict"
  | "max_move";

export interface Goal {
  readonly goalCents: number | null;
  readonly cents: number | null;
  readonly stop: Stop | null;
  readonly isEndingDropped: boolean;
  readonly limit: Span | null;
  readonly cutBy: Cut | null;
}

type Cut = "move" | "day";

export function findGoal(
  terms: GoalTerms,
  wish: Fraction,
  within: Span,
  { oursCents, dayAgoCents }: OwnPrices,
): Goal {
  const ofMove = around(oursCents, terms.maxMovePct);
  const ofDay = dayAgoCents === null ? null : around(dayAgoCents, terms.maxMovePerDayPct);
  const limit = ofMove && ofDay ? overlap(ofMove, ofDay) : ofMove ?? ofDay;
  const found = { goalCents: null, cents: null, isEndingDropped: false, limit, cutBy: null };
  if (within.lowCents > within.highCents) return { ...found, stop: "bounds_conflict" };
  const clamped = clamp(wish, within);
  const side = compareFractions(clamped, whole(oursCents));
  if (side === 0) return { ...found, goalCents: oursCents, stop: "no_change" };
  const rounded = roundTo(terms, clamped, within);
  const goal = { ...found, ...rounded };
  const stop = restOf(terms, rounded.goalCents, side, within, oursCents);
  if (stop !== null) return { ...goal, stop };
  const { goalCents } = rounded;
  const isCut = limit !== null && (goalCents > limit.highCents || goalCents < limit.lowCents);
  if (!isCut) return { ...goal, cents: goalCents, stop: null };
  const move = cutMove(rounded, terms.endings, overlap(limit, within), oursCents);
  return { ...goal, ...move, cutBy: tighter(ofMove, ofDay, goalCents > oursCents) };
}

function around(cents: number, pct: number | null): Span | null {
  if (pct === null) return null;
  const from = whole(cents);
  return {
    lowCents: ceilOf(multiply(from, percent(100 - pct))),
    highCents: floorOf(multiply(from, percent(100 + pct))),
  };
}

function tighter(ofMove: Span | null, ofDay: Span | null, isUp: boolean): Cut {
  if (ofMove === null || ofDay === null) return ofDay === null ? "move" : "day";
  const isDay = isUp ? ofDay.highCents < ofMove.highCents : ofDay.lowCents > ofMove.lowCents;
  return isDay ? "day" : "move";
}

function clamp(wish: Fraction, { lowCents, highCents }: Span): Fraction {
  if (compareFractions(wish, whole(lowCents)) < 0) return whole(lowCents);
  return compareFractions(wish, whole(highCents)) > 0 ? whole(highCents) : wish;
}

type Rounded = ReturnType<typeof roundTo>;

function roundTo({ way, endings }: GoalTerms, wish: Fraction, within: Span) {
  const [below, above] = [floorOf(wish), ceilOf(wish)];
  const lower = endings.greatest({ ...within, highCents: below });
  const upper = endings.least({ ...within, lowCents: above });
  return {
    goalCents: choose(way, wish, lower ?? upper ?? below, upper ?? lower ?? above),
    isEndingDropped: lower === null && upper === null,
  };
}

function choose(way: RoundingWay, wish: Fraction, lower: number, upper: number): number {
  if (way !== "nearest") return way === "down" ? lower : upper;
  return compareFractions(multiply(wish, whole(2)), whole(lower + upper)) <= 0 ? lower : upper;
}

function restOf(
  { direction, deadbandPct }: GoalTerms,
  goalCents: number,
  side: number,
  within: Span,
  oursCents: number,
): Stop | null {
  const moves = goalCents - oursCents;
  if (moves === 0) return "no_change";
  if (Math.sign(moves) !== side) return "ending_beyond";
  if (direction !== "both" && (direction === "raise") !== (moves > 0)) return "direction";
  const isWithin = oursCents >= within.lowCents && oursCents <= within.highCents;
  const least = multiply(whole(oursCents), percent(deadbandPct));
  return isWithin && compareFractions(whole(Math.abs(moves)), least) < 0 ? "deadband" : null;
}

function cutMove(
  { goalCents, isEndingDropped }: Rounded,
  endings: Endings,
  within: Span,
  oursCents: number,
): Pick<Goal, "cents" | "stop" | "isEndingDropped"> {
  const isUp = goalCents > oursCents;
  const path = isUp
    ? { lowCents: oursCents + 1, highCents: goalCents }
    : { lowCents: goalCents, highCents: oursCents - 1 };
  const open = overlap(path, within);
  const ended = isUp ? endings.greatest(open) : endings.least(open);
  if (ended !== null) return { cents: ended, stop: null, isEndingDropped: false };
  if (open.lowCents > open.highCents) return { cents: null, stop: "max_move", isEndingDropped };
  return { cents: isUp ? open.highCents : open.lowCents, stop: null, isEndingDropped: true };
}

export const ROUNDINGS = ["none", "x.99", "x.95", "10ct"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

const ENDINGS = {
  "x.99": { every: 100, ending: 99 },
  "x.95": { every: 100, ending: 95 },
  "10ct": { every: 10, ending: 0 },
} as const;

export function hasTwoDecimals(currency: string): boolean {
  return currencyExponent(currency) === 2;
}

/** Rounds a price down to an allowed ending, or up if the lower price is below `floorCents`. */
export function roundPrice(
  cents: number,
  rounding: Exclude<Rounding, "none">,
  floorCents: number | null,
): number {
  const { every, ending } = ENDINGS[rounding];
  const lower = Math.floor((cents - ending) / every) * every + ending;
  return floorCents !== null && lower < floorCents ? lower + every : lower;
}
