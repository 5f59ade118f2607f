import type { RefusedField } from "../base/failure.ts";
import type { Action } from "./actions.ts";
import { formulaOf } from "./formulas.ts";
import { hasTwoDecimals } from "./rounding.ts";
import type { RuleTerms } from "./rule.ts";

/**
 * What is wrong with a rule whose fields are each right (docs/decisions/rules.md): an automatic
 * price without a source, a target margin that nothing names, an ending that the currency does not
 * have. Empty when it may be saved. `currency` is the workspace's; a scope that names its own is
 * judged by it.
 */
export function refuseRule(
  rule: Pick<RuleTerms, "when" | "scope" | "marginFloor" | "actions">,
  { currency }: { readonly currency: string },
): RefusedField[] {
  return rule.actions.flatMap((action, index) =>
    misfitsOf(action, rule, currency).map(({ path, message }) => ({
      path: `actions.${index}.${path}`,
      message,
    }))
  ).concat(repeated(rule.actions));
}

type Judged = Pick<RuleTerms, "when" | "scope" | "marginFloor" | "actions">;

function misfitsOf(action: Action, rule: Judged, currency: string): RefusedField[] {
  if (action.type !== "propose_price" && action.type !== "auto_apply_if_safe") return [];
  const refused: RefusedField[] = [];
  const { formula, targetMarginPct, rounding } = action;
  if (formula === null && !rule.actions.some(({ type }) => type === "propose_price")) {
    refused.push({
      path: "formula",
      message: 'Has no price to apply: give a formula, or add an action "propose_price"',
    });
  }
  const hasTarget = targetMarginPct !== null || "marginPct" in rule.when ||
    rule.marginFloor !== null;
  if (formula !== null && formulaOf(formula).needs.targetMargin && !hasTarget) {
    refused.push({
      path: "targetMarginPct",
      message: 'Is needed here, because neither "when.marginPct" nor "marginFloor" is given',
    });
  }
  const wrong = rounding === "none" ? undefined : currenciesOf(rule.scope, currency)
    .find((code) => !hasTwoDecimals(code));
  if (wrong !== undefined) {
    refused.push({
      path: "rounding",
      message: `Must be "none", because "${wrong}" is no currency with two decimals`,
    });
  }
  return refused;
}

function repeated(actions: readonly Action[]): RefusedField[] {
  return (["propose_price", "auto_apply_if_safe"] as const).flatMap((type) => {
    const indexes = actions.flatMap((action, index) => action.type === type ? [index] : []);
    return indexes.slice(1).map((index) => ({
      path: `actions.${index}.type`,
      message: `"${type}" stands here twice: a rule makes one price`,
    }));
  });
}

function currenciesOf(scope: RuleTerms["scope"], currency: string): string[] {
  const named = scope.mode === "attribute" ? scope.matches.currency ?? [] : [];
  const codes = named.filter((value) => typeof value === "string");
  return codes.length === 0 ? [currency] : codes.map((code) => code.toUpperCase());
}
