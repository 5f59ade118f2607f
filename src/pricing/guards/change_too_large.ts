import { isWithinPct } from "../change.ts";
import type { PriceGuard } from "../guard.ts";

export const changeTooLarge = {
  value: "change_too_large",
  label: "Change too large",
  description: "The change is at most maxChangePct of the price of today",
  why({ proposedCents, terms, view }) {
    const maxPct = terms.maxChangePct ?? 0;
    return isWithinPct(proposedCents, view.ourPriceCents, maxPct)
      ? null
      : `the change is more than ${maxPct} % of today's price`;
  },
} as const satisfies PriceGuard;
