import type { RefusedField } from "../../base/failure.ts";
import { type Action, priceSourceOf } from "./actions.ts";
import { formulaOf } from "./formulas.ts";
import type { PriceAim } from "./price_aim.ts";
import { hasTwoDecimals } from "./rounding.ts";
import type { RuleTerms } from "./rule.ts";

/** What is judged together. */
type Judged = Pick<
  RuleTerms,
  "when" | "scope" | "marginFloor" | "bounds" | "brake" | "actions"
>;

type PriceAction = Extract<Action, { type: "propose_price" | "auto_apply_if_safe" }>;

/**
 * What is wrong with a rule whose fields are each right (docs/decisions/rules.md): an automatic
 * price without a source, a target margin that nothing names, an ending that the currency does not
 * have, a price that is told in two ways, bounds that nothing keeps to. Empty when it may be saved.
 * `currency` is the workspace's; a scope that names its own is judged by it.
 */
export function refuseRule(
  rule: Judged,
  { currency }: { readonly currency: string },
): RefusedField[] {
  return rule.actions.flatMap((action, index) =>
    misfitsOf(action, rule, currency).map(({ path, message }) => ({
      path: `actions.${index}.${path}`,
      message,
    }))
  ).concat(repeated(rule.actions), refusedBounds(rule));
}

function misfitsOf(action: Action, rule: Judged, currency: string): RefusedField[] {
  if (action.type !== "propose_price" && action.type !== "auto_apply_if_safe") return [];
  return action.price === null
    ? formulaMisfits(action, rule, currency)
    : priceMisfits(action, action.price, rule);
}

function formulaMisfits(
  { type, formula, targetMarginPct, rounding }: PriceAction,
  rule: Judged,
  currency: string,
): RefusedField[] {
  const proposes = rule.actions.some((one) => one.type === "propose_price");
  const hasTarget = targetMarginPct !== null || "marginPct" in rule.when ||
    rule.marginFloor !== null;
  const wrong = rounding === "none" ? undefined : currenciesOf(rule.scope, currency)
    .find((code) => !hasTwoDecimals(code));
  return thoseThatHold([
    [
      formula === null && type === "propose_price",
      "formula",
      "Has no price to propose: give a formula or a price",
    ],
    [
      formula === null && !proposes,
      "formula",
      'Has no price to apply: give a formula, or add an action "propose_price"',
    ],
    [
      formula !== null && formulaOf(formula).needs.targetMargin && !hasTarget,
      "targetMarginPct",
      'Is needed here, because neither "when.marginPct" nor "marginFloor" is given',
    ],
    [
      wrong !== undefined,
      "rounding",
      `Must be "none", because "${wrong}" is no currency with two decimals`,
    ],
  ]);
}

/** A price is told once: what belongs to formulas has no place beside it. */
function priceMisfits(
  { formula, targetMarginPct, rounding }: PriceAction,
  { reference }: PriceAim,
  { when }: Judged,
): RefusedField[] {
  return thoseThatHold([
    [formula !== null, "price", 'Must be null beside "formula"'],
    [targetMarginPct !== null, "targetMarginPct", 'Belongs to a formula, not to "price"'],
    [rounding !== "none", "rounding", 'Belongs to a formula; "price" has its own'],
    [
      reference.kind === "competitor" && when.minCompetitors > 1,
      "price.reference.kind",
      'Is one competitor, but "when.minCompetitors" asks for more',
    ],
  ]);
}

function thoseThatHold(
  misfits: readonly (readonly [holds: boolean, path: string, message: string])[],
): RefusedField[] {
  return misfits.flatMap(([holds, path, message]) => holds ? [{ path, message }] : []);
}

/** Only a price of that kind keeps to them: nobody shall trust in bounds that do not bind. */
function refusedBounds(rule: Judged): RefusedField[] {
  if (priceSourceOf(rule.actions)?.price) return [];
  return (["bounds", "brake"] as const).filter((path) => rule[path] !== null).map((path) => ({
    path,
    message: 'Must be null, because the rule has no "price" to keep to them',
  }));
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
