/**
 * Which rule owns a product's price, and which rules are behind it. If a rule's price is already
 * reached, it has nothing to set, and `RulesOnProduct` reports no owner. Here the first such rule
 * owns the price, so that a product still has an owner after its proposal was accepted.
 */

import type { CompiledRule } from "./compile_rule.ts";
import { RulesOnProduct } from "./rules_on_product.ts";
import { dayLackOf, type Lack } from "./simulation.ts";
import type { Situation } from "./situation.ts";

export interface Standing {
  readonly ownerId: string | null;
  /** True if the price already is what its owner wants. */
  readonly isReached: boolean;
  /** Resting rules that have a price, each with the earlier rule that is the reason. */
  readonly behind: readonly { readonly ruleId: string; readonly frontId: string }[];
  readonly lacks: Lack;
}

/** Requires rules from `compileRules`. */
export function standingOn(rules: readonly CompiledRule[], situation: Situation): Standing {
  const asked = new RulesOnProduct(rules, situation);
  const { owner, behind } = asked.standing();
  const reached = owner === null ? rules.find((_, at) => asked.isReached(at)) : undefined;
  return {
    ownerId: owner?.ruleId ?? reached?.id ?? null,
    isReached: reached !== undefined,
    behind: behind.map(({ ruleId, by }) => ({ ruleId, frontId: by.ruleId })),
    lacks: asked.weighed().some((found) => dayLackOf(found) === "price") ? "price" : "nothing",
  };
}
