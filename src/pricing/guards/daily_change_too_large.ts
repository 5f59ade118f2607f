import { isWithinPct } from "../change.ts";
import type { PriceGuard } from "../guard.ts";

export const dailyChangeTooLarge = {
  value: "daily_change_too_large",
  label: "Change within a day too large",
  description: "The change is at most maxChangePct of the price in force 24 hours ago",
  why({ proposedCents, terms, view }) {
    const dayAgoCents = view.market.situation.history.price?.dayAgoCents ?? null;
    const maxPct = terms.maxChangePct ?? 0;
    return dayAgoCents === null || isWithinPct(proposedCents, dayAgoCents, maxPct)
      ? null
      : `the change is more than ${maxPct} % of the price in force 24 h ago`;
  },
} as const satisfies PriceGuard;
