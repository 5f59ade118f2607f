/**
 * Guards check a rule, its product and its price. If a safety guard objects, the price is not
 * applied automatically, but becomes a proposal. The guards in `guards.ts` forbid a price.
 */
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { compareFractions, multiply, percent, whole } from "../../base/fraction.ts";
import { isLargeMove } from "../../base/money.ts";
import { AHEAD_MS_MAX, HOUR_MS, isoOrNull } from "../../base/time.ts";
import { referenceOffers } from "./reference.ts";
import type { Bound, Limits, Note } from "./bounds.ts";
import { BOUND_CODES } from "./codes.ts";
import { type CompiledRule, honoursCooldown } from "./compile_rule.ts";
import type { AimBase, AimKind, Wish } from "./actions.ts";
import type { Goal } from "./price_goal.ts";
import { compareMargin, missingForMargin, type Offer, type PricedOffer } from "./situation.ts";
import type { View } from "./trigger.ts";

export interface Draft {
  readonly rule: CompiledRule;
  readonly view: View;
  /** What the rule's price is based on, such as the cost; null if the rule has no price aim. */
  readonly aimedAt: AimKind | null;
}

/** `observedAtMs` is null if the offer is gone or disabled. */
type UsedReference = Pick<Offer, "competitor" | "observedAtMs">;

export interface ApprovedDraft extends PricedDraft {
  readonly made: { readonly fromCents: number; readonly currency: string };
  readonly chosen: ChosenPrice | null;
}

export interface ChosenPrice {
  readonly cents: number;
  readonly hasReason: boolean;
}

export interface PricedDraft extends Draft {
  readonly wish: Wish;
  readonly used: readonly UsedReference[];
  readonly usedMaxAgeHours: number;
  readonly bounds: readonly Bound[];
  readonly tight: Limits;
  /** The price that the rule wants, limited to the allowed minimum and maximum, but not rounded. */
  readonly liftedCents: number;
  /** The price that the rule computes, even if a guard forbids it. */
  readonly proposedCents: number;
  /** Null if a formula computed the price, or if a person is approving it. */
  readonly aimed: { readonly base: AimBase; readonly goal: Goal } | null;
  readonly notes: readonly Note[];
}

interface Guard<Input, Code extends string, Facts extends object> {
  readonly value: Code;
  /** True if the guard checks again when a person approves the price. */
  readonly isCheckedAgain?: boolean;
  /** True if the guard stops objecting after some time, even if nobody changes anything. */
  readonly isTemporary?: boolean;
  /** Returns the facts about the objection, to be stored; null if the guard does not object. */
  against(draft: Input): Facts | null;
}

function guardOf<Input>() {
  return <const Code extends string, Facts extends object>(guard: Guard<Input, Code, Facts>) =>
    guard;
}

export const inputGuard = guardOf<Draft>();

export const priceGuard = guardOf<PricedDraft>();

const approvalGuard = guardOf<ApprovedDraft>();

