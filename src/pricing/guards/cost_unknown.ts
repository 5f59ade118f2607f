import { knownCost } from "../../base/margin.ts";
import type { InputGuard } from "../guard.ts";

export const costUnknown = {
  value: "cost_unknown",
  label: "Cost unknown",
  description: "A margin floor or a target margin needs the cost of the product; 0 is none",
  why({ view, formula, floorPct }) {
    const { product } = view.market.situation;
    if (knownCost(product) !== null) return null;
    const isZero = product.costPriceCents === 0 ? ", and 0 is none" : "";
    if (floorPct !== null) return `the margin floor needs the cost${isZero}`;
    return formula.needs.targetMargin ? `the target margin needs the cost${isZero}` : null;
  },
} as const satisfies InputGuard;
