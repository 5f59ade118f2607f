/** How a rule makes its price: read from its actions, where several fields answer for each other. */
import type { Action } from "./actions.ts";
import type { FormulaName } from "./formulas.ts";
import type { PriceAim } from "./price_aim.ts";
import type { Rounding } from "./rounding.ts";
import type { RuleTerms } from "./rule.ts";

/** Of a price by a formula. */
export interface FormulaTerms {
  readonly formula: FormulaName;
  /** Null when no field of the rule names one. */
  readonly targetMarginPct: number | null;
  readonly rounding: Rounding;
}

export type PriceTerms =
  & (
    | (FormulaTerms & { readonly aim: null })
    | { readonly formula: null; readonly aim: PriceAim }
  )
  & {
    /** Null: the rule only proposes. */
    readonly maxChangePct: number | null;
  };

/** Null for a rule that makes no price. `auto_apply_if_safe` prefers the price of `propose_price`. */
export function priceTermsOf(
  rule: Pick<RuleTerms, "actions" | "when" | "marginFloor">,
): PriceTerms | null {
  const applies = findAction(rule.actions, "auto_apply_if_safe");
  const source = findAction(rule.actions, "propose_price") ?? applies;
  const maxChangePct = applies?.maxChangePct ?? null;
  if (source?.price) return { formula: null, aim: source.price, maxChangePct };
  if (!source?.formula) return null;
  const ofTrigger = "marginPct" in rule.when ? rule.when.marginPct : null;
  return {
    formula: source.formula,
    aim: null,
    targetMarginPct: source.targetMarginPct ?? ofTrigger ?? rule.marginFloor?.pct ?? null,
    rounding: source.rounding,
    maxChangePct,
  };
}

function findAction<T extends Action["type"]>(actions: readonly Action[], type: T) {
  return actions.find((action): action is Extract<Action, { type: T }> => action.type === type);
}