export const SAFETY_GUARDS = [
  priceGuard({
    value: "stopped",
    against({ view: { market: { situation: { settings: { stop } } } } }) {
      return stop && { at: stop.at, reason: stop.reason };
    },
  }),
  priceGuard({
    value: "auto_apply_off",
    against: ({ view }) => view.market.situation.settings.autoApply ? null : {},
  }),
  priceGuard({
    value: "approval_needed",
    against({ proposedCents, view: { ourPriceCents, market } }) {
      const { settings: { approval }, history } = market.situation;
      const fromCents = history.price?.dayAgoCents || ourPriceCents;
      return approval && isLargeMove(approval, fromCents, proposedCents)
        ? { beyondPct: approval.beyondPct, people: approval.people }
        : null;
    },
  }),
  priceGuard({
    value: "floor_missing",
    against({ rule: { limits: { floorPct, bounds } } }) {
      return floorPct === null && (bounds === null || bounds.markupPct === null) ? {} : null;
    },
  }),
  priceGuard({
    value: "cooldown",
    against({ rule, view }) {
      const isCoolingDown = honoursCooldown(rule, view);
      return isCoolingDown ? { lastFiredAt: isoOrNull(view.past?.lastFiredAtMs ?? null) } : null;
    },
  }),
  // A price is not applied automatically if our price history was not read.
  priceGuard({
    value: "history_unread",
    against: ({ view }) => view.market.situation.history.price === null ? {} : null,
  }),
  // After a person or the API set our price, objects until one of the reference prices changes.
  priceGuard({
    value: "manual_price",
    against({ wish, view }) {
      const setAtMs = view.market.situation.history.price?.setByPersonAtMs ?? null;
      if (setAtMs === null) return null;
      const used = wish.used.length > 0
        ? wish.used
        : referenceOffers(view.options.kind, view.references);
      const hasChanged = used.some(({ offer }) => (offer.priceSinceMs ?? -Infinity) > setAtMs);
      return hasChanged ? null : { setAt: isoOrNull(setAtMs) };
    },
  }),
  priceGuard({
    value: "stale_reference",
    isCheckedAgain: true,
    against({ used, usedMaxAgeHours: maxAgeHours, view }) {
      const { nowMs } = view.market.situation;
      const oldestMs = nowMs - maxAgeHours * HOUR_MS;
      const stale = used.filter(({ observedAtMs }) => (observedAtMs ?? -Infinity) < oldestMs);
      if (stale.length > 0) {
        return { competitors: namesOf(stale), maxAgeHours, isAhead: false };
      }
      // Objects to observations in the future, which exist after the clock was set back.
      const ahead = used.filter(({ observedAtMs }) => (observedAtMs ?? 0) > nowMs + AHEAD_MS_MAX);
      return ahead.length > 0 ? { competitors: namesOf(ahead), maxAgeHours, isAhead: true } : null;
    },
  }),
  priceGuard({
    value: "low_confidence",
    against({ wish }) {
      const unsure = wish.used.filter(({ offer }) => (offer.confidence ?? 0) < HIGH_CONFIDENCE);
      return unsure.length > 0 ? { competitors: offerNames(unsure) } : null;
    },
  }),
  priceGuard({
    value: "outlier",
    against({ wish, view: { ourPriceCents, market } }) {
      const far = wish.used.map((offer) => ({ offer, from: outlierFrom(offer, ourPriceCents) }));
      const awayFrom = far.find(({ from }) => from !== null)?.from ?? null;
      if (awayFrom === null) return null;
      const alike = far.filter(({ from }) => from === awayFrom).map(({ offer }) => offer);
      const { currency } = market.situation.product;
      return { competitors: offerNames(alike), awayFrom, ourPriceCents, currency };
    },
  }),
  priceGuard({
    value: "change_too_large",
    against({ proposedCents, rule: { price }, view: { ourPriceCents } }) {
      const maxPct = price?.maxChangePct ?? 0;
      return isLargeMove({ beyondPct: maxPct }, ourPriceCents, proposedCents)
        ? { maxPct, fromCents: ourPriceCents, toCents: proposedCents }
        : null;
    },
  }),
  priceGuard({
    value: "daily_change_too_large",
    against({ proposedCents, rule: { price }, view: { market } }) {
      const { history, product: { currency } } = market.situation;
      const fromCents = history.price?.dayAgoCents ?? null;
      const maxPct = price?.maxChangePct ?? 0;
      return fromCents !== null && isLargeMove({ beyondPct: maxPct }, fromCents, proposedCents)
        ? { maxPct, fromCents, toCents: proposedCents, currency }
        : null;
    },
  }),
  priceGuard({
    value: "budget",
    against({ rule: { id, budgetPerDay: ofRule }, view: { market: { situation } } }) {
      const { settings: { budgetPerDay: ofAll }, spent } = situation;
      if (spent === undefined) return null;
      if (ofRule !== null && (spent.rules[id] ?? 0) >= ofRule) return { of: "rule", most: ofRule };
      return ofAll !== null && spent.all >= ofAll ? { of: "workspace", most: ofAll } : null;
    },
  }),
] as const;

function outlierFrom(
  { offer: { priceCents, previousPriceCents, isChangedSince, isReleased }, unit }: PricedOffer,
  ourPriceCents: number,
): "previous" | "own" | "changed" | null {
  // A competitor's price that a person has accepted does not count as an outlier.
  if (isReleased) return null;
  const compares = priceCents !== null && previousPriceCents !== null;
  if (compares && Math.abs(priceCents - previousPriceCents) * 2 > previousPriceCents) {
    return "previous";
  }
  if (compares && !isChangedSince) return null;
  const twice = multiply(unit, whole(2));
  const isFar = compareFractions(twice, whole(ourPriceCents)) < 0 ||
    compareFractions(twice, whole(3 * ourPriceCents)) > 0;
  if (!isFar) return null;
  return compares ? "changed" : "own";
}

function namesOf(used: readonly { readonly competitor: string }[]): string[] {
  return used.map(({ competitor }) => competitor);
}

function offerNames(offers: readonly PricedOffer[]): string[] {
  return namesOf(offers.map(({ offer }) => offer));
}

export const priceChanged = approvalGuard({
  value: "price_changed",
  isCheckedAgain: true,
  against({ made, view: { market } }) {
    const { ourPriceCents, currency } = market.situation.product;
    if (ourPriceCents === made.fromCents && currency === made.currency) return null;
    return {
      fromCents: made.fromCents,
      fromCurrency: made.currency,
      nowCents: ourPriceCents,
      nowCurrency: currency,
    };
  },
});

/** A person who gives a reason may approve a price outside the bounds. */
export const BOUND_GUARDS = BOUND_CODES.map((value) =>
  approvalGuard({
    value,
    isCheckedAgain: true,
    against({ bounds, proposedCents, chosen }) {
      if (chosen?.hasReason) return null;
      const broken = bounds.find(({ said: { code }, side, cents }) =>
        code === value && (side === "low" ? proposedCents < cents : proposedCents > cents)
      );
      return broken ? broken.said.facts : null;
    },
  })
);

export const belowCost = approvalGuard({
  value: "below_cost",
  isCheckedAgain: true,
  against({ proposedCents, view: { market }, chosen }) {
    if (chosen === null || chosen.hasReason || missingForMargin(market) !== null) return null;
    const { costPriceCents, currency } = market.situation.product;
    return compareMargin(market, proposedCents, percent(0)) < 0
      ? { costCents: costPriceCents ?? 0, currency }
      : null;
  },
});
