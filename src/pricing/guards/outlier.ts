import type { Offer } from "../offer.ts";
import type { PriceGuard } from "../guard.ts";

export const outlier = {
  value: "outlier",
  label: "Reference jumped",
  description:
    "Every reference that the price was computed from is at most 50 % away from what the same match showed before",
  why({ wish }) {
    const jumped = wish.used.find(({ offer }) => isOutlier(offer));
    return jumped ? `the price of ${jumped.offer.competitor} moved by more than 50 %` : null;
  },
} as const satisfies PriceGuard;

/** A first observation has nothing to be away from. */
function isOutlier({ priceCents, previousPriceCents }: Offer): boolean {
  if (priceCents === null || previousPriceCents === null) return false;
  return Math.abs(priceCents - previousPriceCents) * 2 > previousPriceCents;
}
