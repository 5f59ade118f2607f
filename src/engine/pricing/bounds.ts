/**
 * Limits of a rule's prices (docs/decisions/rules.md): bounds for every computed price, and a brake
 * on repeated cuts. If a rule has cut a product's price too often within some days, the brake
 * forbids further cuts for some days.
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
import { MINOR_UNITS_MAX } from "../../base/money.ts";
import type { BoundCode } from "./codes.ts";
import { orDefault, orNull, percentField } from "./field.ts";
import {
  type BrakeState,
  type Cut,
  type Market,
  priceAtCost,
  priceForMargin,
} from "./situation.ts";
import type { AimKind } from "./actions.ts";
import type { Goal, GoalTerms } from "./price_goal.ts";
import type { Statement } from "./trigger.ts";
import { z } from "zod";
import { DAY_MS } from "../../base/time.ts";

type Amount = Readonly<{ cents: number; currency: string; of: "rule" | "product" }>;

export type NoteFacts = Readonly<{
  margin_floor: Readonly<{ floorPct: number }>;
  markup_floor: Readonly<{ markupPct: number }>;
  min_price: Amount;
  max_price: Amount;
  below_target: Readonly<{ pct: number }>;
  above_target: Readonly<{ pct: number }>;
  max_move: NonNullable<ReturnType<typeof cutFacts>>;
  ending_dropped: Readonly<Record<never, never>>;
  fallback: Readonly<{ kind: AimKind }>;
}>;

export type Note = {
  readonly [Code in keyof NoteFacts]: Statement<Code, NoteFacts[Code]>;
}[keyof NoteFacts];

export function cutFacts(
  { cutBy, goalCents }: Pick<Goal, "cutBy" | "goalCents">,
  { maxMovePct, maxMovePerDayPct }: Pick<GoalTerms, "maxMovePct" | "maxMovePerDayPct">,
  currency: string,
) {
  if (cutBy === null || goalCents === null) return null;
  const isOfDay = cutBy === "day";
  return { maxPct: (isOfDay ? maxMovePerDayPct : maxMovePct) ?? 0, goalCents, currency, isOfDay };
}

const PCT_MAX = 10_000;

const Cents = z.int().min(1).max(MINOR_UNITS_MAX);

export const Bounds = z.strictObject({
  markupPct: orNull(percentField(0, PCT_MAX)).meta({
    title: "Smallest mark-up in percent",
    description: "Relative to the cost; the net price is never below cost plus mark-up",
  }),
  minCents: orNull(Cents).meta({
    title: "Lowest price",
    description: "In minor units of `currency`",
  }),
  maxCents: orNull(Cents).meta({
    title: "Highest price",
    description: "In minor units of `currency`",
  }),
  belowTargetPct: orNull(percentField(0, 100)).meta({
    title: "Maximum percent below the target price",
    description: "0: never below the target price",
  }),
  aboveTargetPct: orNull(percentField(0, PCT_MAX)).meta({
    title: "Maximum percent above the target price",
    description: "0: never above the target price",
  }),
  maxMovePct: orNull(percentField(0, PCT_MAX)).meta({
    title: "Largest move in percent",
    description: "Relative to the current price; larger differences take several moves",
  }),
  maxMovePerDayPct: orNull(percentField(0, PCT_MAX)).meta({
    title: "Largest move within a day in percent",
    description: "Relative to the price 24 hours ago",
  }),
  maxMovesPerDay: orNull(z.int().min(1).max(100)).meta({
    title: "Maximum number of changes within a day",
    description: "Counts changes by rules and approved proposals within 24 hours",
  }),
  noTarget: orDefault(z.enum(["stop", "ignore"]), "ignore").meta({
    title: "Without a target price",
    description: "Whether the rule then sets no price (stop) or ignores the bound",
  }),
}).refine(
  ({ minCents, maxCents }) => minCents === null || maxCents === null || minCents <= maxCents,
  { message: 'Must not be below "minCents"', path: ["maxCents"] },
).meta({
  id: "Bounds",
  description: "Limits of the price; only together with `price` in an action",
});

export type Bounds = Readonly<z.output<typeof Bounds>>;

interface BoundTerms {
  readonly floorPct: number | null;
  readonly bounds: Bounds | null;
}

export interface Bound {
  readonly side: "low" | "high";
  readonly cents: number;
  readonly said: Extract<Note, { code: BoundCode }>;
}

export type Limits = ReturnType<typeof tightest>;

/** `INPUT_GUARDS` must first check the cost and VAT rate that margin floor and mark-up need. */
export function boundsOn({ floorPct, bounds }: BoundTerms, market: Market): Bound[] {
  const { currency, minPriceCents, maxPriceCents, targetPriceCents } = market.situation.product;
  const found: Bound[] = [];
  const low = (cents: number, said: Bound["said"]) => found.push({ side: "low", cents, said });
  const high = (cents: number, said: Bound["said"]) => found.push({ side: "high", cents, said });
  if (floorPct !== null) {
    // No price reaches a margin of 100 %, so this floor forbids every price.
    const cents = floorPct < 100 ? priceForMargin(market, floorPct) : Number.MAX_SAFE_INTEGER;
    low(cents, { code: "margin_floor", facts: { floorPct } });
  }
  const { markupPct = null, minCents = null, maxCents = null } = bounds ?? {};
  if (markupPct !== null) {
    const cents = ceilOf(multiply(priceAtCost(market), percent(100 + markupPct)));
    low(cents, { code: "markup_floor", facts: { markupPct } });
  }
  const amounts = [
    ["rule", minCents, maxCents],
    ["product", minPriceCents, maxPriceCents],
  ] as const;
  for (const [of, least, most] of amounts) {
    // ERPs write 0 if there is no minimum or maximum price.
    if (least) low(least, { code: "min_price", facts: { cents: least, currency, of } });
    if (most) high(most, { code: "max_price", facts: { cents: most, currency, of } });
  }
  if (!targetPriceCents) return found;
  const target = whole(targetPriceCents);
  const { belowTargetPct: below = null, aboveTargetPct: above = null } = bounds ?? {};
  if (below !== null) {
    const cents = ceilOf(multiply(target, percent(100 - below)));
    low(cents, { code: "below_target", facts: { pct: below } });
  }
  if (above !== null) {
    const cents = floorOf(multiply(target, percent(100 + above)));
    high(cents, { code: "above_target", facts: { pct: above } });
  }
  return found;
}

