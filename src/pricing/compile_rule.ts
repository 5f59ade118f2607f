import { Failure } from "../base/failure.ts";
import type { AlertAction } from "./actions.ts";
import { type Formula, formulaOf } from "./formulas.ts";
import { type PriceTerms, priceTermsOf } from "./price_terms.ts";
import { readOptions, type ReferenceOptions } from "./reference.ts";
import type { RuleTerms } from "./rule.ts";
import { type CompiledScope, compileScope } from "./scope.ts";
import type { Judge, Trigger, TriggerNeeds } from "./trigger.ts";
import { TRIGGERS } from "./triggers.ts";

/** What a rule must say to be judged; a stored rule document is one. */
export interface JudgedRule extends RuleTerms {
  readonly id: string;
  readonly createdAt: string;
}

/** A rule with its trigger, formula and scope looked up, ready for any number of products. */
export interface CompiledRule {
  readonly id: string;
  readonly name: string;
  readonly trigger: string;
  /** True when time alone can make it fire. */
  readonly isClockDriven: boolean;
  readonly scope: CompiledScope;
  readonly options: ReferenceOptions;
  readonly needs: TriggerNeeds;
  readonly judge: Judge;
  /** Null: the rule makes no price. */
  readonly price: { readonly terms: PriceTerms; readonly formula: Formula } | null;
  readonly floorPct: number | null;
  readonly alerts: readonly AlertAction[];
  readonly cooldownMs: number;
}

/**
 * Asks for terms that `NewRule` and `refuseRule` let pass, with a trigger of the table. Does not look
 * at `enabled`.
 */
export function compileRule(
  rule: JudgedRule,
  triggers: readonly Trigger[] = TRIGGERS,
): CompiledRule {
  const { trigger: code } = rule.when;
  const trigger = triggers.find(({ value }) => value === code);
  if (!trigger) throw new Failure("internal_error", `There is no trigger "${code}"`);
  const terms = priceTermsOf(rule);
  return {
    id: rule.id,
    name: rule.name,
    trigger: trigger.value,
    isClockDriven: trigger.isClockDriven,
    scope: compileScope(rule.scope),
    options: readOptions(rule.when),
    needs: trigger.needs,
    judge: trigger.bind(rule.when),
    price: terms === null ? null : { terms, formula: formulaOf(terms.formula) },
    floorPct: rule.marginFloor?.pct ?? null,
    alerts: rule.actions.filter((action) =>
      action.type === "alert_inapp" || action.type === "alert_email"
    ),
    cooldownMs: rule.cooldownMinutes * 60_000,
  };
}

/** The enabled rules in the order in which they are asked: the lower priority number first, then the older. */
export function compileRules(
  rules: readonly JudgedRule[],
  triggers: readonly Trigger[] = TRIGGERS,
): CompiledRule[] {
  return rules.filter(({ enabled }) => enabled).toSorted(byPriority)
    .map((rule) => compileRule(rule, triggers));
}

function byPriority(a: JudgedRule, b: JudgedRule): number {
  return a.priority - b.priority || compareTexts(a.createdAt, b.createdAt) ||
    compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
