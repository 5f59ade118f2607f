/**
 * The guards (checks) that forbid the price of a rule. Before a price is computed, `INPUT_GUARDS`
 * check the product and the rule. `AIM_GUARDS` check a price that comes from a price aim, and
 * `PRICE_GUARDS` a price that comes from a formula.
 */

import { MINOR_UNITS_MAX } from "../../base/money.ts";
import { knownCost } from "../../base/fraction.ts";
import { DAY_MS, isoOrNull } from "../../base/time.ts";
import { isOfMarket } from "./actions.ts";
import { cutFacts, isBraked, needsPast, needsTarget, type NoteFacts, rivalOf } from "./bounds.ts";
import type { BoundCode } from "./codes.ts";
import type { CompiledPrice, FormulaPrice } from "./compile_rule.ts";
import {
  type belowCost,
  type Draft,
  inputGuard,
  type priceChanged,
  type PricedDraft,
  priceGuard,
  type SAFETY_GUARDS,
} from "./safety_guards.ts";
import type { Stop } from "./price_goal.ts";
import { lacksVat } from "./reference.ts";

export const INPUT_GUARDS = [
  inputGuard({
    value: "no_own_price",
    against: ({ view }) => view.ourPriceCents > 0 ? null : {},
  }),
  inputGuard({
    value: "price_locked",
    isCheckedAgain: true,
    against: ({ view }) => view.market.situation.product.priceLocked ? {} : null,
  }),
  inputGuard({
    value: "price_held",
    isCheckedAgain: true,
    against({ view }) {
      const { product: { heldUntilMs }, nowMs, mode } = view.market.situation;
      if (heldUntilMs === null || heldUntilMs <= nowMs || mode === "backtest") return null;
      return { until: new Date(heldUntilMs).toISOString() };
    },
  }),
  inputGuard({
    value: "floor_unreachable",
    against({ rule: { price, limits: { floorPct } } }) {
      if (floorPct !== null && floorPct >= 100) return { of: "floor" as const };
      const isReachable = !aimsAtMargin(price) || (price.targetMarginPct ?? 100) < 100;
      return isReachable ? null : { of: "target" as const };
    },
  }),
  inputGuard({
    value: "cost_unknown",
    isCheckedAgain: true,
    against(draft) {
      const { product } = draft.view.market.situation;
      const neededBy = knownCost(product) === null ? costNeededBy(draft) : null;
      return neededBy && { neededBy, isZero: product.costPriceCents === 0 };
    },
  }),
  inputGuard({
    value: "vat_unknown",
    isCheckedAgain: true,
    against(draft) {
      const { rule, view: { market } } = draft;
      if ((rule.needs.references || needsReferences(draft)) && lacksVat(rule.options, market)) {
        return { neededBy: "reference" as const };
      }
      const needsNet = costNeededBy(draft) !== null;
      const isKnown = market.vatFactor !== null || !market.situation.settings.pricesIncludeVat;
      return needsNet && !isKnown ? { neededBy: "margin" as const } : null;
    },
  }),
  inputGuard({
    value: "amount_currency",
    isCheckedAgain: true,
    against({ rule: { price }, view }) {
      const { product: { currency }, settings } = view.market.situation;
      if (price?.kind !== "aim" || !price.hasAmounts) return null;
      const amounts = price.currency ?? settings.currency;
      return amounts === currency ? null : { amounts, product: currency };
    },
  }),
  inputGuard({
    value: "target_unknown",
    isCheckedAgain: true,
    against({ aimedAt, rule: { limits }, view }) {
      const isKnown = (view.market.situation.product.targetPriceCents ?? 0) > 0;
      return !isKnown && (aimedAt === "target" || needsTarget(limits.bounds)) ? {} : null;
    },
  }),
  inputGuard({
    value: "no_reference",
    against(draft) {
      if (!needsReferences(draft)) return null;
      const { rule: { price }, view: { references: { offers, areEnough } } } = draft;
      const nth = price?.kind === "aim" ? price.aim.reference.nth : null;
      return areEnough && offers.length >= (nth ?? 1) ? null : {};
    },
  }),
] as const;

function needsReferences({ rule: { price }, aimedAt }: Draft): boolean {
  if (price?.kind === "formula") return price.formula.needs.references;
  return aimedAt !== null && isOfMarket(aimedAt);
}

function aimsAtMargin(price: CompiledPrice | null): price is FormulaPrice {
  return price?.kind === "formula" && price.formula.needs.targetMargin;
}

function costNeededBy(
  { rule: { price, limits: { floorPct, bounds } }, aimedAt }: Draft,
): "floor" | "markup" | "target" | "price" | null {
  if (floorPct !== null) return "floor";
  if (bounds !== null && bounds.markupPct !== null) return "markup";
  if (aimsAtMargin(price)) return "target";
  return aimedAt === "cost" ? "price" : null;
}

const priceTooHigh = priceGuard({
  value: "price_too_high",
  against: ({ wish, proposedCents, aimed }) => {
    const wished = aimed === null ? wish.cents : 0;
    return Math.max(wished, proposedCents) > MINOR_UNITS_MAX ? {} : null;
  },
});

const boundsConflict = priceGuard({
  value: "bounds_conflict",
  against({ tight: { low, high, span: { lowCents, highCents } }, view: { market } }) {
    if (lowCents <= highCents || high === null) return null;
    const { currency } = market.situation.product;
    return { lowCents, low: low?.said.code ?? "", highCents, high: high.said.code, currency };
  },
});

