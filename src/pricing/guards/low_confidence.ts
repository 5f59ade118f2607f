import type { PriceGuard } from "../guard.ts";

/** From one structured method or an explicit extractor upwards (decisions §8). */
const HIGH = 0.9;

export const lowConfidence = {
  value: "low_confidence",
  label: "Reference uncertain",
  description: "Every reference that the price was computed from is of high confidence",
  why({ wish }) {
    const unsure = wish.used.find(({ offer }) => (offer.confidence ?? 0) < HIGH);
    return unsure ? `the price of ${unsure.offer.competitor} was read with low confidence` : null;
  },
} as const satisfies PriceGuard;
