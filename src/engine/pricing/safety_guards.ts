/**
 * `SAFETY_GUARDS` object to applying a price automatically, so that the price becomes a proposal.
 * Approval guards are checked when a person approves a price.
 */
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { compareFractions, multiply, percent, whole } from "../../base/fraction.ts";
import { isLargeMove } from "../../base/money.ts";
import { AHEAD_MS_MAX, HOUR_MS, isoOrNull } from "../../base/time.ts";
import { approvalGuard, priceGuard } from "./guard.ts";
import { compareMargin, missingForMargin, type PricedOffer } from "./market.ts";
import { referenceOffers } from "./reference.ts";
import { z } from "zod";
import { BOUND_FACTS } from "./bounds.ts";
import type { BoundCode } from "./codes.ts";

const NOTHING = z.object({});

export const SAFETY_GUARDS = [
  priceGuard({
    value: "stopped",
    facts: z.object({ at: z.iso.datetime(), reason: z.string() }),
    against({ view: { market: { situation: { settings: { stop } } } } }, say) {
      return stop && say({ at: stop.at, reason: stop.reason });
    },
  }),
  priceGuard({
    value: "auto_apply_off",
    facts: NOTHING,
    against: ({ view }, say) => view.market.situation.settings.autoApply ? null : say({}),
  }),
  priceGuard({
    value: "approval_needed",
    facts: z.object({ beyondPct: z.number(), people: z.int() }),
    against({ proposedCents, view: { ourPriceCents, market } }, say) {
      const { approval = null } = market.situation.settings;
      return approval && isLargeMove(approval, ourPriceCents, proposedCents)
        ? say({ beyondPct: approval.beyondPct, people: approval.people })
        : null;
    },
  }),
  priceGuard({
    value: "floor_missing",
    facts: NOTHING,
    against({ limits: { floorPct, bounds } }, say) {
      return floorPct === null && (bounds === null || bounds.markupPct === null) ? say({}) : null;
    },
  }),
  priceGuard({
    value: "cooldown",
    facts: z.object({ lastFiredAt: z.iso.datetime().nullable() }),
    against({ isCoolingDown, view: { past } }, say) {
      return isCoolingDown ? say({ lastFiredAt: isoOrNull(past?.lastFiredAtMs ?? null) }) : null;
    },
  }),
  // Automatic prices need the history of our price.
  priceGuard({
    value: "history_unread",
    facts: NOTHING,
    against: ({ view }, say) => view.market.situation.history.price === null ? say({}) : null,
  }),
  // A price set by a person stays until a used reference has changed.
  priceGuard({
    value: "manual_price",
    facts: z.object({ setAt: z.iso.datetime().nullable() }),
    against({ wish, view }, say) {
      const setAtMs = view.market.situation.history.price?.setByPersonAtMs ?? null;
      if (setAtMs === null) return null;
      // If the formula uses no references, the trigger's references count as used.
      const used = wish.used.length > 0
        ? wish.used
        : referenceOffers(view.options.kind, view.references);
      const hasChanged = used.some(({ offer }) => (offer.priceSinceMs ?? -Infinity) > setAtMs);
      return hasChanged ? null : say({ setAt: isoOrNull(setAtMs) });
    },
  }),
  // Every used reference must be recent.
  priceGuard({
    value: "stale_reference",
    facts: z.object({
      competitors: z.array(z.string()),
      maxAgeHours: z.number(),
      isAhead: z.boolean(),
    }),
    isCheckedAgain: true,
    against({ used, usedMaxAgeHours: maxAgeHours, view }, say) {
      const { nowMs } = view.market.situation;
      const oldestMs = nowMs - maxAgeHours * HOUR_MS;
      const stale = used.filter(({ observedAtMs }) => (observedAtMs ?? -Infinity) < oldestMs);
      if (stale.length > 0) {
        return say({ competitors: namesOf(stale), maxAgeHours, isAhead: false });
      }
      // After the clock was set back, earlier observations seem recent for too long.
      const ahead = used.filter(({ observedAtMs }) => (observedAtMs ?? 0) > nowMs + AHEAD_MS_MAX);
      return ahead.length > 0
        ? say({ competitors: namesOf(ahead), maxAgeHours, isAhead: true })
        : null;
    },
  }),
  priceGuard({
    value: "low_confidence",
    facts: z.object({ competitors: z.array(z.string()) }),
    against({ wish }, say) {
      const unsure = wish.used.filter(({ offer }) => (offer.confidence ?? 0) < HIGH_CONFIDENCE);
      return unsure.length > 0 ? say({ competitors: offerNames(unsure) }) : null;
    },
  }),
  // Every used reference must be at most 50 % away from its previous price.
  priceGuard({
    value: "outlier",
    facts: z.object({
      competitors: z.array(z.string()),
      awayFrom: z.enum(["previous", "own", "changed"]),
      ourPriceCents: z.int(),
      currency: z.string(),
    }),
    against({ wish, view: { ourPriceCents, market } }, say) {
      const far = wish.used.map((offer) => ({ offer, from: outlierFrom(offer, ourPriceCents) }));
      const awayFrom = far.find(({ from }) => from !== null)?.from ?? null;
      if (awayFrom === null) return null;
      const alike = far.filter(({ from }) => from === awayFrom).map(({ offer }) => offer);
      const { currency } = market.situation.product;
      return say({ competitors: offerNames(alike), awayFrom, ourPriceCents, currency });
    },
  }),
  priceGuard({
    value: "change_too_large",
    facts: z.object({ maxPct: z.number(), fromCents: z.int(), toCents: z.int() }),
    against({ proposedCents, maxChangePct, view: { ourPriceCents } }, say) {
      const maxPct = maxChangePct ?? 0;
      return isLargeMove({ beyondPct: maxPct }, ourPriceCents, proposedCents)
        ? say({ maxPct, fromCents: ourPriceCents, toCents: proposedCents })
        : null;
    },
  }),
  priceGuard({
    value: "daily_change_too_large",
    facts: z.object({
      maxPct: z.number(),
      fromCents: z.int(),
      toCents: z.int(),
      currency: z.string(),
    }),
    against({ proposedCents, maxChangePct, view: { market } }, say) {
      const { history, product: { currency } } = market.situation;
      const fromCents = history.price?.dayAgoCents ?? null;
      const maxPct = maxChangePct ?? 0;
      return fromCents !== null && isLargeMove({ beyondPct: maxPct }, fromCents, proposedCents)
        ? say({ maxPct, fromCents, toCents: proposedCents, currency })
        : null;
    },
  }),
  priceGuard({
    value: "budget",
    facts: z.object({ of: z.enum(["rule", "workspace"]), most: z.int() }),
    against: ({ exhausted }, say) => exhausted && say({ of: exhausted.of, most: exhausted.most }),
  }),
] as const;

