import type { InputGuard } from "../guard.ts";

export const costUnknown = {
  value: "cost_unknown",
  label: "Cost unknown",
  description: "A margin floor or a target margin needs the cost of the product",
  why({ view, formula, floorPct }) {
    if (view.market.situation.product.costPriceCents !== null) return null;
    if (floorPct !== null) return "the margin floor needs the cost";
    return formula.needs.targetMargin ? "the target margin needs the cost" : null;
  },
} as const satisfies InputGuard;