const noChange = priceGuard({
  value: "no_change",
  isCheckedAgain: true,
  against({ wish, proposedCents, aimed, view: { ourPriceCents } }) {
    if (aimed !== null) return aimed.goal.stop === "no_change" ? { isRounded: false } : null;
    // If the floor prevents a price cut, the guard `floor_above_current` objects, not this guard.
    if (wish.cents < ourPriceCents || proposedCents > ourPriceCents) return null;
    if (proposedCents === ourPriceCents) return { isRounded: false };
    return wish.cents > ourPriceCents ? { isRounded: true } : null;
  },
});

export const PRICE_GUARDS = [
  priceGuard({
    value: "price_too_low",
    against: ({ wish, proposedCents }) => wish.cents < 1 || proposedCents < 1 ? {} : null,
  }),
  priceTooHigh,
  boundsConflict,
  priceGuard({
    value: "floor_above_current",
    against({ wish, proposedCents, view: { ourPriceCents, market } }) {
      if (wish.cents >= ourPriceCents || proposedCents < ourPriceCents) return null;
      return { lowestCents: proposedCents, currency: market.situation.product.currency };
    },
  }),
  noChange,
] as const;

export const AIM_GUARDS = [
  boundsConflict,
  priceTooHigh,
  noChange,
  // This guard objects if rounding to an allowed ending would turn a price cut into a rise, or a
  // rise into a cut.
  stopGuard("ending_beyond"),
  priceGuard({
    value: "direction",
    against({ aimed, view: { market, ourPriceCents } }) {
      const goalCents = stoppedAt(aimed, "direction");
      if (goalCents === null) return null;
      const { currency } = market.situation.product;
      return { goalCents, isRaise: goalCents > ourPriceCents, currency };
    },
  }),
  stopGuard("deadband"),
  priceGuard({
    value: "max_move",
    isTemporary: true,
    against({ aimed, rule: { limits: { bounds } }, view: { market } }) {
      if (aimed?.goal.stop !== "max_move" || bounds === null) return null;
      return cutFacts(aimed.goal, bounds, market.situation.product.currency);
    },
  }),
  // Except in back-tests, objects if our prices of the last 24 hours are needed but were not read.
  priceGuard({
    value: "day_unread",
    isTemporary: true,
    against({ rule: { limits: { bounds } }, view: { market: { situation: { history, mode } } } }) {
      const isMissing = needsPast(bounds) && history.price === null && mode !== "backtest";
      return isMissing ? {} : null;
    },
  }),
  priceGuard({
    value: "moves_per_day",
    isTemporary: true,
    against({ rule: { limits: { bounds } }, view: { market: { situation: { history } } } }) {
      const most = bounds?.maxMovesPerDay ?? null;
      const count = history.price?.movesOfDay ?? 0;
      if (most === null || count < most) return null;
      const freeingMs = history.price?.moveTimesMs?.[most - 1] ?? null;
      return { most, count, until: isoOrNull(freeingMs === null ? null : freeingMs + DAY_MS) };
    },
  }),
  priceGuard({
    value: "brake",
    isTemporary: true,
    against({ rule: { brake }, proposedCents, view: { past, market, ourPriceCents } }) {
      const { offers, nowMs } = market.situation;
      if (brake === null || proposedCents >= ourPriceCents || !past?.brake) return null;
      const { cuts, untilMs } = past.brake;
      if (!isBraked(past.brake, nowMs)) return null;
      const rivalId = rivalOf(cuts);
      const rival = offers.find(({ competitorId }) => competitorId === rivalId);
      return {
        count: cuts.length,
        until: new Date(untilMs ?? nowMs).toISOString(),
        competitor: rival?.competitor ?? null,
      };
    },
  }),
] as const;

export const TEMPORARY_CODES: ReadonlySet<string> = new Set(
  AIM_GUARDS.flatMap(({ value, isTemporary }) => isTemporary ? value : []),
);

/** The guards that object if our price equals the rule's price or is close to it. */
export const REACHED_CODES: ReadonlySet<string> = new Set([
  "no_change",
  "ending_beyond",
  "deadband",
]);

/** A rule with a price aim does not fire if the first guard that objects is one of these. */
export const REST_CODES: ReadonlySet<string> = new Set([
  ...REACHED_CODES,
  "no_reference",
  "direction",
]);

function stopGuard<const Code extends Stop>(value: Code) {
  return priceGuard({
    value,
    against({ aimed, view: { market } }) {
      const goalCents = stoppedAt(aimed, value);
      return goalCents === null ? null : { goalCents, currency: market.situation.product.currency };
    },
  });
}

function stoppedAt(aimed: PricedDraft["aimed"], stop: Stop): number | null {
  return aimed?.goal.stop === stop ? aimed.goal.goalCents : null;
}

type AnyGuard =
  | (
    | typeof INPUT_GUARDS
    | typeof PRICE_GUARDS
    | typeof AIM_GUARDS
    | typeof SAFETY_GUARDS
  )[number]
  | typeof priceChanged
  | typeof belowCost;

type Taker = Readonly<{ ruleId: string; ruleName: string; wouldBeCents: number; currency: string }>;

export type ObjectionFacts =
  & { readonly [One in AnyGuard as One["value"]]: NonNullable<ReturnType<One["against"]>> }
  & Pick<NoteFacts, BoundCode>
  & {
    readonly outranked: Taker;
    /** An earlier rule would immediately change the new price again. */
    readonly not_stable: Taker;
    readonly rule_deleted: Readonly<Record<never, never>>;
    readonly rule_off: Readonly<Record<never, never>>;
    readonly ending_dropped: Readonly<Record<never, never>>;
    readonly other_open: Readonly<Record<never, never>>;
  };
