/**
 * Which rules stand on a product's price: the one that owns it, and those behind it. A rule whose price is
 * reached has nothing to set, so `RulesOnProduct` names no owner then; here the first such rule owns the
 * price, and what it owns does not vanish when its proposals are accepted.
 */

import type { CompiledRule } from "./compile_rule.ts";
import { RulesOnProduct } from "./decide.ts";
import { dayLackOf, type Lack } from "./simulation.ts";
import type { Situation } from "./situation.ts";

export interface Standing {
  readonly ownerId: string | null;
  /** The price is where its owner wants it. */
  readonly isReached: boolean;
  /** Rules that have a price and rest, each with the rule in front that is the reason. */
  readonly behind: readonly { readonly ruleId: string; readonly frontId: string }[];
  readonly lacks: Lack;
}

/** `rules` come from `compileRules`. */
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
