/**
 * Guards for applying a price without a person. If one of them objects, the price becomes a proposal with
 * the reason.
 */

import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { compareFractions, multiply, percent, whole } from "../../base/fraction.ts";
import { isLargeMove } from "../../base/money.ts";
import { AHEAD_MS_MAX, HOUR_MS, isoOrNull } from "../../base/time.ts";
import { priceGuard } from "./guard.ts";
import type { PricedOffer } from "./market.ts";
import { referenceOffers } from "./reference.ts";
import { z } from "zod";

const NOTHING = z.object({});

export const SAFETY_GUARDS = [
  // A person has stopped all automatic prices.
  priceGuard({
    value: "stopped",
    facts: z.object({ at: z.iso.datetime(), reason: z.string() }),
    against({ view: { market: { situation: { settings: { stop } } } } }, say) {
      return stop && say({ at: stop.at, reason: stop.reason });
    },
  }),
  // The workspace does not let rules change prices by themselves.
  priceGuard({
    value: "auto_apply_off",
    facts: NOTHING,
    against: ({ view }, say) => view.market.situation.settings.autoApply ? null : say({}),
  }),
  // The workspace has several people look at a change as large as this one.
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
  // Nothing is applied by itself without a margin floor; a smallest mark-up is one.
  priceGuard({
    value: "floor_missing",
    facts: NOTHING,
    against({ limits: { floorPct, bounds } }, say) {
      return floorPct === null && (bounds === null || bounds.markupPct === null) ? say({}) : null;
    },
  }),
  // The rule fired for this product a short time ago.
  priceGuard({
    value: "cooldown",
    facts: z.object({ lastFiredAt: z.iso.datetime().nullable() }),
    against({ isCoolingDown, view: { memory } }, say) {
      return isCoolingDown ? say({ lastFiredAt: isoOrNull(memory?.lastFiredAtMs ?? null) }) : null;
    },
  }),
  // Nothing is applied without the history of the own price.
  priceGuard({
    value: "history_unread",
    facts: NOTHING,
    against: ({ view }, say) => view.market.situation.history.price === null ? say({}) : null,
  }),
  // A price set by a person stands until a used reference has changed after it.
  priceGuard({
    value: "manual_price",
    facts: z.object({ setAt: z.iso.datetime().nullable() }),
    against({ wish, view }, say) {
      const setAtMs = view.market.situation.history.price?.setByPersonAtMs ?? null;
      if (setAtMs === null) return null;
      // A formula without references: those that the trigger compared with are the used ones.
      const used = wish.used.length > 0
        ? wish.used
        : referenceOffers(view.options.kind, view.references);
      const hasChanged = used.some(({ offer }) => (offer.priceSinceMs ?? -Infinity) > setAtMs);
      return hasChanged ? null : say({ setAt: isoOrNull(setAtMs) });
    },
  }),
  // Every price that ours was computed from is young, and not dated ahead of the clock.
  priceGuard({
    value: "stale_reference",
    facts: z.object({
      competitors: z.array(z.string()),
      maxAgeHours: z.number(),
      isAhead: z.boolean(),
    }),
    isAskedAgain: true,
    against({ used, usedMaxAgeHours: maxAgeHours, view }, say) {
      const { nowMs } = view.market.situation;
      const oldestMs = nowMs - maxAgeHours * HOUR_MS;
      const stale = used.filter(({ observedAtMs }) => (observedAtMs ?? -Infinity) < oldestMs);
      if (stale.length > 0) {
        return say({ competitors: namesOf(stale), maxAgeHours, isAhead: false });
      }
      // A clock that was set back leaves prices that would be young for as long as it ran ahead.
      const ahead = used.filter(({ observedAtMs }) => (observedAtMs ?? 0) > nowMs + AHEAD_MS_MAX);
      return ahead.length > 0
        ? say({ competitors: namesOf(ahead), maxAgeHours, isAhead: true })
        : null;
    },
  }),
  // Every reference that the price was computed from is of high confidence.
  priceGuard({
    value: "low_confidence",
    facts: z.object({ competitors: z.array(z.string()) }),
    against({ wish }, say) {
      const unsure = wish.used.filter(({ offer }) => (offer.confidence ?? 0) < HIGH_CONFIDENCE);
      return unsure.length > 0 ? say({ competitors: offerNames(unsure) }) : null;
    },
  }),
  // Every reference that the price was computed from is at most 50 % away from what the same match
  // showed before, and from our own price where it showed nothing before in its currency, or was
  // changed since.
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
  // The change is at most maxChangePct of the price of today.
  priceGuard({
    value: "change_too_large",
    facts: z.object({ maxPct: z.number(), fromCents: z.int(), toCents: z.int() }),
    against({ proposedCents, maxChangePct, view: { ourPriceCents } }, say) {
      const maxPct = maxChangePct ?? 0;
      if (isWithinPct(proposedCents, ourPriceCents, maxPct)) return null;
      return say({ maxPct, fromCents: ourPriceCents, toCents: proposedCents });
    },
  }),
  // The change is at most maxChangePct of the price in force 24 hours ago.
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
      if (fromCents === null || isWithinPct(proposedCents, fromCents, maxPct)) return null;
      return say({ maxPct, fromCents, toCents: proposedCents, currency });
    },
  }),
  // Rules have set as many prices today as they may without a person.
  priceGuard({
    value: "budget",
    facts: z.object({ of: z.enum(["rule", "workspace"]), most: z.int() }),
    against: ({ exhausted }, say) => exhausted && say({ of: exhausted.of, most: exhausted.most }),
  }),
] as const;

/**
 * The price that this one is more than 50 % away from; null when it is no outlier. The previous
 * observation of the same match compares as it was seen. Without one, and where the match was
 * changed since, the price of one piece on our side of VAT compares with our own price: below half
 * of it and above one and a half times it is too far.
 */
function outlierFrom(
  { offer: { priceCents, previousPriceCents, isChangedSince, isReleased }, unit }: PricedOffer,
  ourPriceCents: number,
): "previous" | "own" | "changed" | null {
  // A person has reviewed it already.
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

/** True when `cents` is at most `pct` percent of `fromCents` away from it, exactly. */
function isWithinPct(cents: number, fromCents: number, pct: number): boolean {
  const allowed = multiply(whole(fromCents), percent(pct));
  return compareFractions(whole(Math.abs(cents - fromCents)), allowed) <= 0;
}
