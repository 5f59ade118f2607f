import type { PriceGuard } from "../guard.ts";

const DAY_MS = 24 * 3_600_000;

export const staleReference = {
  value: "stale_reference",
  label: "Reference too old",
  description: "Every reference that the price was computed from is at most 24 hours old",
  why({ wish, view }) {
    const oldestMs = view.market.situation.nowMs - DAY_MS;
    const stale = wish.used.find(({ observedAtMs }) => observedAtMs < oldestMs);
    return stale ? `the price of ${stale.offer.competitor} is older than 24 h` : null;
  },
} as const satisfies PriceGuard;
