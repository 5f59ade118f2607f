import { isOfMarket, sourceOf } from "./aim_base.ts";
import type { CompiledPrice } from "./compile_rule.ts";
import type { PriceNeeds } from "./draft.ts";
import type { View } from "./trigger.ts";

/** What must be known before the price is computed. */
export function neededFor(price: CompiledPrice, view: View): PriceNeeds {
  if (price.kind === "formula") {
    const { references, targetMargin } = price.formula.needs;
    return {
      references,
      leastOffers: 1,
      targetMargin,
      cost: false,
      targetPrice: false,
      currency: null,
    };
  }
  const { kind } = sourceOf(price.aim, view);
  const { settings } = view.market.situation;
  return {
    references: isOfMarket(kind),
    leastOffers: price.aim.reference.nth ?? 1,
    targetMargin: false,
    cost: kind === "cost",
    targetPrice: kind === "target",
    currency: price.hasAmounts ? price.currency ?? settings.currency : null,
  };
}
