import { AHEAD_MS_MAX } from "../../base/clock_ahead.ts";
import type { PriceGuard } from "../guard.ts";

const DAY_MS = 24 * 3_600_000;

export const staleReference = {
  value: "stale_reference",
  label: "Reference too old",
  description:
    "Every reference that the price was computed from is at most 24 hours old, and not dated ahead of the clock",
  why({ wish, view }) {
    const { nowMs } = view.market.situation;
    const stale = wish.used.find(({ observedAtMs }) => observedAtMs < nowMs - DAY_MS);
    if (stale) return `the price of ${stale.offer.competitor} is older than 24 h`;
    // A clock that was set back leaves prices that would be young for as long as it ran ahead.
    const ahead = wish.used.find(({ observedAtMs }) => observedAtMs > nowMs + AHEAD_MS_MAX);
    return ahead ? `the price of ${ahead.offer.competitor} is dated ahead of the clock` : null;
  },
} as const satisfies PriceGuard;
