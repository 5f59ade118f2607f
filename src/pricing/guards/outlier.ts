import { compareFractions, multiply, whole } from "../../base/fraction.ts";
import type { PriceGuard } from "../guard.ts";
import type { PricedOffer } from "../market.ts";

export const outlier = {
  value: "outlier",
  label: "Reference is an outlier",
  description:
    "Every reference that the price was computed from is at most 50 % away from what the same match " +
    "showed before, and from our own price where it showed nothing before in its currency, or was " +
    "changed since",
  why({ wish, view }) {
    for (const used of wish.used) {
      const from = outlierFrom(used, view.ourPriceCents);
      const { competitor } = used.offer;
      if (from === "previous") return `the price of ${competitor} moved by more than 50 %`;
      if (from === "changed") {
        return `the match of ${competitor} was changed since its price before, and its price is ` +
          "more than 50 % away from ours";
      }
      if (from === "own") {
        return `the price of ${competitor} has none before it to compare with, and is more than ` +
          "50 % away from ours";
      }
    }
    return null;
  },
} as const satisfies PriceGuard;

/**
 * What a price is more than 50 % away from; null when it is no outlier. The previous sight of the
 * same match compares as it was seen. Without one, and where the match was changed since, the price
 * of one piece on our side of VAT compares with our own price: below half of it and above one and a
 * half times it is too far.
 */
function outlierFrom(
  { offer: { priceCents, previousPriceCents, isChangedSince }, unit }: PricedOffer,
  ourPriceCents: number,
): "previous" | "own" | "changed" | null {
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