export function needsTarget(bounds: Bounds | null): boolean {
  return bounds !== null && bounds.noTarget === "stop" &&
    (bounds.belowTargetPct !== null || bounds.aboveTargetPct !== null);
}

export function needsPast(bounds: Bounds | null): boolean {
  return bounds !== null && (bounds.maxMovePerDayPct !== null || bounds.maxMovesPerDay !== null);
}

export function tightest(bounds: readonly Bound[]) {
  let low: Bound | null = null;
  let high: Bound | null = null;
  for (const bound of bounds) {
    if (bound.side === "low") low = low === null || bound.cents > low.cents ? bound : low;
    else high = high === null || bound.cents < high.cents ? bound : high;
  }
  return {
    low,
    high,
    span: {
      lowCents: Math.max(1, low?.cents ?? 1),
      highCents: high?.cents ?? Number.MAX_SAFE_INTEGER,
    },
  };
}

export function bindingBound(wish: Fraction, { low, high }: Limits): Bound | null {
  if (low !== null && compareFractions(wish, whole(low.cents)) < 0) return low;
  return high !== null && compareFractions(wish, whole(high.cents)) > 0 ? high : null;
}

export const CUTS_MAX = 20;

export const Brake = z.strictObject({
  cuts: z.int().min(1).max(CUTS_MAX).meta({
    title: "Number of cuts",
    description: "After this many cuts, the rule does not lower the price any more",
  }),
  days: z.int().min(1).max(90).meta({
    title: "Within this many days",
    description: "Each of 24 hours",
  }),
  restDays: z.int().min(1).max(365).meta({
    title: "Then no cuts for this many days",
    description: "At least `days`; price increases are still allowed",
  }),
}).refine(
  ({ days, restDays }) => restDays >= days,
  { message: 'Must not be less than "days"', path: ["restDays"] },
).meta({ id: "Brake", description: "Stops price wars; only together with `price` in an action" });

export type Brake = Readonly<z.output<typeof Brake>>;

export const DEFAULT_BRAKE: Brake = { cuts: 3, days: 7, restDays: 7 };

export function brakeOf(
  { brake, actions }: {
    readonly brake: Brake | null;
    readonly actions: readonly { readonly type: string }[];
  },
  hasAim: boolean,
): Brake | null {
  const applies = actions.some(({ type }) => type === "auto_apply_if_safe");
  return hasAim && applies ? brake ?? DEFAULT_BRAKE : null;
}

export function isBraked(state: BrakeState | undefined, nowMs: number): boolean {
  return state !== undefined && state.untilMs !== null && nowMs < state.untilMs;
}

export function withCut(
  state: BrakeState | undefined,
  cut: Cut,
  { cuts: most, days, restDays }: Brake,
): BrakeState {
  const fromMs = cut.atMs - days * DAY_MS;
  const earlier = state?.cuts.filter(({ atMs }) => atMs > fromMs) ?? [];
  const cuts = [...earlier, cut].slice(-CUTS_MAX);
  return { cuts, untilMs: cuts.length >= most ? cut.atMs + restDays * DAY_MS : null };
}

export function rivalOf(cuts: readonly Cut[]): string | null {
  const [first] = cuts;
  if (!first || first.competitorId === null || cuts.length < 2) return null;
  const isWar = cuts.every(({ competitorId, referenceCents }, at) => {
    const before = cuts[at - 1]?.referenceCents ?? Infinity;
    return competitorId === first.competitorId && referenceCents !== null &&
      referenceCents < before;
  });
  return isWar ? first.competitorId : null;
}

export const BUDGET_MAX = 1_000_000;
