import type { PriceGuard } from "../guard.ts";

export const noChange = {
  value: "no_change",
  label: "No change",
  description: "The price is the one of today, or rounding would turn a raise into a cut",
  why({ wish, proposedCents, view: { ourPriceCents } }) {
    // A price that means to go down and does not is the floor's (floor_above_current).
    if (wish.cents < ourPriceCents || proposedCents > ourPriceCents) return null;
    if (proposedCents === ourPriceCents) return "the price is today's already";
    return wish.cents > ourPriceCents ? "rounded, the raise would be a cut" : null;
  },
} as const satisfies PriceGuard;