/**
 * Says from which price the offer is more than 50 % away. Null if the offer is no outlier. Compares
 * with the previous price of the match, or else with our price.
 */
function outlierFrom(
  { offer: { priceCents, previousPriceCents, isChangedSince, isReleased }, unit }: PricedOffer,
  ourPriceCents: number,
): "previous" | "own" | "changed" | null {
  // A person has already reviewed the price.
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
  facts: z.object({
    fromCents: z.int(),
    fromCurrency: z.string(),
    nowCents: z.int().nullable(),
    nowCurrency: z.string(),
  }),
  against({ made, view: { market } }, say) {
    const { ourPriceCents, currency } = market.situation.product;
    if (ourPriceCents === made.fromCents && currency === made.currency) return null;
    return say({
      fromCents: made.fromCents,
      fromCurrency: made.currency,
      nowCents: ourPriceCents,
      nowCurrency: currency,
    });
  },
});

/**
 * Checks a bound again at the approval, because cost, VAT and bounds may have changed. A price that
 * a person chose with a reason may break the bound.
 */
function boundGuard<const Code extends BoundCode, Facts extends z.ZodObject>(
  value: Code,
  facts: Facts,
) {
  return approvalGuard({
    value,
    facts,
    isCheckedAgain: true,
    against({ bounds, proposedCents, chosen }, say) {
      if (chosen?.hasReason) return null;
      const broken = bounds.find(({ said: { code }, side, cents }) =>
        code === value && (side === "low" ? proposedCents < cents : proposedCents > cents)
      );
      return broken ? say(facts.parse(broken.said.facts)) : null;
    },
  });
}

export const BOUND_GUARDS = [
  boundGuard("margin_floor", BOUND_FACTS.margin_floor),
  boundGuard("markup_floor", BOUND_FACTS.markup_floor),
  boundGuard("min_price", BOUND_FACTS.min_price),
  boundGuard("max_price", BOUND_FACTS.max_price),
  boundGuard("below_target", BOUND_FACTS.below_target),
  boundGuard("above_target", BOUND_FACTS.above_target),
] as const;

export const belowCost = approvalGuard({
  value: "below_cost",
  facts: z.object({ costCents: z.int(), currency: z.string() }),
  against({ proposedCents, view: { market }, chosen }, say) {
    if (chosen === null || chosen.hasReason || missingForMargin(market) !== null) return null;
    const { costPriceCents, currency } = market.situation.product;
    return compareMargin(market, proposedCents, percent(0)) < 0
      ? say({ costCents: costPriceCents ?? 0, currency })
      : null;
  },
});
