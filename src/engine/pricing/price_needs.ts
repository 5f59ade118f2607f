/** What a rule asks for before its price is computed, whenever it is asked. */
import { isOfMarket, sourceOf } from "./aim_base.ts";
import type { CompiledPrice, CompiledRule } from "./compile_rule.ts";
import type { Draft, PriceNeeds } from "./draft.ts";
import { lacksVat } from "./reference.ts";
import type { View } from "./trigger.ts";

const NO_NEEDS: PriceNeeds = {
  references: false,
  leastOffers: 1,
  targetMargin: false,
  cost: false,
  targetPrice: false,
  currency: null,
};

/** The part of a draft that a rule alone says of the product. */
export function draftBy(
  rule: CompiledRule,
  view: View,
): Omit<Draft, "brake" | "exhausted" | "isCoolingDown"> {
  const { price, limits } = rule;
  const needs = needsOf(price, view);
  const looksAtOffers = rule.needs.references || needs.references;
  return {
    view,
    needs,
    targetMarginPct: price?.kind === "formula" ? price.targetMarginPct : null,
    maxChangePct: price?.maxChangePct ?? null,
    limits,
    lacksVat: looksAtOffers && lacksVat(rule.options, view.market),
  };
}

function needsOf(price: CompiledPrice | null, view: View): PriceNeeds {
  if (price === null) return NO_NEEDS;
  if (price.kind === "formula") return { ...NO_NEEDS, ...price.formula.needs };
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
