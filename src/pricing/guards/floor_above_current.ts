import { showMoney } from "../../base/money.ts";
import type { PriceGuard } from "../guard.ts";

export const floorAboveCurrent = {
  value: "floor_above_current",
  label: "Floor above the price of today",
  description: "A rule that means to go down never ends at or above the price of today",
  why({ wish, proposedCents, view }) {
    const { ourPriceCents, market } = view;
    if (wish.cents >= ourPriceCents || proposedCents < ourPriceCents) return null;
    const shown = showMoney(proposedCents, market.situation.product.currency);
    return `the lowest price allowed is ${shown}, not below today's`;
  },
} as const satisfies PriceGuard;
