/** Decides what a rule does with a product. The module is pure (docs/decisions/rules.md). */

import type { AlertAction } from "./actions.ts";
import type { Note } from "./bounds.ts";
import { BINDING_CODES } from "./codes.ts";
import { type CompiledRule, type Judgement, judgeRule, resting } from "./compile_rule.ts";
import { findPrice, type FoundPrice, isObjection } from "./find_price.ts";
import type { ObjectionFacts } from "./guards.ts";
import { marginPct, type Market } from "./market.ts";
import type { AimKind } from "./price_aim.ts";
import { type Trace, traceOf, type TraceStanding } from "./trace.ts";
import type { Statement } from "./statement.ts";
import type { View } from "./trigger.ts";

export interface Reason {
  readonly said: Statement;
  readonly price: {
    readonly formula: string | null;
    readonly from: AimKind | null;
    readonly cents: number;
    readonly currency: string;
    readonly notes: readonly Note[];
  } | null;
  readonly yields: Yield | null;
  readonly objections: readonly Statement[];
  /** True if the rule is in its cooldown and `objections` does not contain `cooldown`. */
  readonly isCoolingDown: boolean;
}

export type Yield =
  | Statement<"outranked", ObjectionFacts["outranked"]>
  | Statement<"not_stable", ObjectionFacts["not_stable"]>;

export interface Decision {
  readonly ruleId: string;
  readonly outcome: "rest" | "alert" | "propose" | "apply";
  readonly wouldFire: boolean;
  /** A fire starts the cooldown, is counted, and is published as an event. */
  readonly fires: boolean;
  /** True within the cooldown, even if the mode ignores cooldowns. */
  readonly cooldownActive: boolean;
  readonly currentCents: number | null;
  readonly proposedCents: number | null;
  /** Null if a formula computes the price, or if there is no price. */
  readonly goalCents: number | null;
  readonly notes: readonly string[];
  /**
   * In percent, rounded down to 2 decimals. Without a proposed price, this is the margin at the
   * current price.
   */
  readonly marginPct: number | null;
  readonly bindingGuard: string | null;
  readonly blocked: readonly string[];
  readonly held: readonly string[];
  readonly reason: Reason;
  readonly alerts: readonly AlertAction[];
  /** Stored even if the rule did not fire. Null for triggers without ranks. */
  readonly rank: number | null;
  trace(): Trace;
}

/** Decides as if no other rule existed. Never throws. */
export function decideIn(rule: CompiledRule, market: Market): Decision {
  const mismatch = rule.scope.mismatch(market.situation.product);
  const judgement = judgeRule(rule, market);
  if (mismatch === null) return conclude(rule, judgement);
  const verdict = resting(() => ({ code: "out_of_scope", facts: { ...mismatch } }));
  return conclude(rule, { ...judgement, verdict });
}

/** Null if the rule did not fire or sets no price. */
export function weigh(rule: CompiledRule, { view, verdict }: Judgement): FoundPrice | null {
  return verdict.fires ? findPrice(rule, view, honoursCooldown(rule, view)) : null;
}

export function conclude(
  rule: CompiledRule,
  judgement: Judgement,
  found: FoundPrice | null = weigh(rule, judgement),
  among: Among = ALONE,
): Decision {
  const { view, verdict, by } = judgement;
  const { product } = view.market.situation;
  const cooldownActive = isCoolingDown(rule, view);
  const isHonoured = honoursCooldown(rule, view);
  const isQuiet = isHonoured || found?.isAtRest === true;
  const yields = found?.isAllowed ? among.yields() : null;
  const price = found?.isAllowed && yields === null ? found.priced : null;
  const blocked = yields === null ? blockedBy(found) : [yields.code];
  const held = (found?.checks ?? []).filter((check) =>
    check.forbids === "apply" && isObjection(check)
  )
    .map(({ guard }) => guard);
  const alerts = verdict.fires && !isQuiet ? rule.alerts : [];
  const notes = price?.notes.map(({ code }) => code) ?? [];
  const bindingGuard = blocked[0] ?? notes.find((code) => BINDING_CODES.includes(code)) ??
    held[0] ?? null;
  const said = verdict.said();
  const grounds = { rule, view, said, found, yields, isHonoured };
  const proposedCents = price?.proposedCents ?? null;
  return {
    ruleId: rule.id,
    outcome: outcomeOf(grounds, price !== null, alerts),
    wouldFire: verdict.fires,
    fires: verdict.fires && !isQuiet,
    cooldownActive,
    currentCents: product.ourPriceCents,
    proposedCents,
    goalCents: found?.priced?.aimed?.goal.goalCents ?? null,
    notes,
    marginPct: marginPct(view.market, proposedCents ?? product.ourPriceCents),
    bindingGuard,
    blocked,
    held,
    reason: reasonOf(grounds),
    alerts,
    rank: verdict.rank,
    trace: () =>
      traceOf({
        ...{ rule, by, view, fires: verdict.fires, said, found, bindingGuard },
        standing: among.standing(),
      }),
  };
}

function isCoolingDown({ cooldownMs }: CompiledRule, { past, market }: View): boolean {
  const lastMs = past?.lastFiredAtMs ?? null;
  return lastMs !== null && market.situation.nowMs < lastMs + cooldownMs;
}

function honoursCooldown(rule: CompiledRule, view: View): boolean {
  const { mode } = view.market.situation;
  return mode !== "simulate" && mode !== "preview" && isCoolingDown(rule, view);
}

function blockedBy(found: FoundPrice | null): string[] {
  if (found === null || found.isAllowed) return [];
  return found.checks.filter(isObjection).map(({ guard }) => guard);
}

interface Grounds {
  readonly rule: CompiledRule;
  readonly view: View;
  readonly said: Statement;
  readonly found: FoundPrice | null;
  readonly yields: Yield | null;
  readonly isHonoured: boolean;
}

/**
 * In its cooldown, a rule does not repeat alerts or proposals. Exceptions are rules that may apply
 * prices, and rules whose proposal is still open.
 */
function outcomeOf(
  { rule, view, found, isHonoured }: Grounds,
  hasPrice: boolean,
  alerts: readonly AlertAction[],
): Decision["outcome"] {
  if (!hasPrice) return alerts.length > 0 ? "alert" : "rest";
  if (found?.isSafe) return "apply";
  if (!isHonoured) return "propose";
  const isOpen = view.market.situation.history.openProposal?.ruleId === rule.id;
  return isOpen || rule.price?.maxChangePct !== null ? "propose" : "rest";
}

function reasonOf({ rule, view, said, found, yields, isHonoured }: Grounds): Reason {
  const priced = found?.isAllowed ? found.priced : null;
  const objections = (found?.checks ?? []).flatMap(({ guard, facts }): Statement[] =>
    facts === null ? [] : [{ code: guard, facts }]
  );
  return {
    said,
    price: priced && rule.price && {
      formula: rule.price.kind === "formula" ? rule.price.formula.value : null,
      from: priced.aimed?.base.kind ?? null,
      cents: priced.proposedCents,
      currency: view.market.situation.product.currency,
      notes: priced.notes,
    },
    yields,
    objections,
    isCoolingDown: isHonoured && !objections.some(({ code }) => code === "cooldown"),
  };
}

/** `yields` may only be called if the rule has a price. */
interface Among {
  yields(): Yield | null;
  standing(): TraceStanding;
}

const ALONE: Among = { yields: () => null, standing: () => ({ owner: null, behind: [] }) };
