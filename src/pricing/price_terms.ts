/** How a rule makes its price: read from its actions, where several fields answer for each other. */
import type { Action } from "./actions.ts";
import type { FormulaName } from "./formulas.ts";
import type { Rounding } from "./rounding.ts";
import type { RuleTerms } from "./rule.ts";

export interface PriceTerms {
  readonly formula: FormulaName;
  /** Null when no field of the rule names one. */
  readonly targetMarginPct: number | null;
  readonly rounding: Rounding;
  /** Null: the rule only proposes. */
  readonly maxChangePct: number | null;
}

/** Null for a rule that makes no price. `auto_apply_if_safe` prefers the price of `propose_price`. */
export function priceTermsOf(rule: Pick<RuleTerms, "actions" | "when" | "marginFloor">) {
  const applies = findAction(rule.actions, "auto_apply_if_safe");
  const source = findAction(rule.actions, "propose_price") ?? applies;
  if (!source?.formula) return null;
  const ofTrigger = "marginPct" in rule.when ? rule.when.marginPct : null;
  const terms: PriceTerms = {
    formula: source.formula,
    targetMarginPct: source.targetMarginPct ?? ofTrigger ?? rule.marginFloor?.pct ?? null,
    rounding: source.rounding,
    maxChangePct: applies?.maxChangePct ?? null,
  };
  return terms;
}

function findAction<T extends Action["type"]>(actions: readonly Action[], type: T) {
  return actions.find((action): action is Extract<Action, { type: T }> => action.type === type);
}
