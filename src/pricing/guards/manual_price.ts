import { referenceOffers } from "../reference.ts";
import type { PriceGuard } from "../guard.ts";

export const manualPrice = {
  value: "manual_price",
  label: "A person set the price",
  description: "A price set by a person stands until a used reference has changed after it",
  why({ wish, view }) {
    const setAtMs = view.market.situation.history.price?.setByPersonAtMs ?? null;
    if (setAtMs === null) return null;
    // A formula without references: those that the trigger compared with are the used ones.
    const used = wish.used.length > 0
      ? wish.used
      : referenceOffers(view.options.kind, view.references);
    const hasChanged = used.some(({ offer }) => (offer.priceSinceMs ?? -Infinity) > setAtMs);
    return hasChanged
      ? null
      : "a person set today's price, and no used reference has changed since";
  },
} as const satisfies PriceGuard;
