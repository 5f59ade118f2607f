/**
 * Decides what a rule does with a product: pure, and the same for live evaluation, simulation, back-test
 * and explanation (docs/decisions/rules.md).
 */

import type { AlertAction } from "./actions.ts";
import type { Note } from "./bounds.ts";
import { BINDING_CODES } from "./codes.ts";
import { type CompiledRule, type Judgement, judgeRule, resting } from "./compile_rule.ts";
import { findPrice, type FoundPrice, isObjection } from "./find_price.ts";
import { marginPct, type Market, readMarket } from "./market.ts";
import type { AimKind } from "./price_aim.ts";
import type { Situation } from "./situation.ts";
import { type Trace, traceOf } from "./trace.ts";
import type { Saying } from "./statement.ts";
import type { View } from "./trigger.ts";

/** Why a rule says what it says, for `wording` to make sentences of. */
export interface Reason {
  readonly said: Saying;
  /** Null when there is no price, or a guard forbids it. */
  readonly price: {
    readonly formula: string | null;
    readonly from: AimKind | null;
    readonly cents: number;
    readonly currency: string;
    /** Notes of what has changed the price on its way, bounds included. */
    readonly notes: readonly Note[];
  } | null;
  /** The name of the rule whose price goes first. */
  readonly outrankedBy: string | null;
  /** Of guards: they forbid the price, or to apply it without a person when there is one. */
  readonly objections: readonly Saying[];
  /** True when the rule would have done more had it not fired a short time ago. */
  readonly isCoolingDown: boolean;
}

/** The decision of a rule on a product. Callers act by `outcome`, `alerts` and `fires` alone. */
export interface Decision {
  readonly ruleId: string;
  readonly outcome: "rest" | "alert" | "propose" | "apply";
  readonly wouldFire: boolean;
  /** True when it counts as a fire: starts the cooldown, is counted and announced. */
  readonly fires: boolean;
  /** True within the cooldown, also where it is ignored (simulate). */
  readonly cooldownActive: boolean;
  readonly currentCents: number | null;
  /** Null when there is no price or a guard forbids it. */
  readonly proposedCents: number | null;
  /** Where the moves of a price that is aimed at go; null for other prices and without one. */
  readonly goalCents: number | null;
  /** Codes of what has changed the price on its way: bounds, endings that found no room. */
  readonly notes: readonly string[];
  /** Of the proposed price, else of today's; in percent, 2 decimals, rounded down. */
  readonly marginPct: number | null;
  /** The guard that forbade the price, lifted it, or kept it from being applied. */
  readonly bindingGuard: string | null;
  readonly blocked: readonly string[];
  /** Codes of the guards that keep a price from being applied without a person. */
  readonly held: readonly string[];
  readonly reason: Reason;
  readonly alerts: readonly AlertAction[];
  /** Our rank, to be remembered whether the rule fired or not; null for triggers that know none. */
  readonly rank: number | null;
  /** Made when it is asked for. */
  trace(): Trace;
}

/**
 * Decides what one rule does with one product. Pure and total: live evaluation, simulation, back-test
 * and explanation call this (docs/decisions/rules.md). A product outside the scope rests with the
 * reason.
 */
export function decideIn(rule: CompiledRule, market: Market): Decision {
  const validationError = rule.scope.misfit(market.situation.product);
  const judgement = judgeRule(rule, market);
  if (validationError === null) return conclude(rule, judgement, null);
  const verdict = resting(() => ({ code: "out_of_scope", facts: { ...validationError } }));
  return conclude(rule, { ...judgement, verdict }, null);
}

/** The price of a rule regardless of other rules; null when it did not fire or makes none. */
export function weigh(rule: CompiledRule, { view, verdict }: Judgement): FoundPrice | null {
  return verdict.fires ? findPrice(rule, view, honoursCooldown(rule, view)) : null;
}

/**
 * The decision that follows from a verdict. `winner` names the rule that has the product's price
 * already; `found` is what `weigh` says, for who has asked it before.
 */
export function conclude(
  rule: CompiledRule,
  judgement: Judgement,
  winner: string | null,
  found: FoundPrice | null = weigh(rule, judgement),
): Decision {
  const { view, verdict, by } = judgement;
  const { product } = view.market.situation;
  const cooldownActive = isCoolingDown(rule, view);
  const isHonoured = honoursCooldown(rule, view);
  const isQuiet = isHonoured || found?.isAtRest === true;
  const price = winner === null && found?.stands ? found.priced : null;
  const blocked = [...blockedBy(found), ...(winner !== null && found?.stands ? ["outranked"] : [])];
  const held = (found?.asked ?? []).filter((asked) =>
    asked.forbids === "apply" && isObjection(asked)
  )
    .map(({ guard }) => guard);
  const alerts = verdict.fires && !isQuiet ? rule.alerts : [];
  const notes = price?.notes.map(({ code }) => code) ?? [];
  const bindingGuard = blocked[0] ?? notes.find((code) => BINDING_CODES.includes(code)) ??
    held[0] ?? null;
  const said = verdict.said();
  const grounds = { rule, view, said, found, winner, isHonoured };
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
    trace: () => traceOf({ rule, by, view, fires: verdict.fires, said, found, bindingGuard }),
  };
}

function isCoolingDown({ cooldownMs }: CompiledRule, { memory, market }: View): boolean {
  const lastMs = memory?.lastFiredAtMs ?? null;
  return lastMs !== null && market.situation.nowMs < lastMs + cooldownMs;
}

/** A dry run tells of cooldowns, and keeps to none. */
function honoursCooldown(rule: CompiledRule, view: View): boolean {
  return view.market.situation.mode !== "simulate" && isCoolingDown(rule, view);
}

function blockedBy(found: FoundPrice | null): string[] {
  if (found === null || found.stands) return [];
  return found.asked.filter(isObjection).map(({ guard }) => guard);
}

interface Grounds {
  readonly rule: CompiledRule;
  readonly view: View;
  readonly said: Saying;
  readonly found: FoundPrice | null;
  readonly winner: string | null;
  readonly isHonoured: boolean;
}

/**
 * A rule in its cooldown alerts and proposes nothing again. But a rule that would have applied its
 * price proposes it, and an open proposal of the rule follows its price.
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

function reasonOf({ rule, view, said, found, winner, isHonoured }: Grounds): Reason {
  const priced = found?.stands ? found.priced : null;
  const objections = (found?.asked ?? []).flatMap(({ guard, facts }): Saying[] =>
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
    outrankedBy: priced ? winner : null,
    objections,
    isCoolingDown: isHonoured && !objections.some(({ code }) => code === "cooldown"),
  };
}

/**
 * Rules on one product, in their order. Each is judged once, when it is asked for, and the first that has
 * a price owns the product: whether a price stands does not depend on what other rules say.
 */
export class RulesOnProduct {
  readonly #rules: readonly CompiledRule[];
  readonly #situation: Situation;
  readonly #judgements: Judgement[] = [];
  readonly #founds: (FoundPrice | null)[] = [];
  #market: Market | null;
  #owner: CompiledRule | null = null;
  /** The owner, if there is one, is the last of so many rules. */
  #known = 0;

  constructor(rules: readonly CompiledRule[], situation: Situation, market: Market | null = null) {
    this.#rules = rules;
    this.#situation = situation;
    this.#market = market;
  }

  get market(): Market {
    return this.#market ??= readMarket(this.#situation);
  }

  /** For a product in the scope of the rule. */
  judgement(at: number, rule: CompiledRule): Judgement {
    return this.#judgements[at] ??= judgeRule(rule, this.market);
  }

  /** Null when the rule has no price that stands. */
  priceOf(at: number): number | null {
    const rule = this.#rules[at];
    if (!rule?.price || !rule.scope.includes(this.#situation.product)) return null;
    const found = this.#weigh(at, rule);
    return found?.stands ? found.priced?.proposedCents ?? null : null;
  }

  /** The owner among the first `count` rules. */
  ownerOf(count: number): CompiledRule | null {
    while (this.#owner === null && this.#known < count) {
      const at = this.#known++;
      if (this.priceOf(at) !== null) this.#owner = this.#rules[at] ?? null;
    }
    return this.#known <= count ? this.#owner : null;
  }

  /** For a product in the scope of the rule. */
  decision(at: number, rule: CompiledRule): Decision {
    const owner = this.ownerOf(at);
    return conclude(rule, this.judgement(at, rule), owner && owner.name, this.#weigh(at, rule));
  }

  /** The prices that were weighed so far. */
  weighed(): FoundPrice[] {
    return this.#founds.flatMap((found) => found ?? []);
  }

  #weigh(at: number, rule: CompiledRule): FoundPrice | null {
    const known = this.#founds[at];
    return known === undefined ? this.#founds[at] = weigh(rule, this.judgement(at, rule)) : known;
  }
}

export interface ProductDecisions {
  /** Of the rules whose trigger fired, in their order; in mode `explain` of every rule. */
  readonly decisions: readonly Decision[];
  /** The one whose price counts: the first that has one, also while it rests in its cooldown. */
  readonly winner: Decision | null;
  /** Ranks that are not the remembered ones: to be stored. */
  readonly ranks: readonly { readonly ruleId: string; readonly rank: number }[];
}

const NOTHING: ProductDecisions = { decisions: [], winner: null, ranks: [] };

/**
 * One pass for one product: the first rule that yields a price wins, later ones may still alert
 * (docs/decisions/rules.md). `rules` come from `compileRules`. Costs a scope test per rule that
 * does not concern the product, and a comparison per rule that does not fire.
 */
export function decideProduct(
  rules: readonly CompiledRule[],
  situation: Situation,
): ProductDecisions {
  const isExplained = situation.mode === "explain";
  let asked: RulesOnProduct | null = null;
  let decisions: Decision[] | null = null;
  let ranks: { ruleId: string; rank: number }[] | null = null;
  let at = -1;
  for (const rule of rules) {
    at++;
    const isInScope = rule.scope.includes(situation.product);
    if (!isInScope && !isExplained) continue;
    asked ??= new RulesOnProduct(rules, situation);
    if (!isInScope) {
      (decisions ??= []).push(decideIn(rule, asked.market));
      continue;
    }
    const { fires, rank } = asked.judgement(at, rule).verdict;
    if (rank !== null && situation.history.rules[rule.id]?.rank !== rank) {
      (ranks ??= []).push({ ruleId: rule.id, rank });
    }
    if (fires || isExplained) (decisions ??= []).push(asked.decision(at, rule));
  }
  if (decisions === null && ranks === null) return NOTHING;
  const winner = decisions?.find(({ proposedCents }) => proposedCents !== null) ?? null;
  return { decisions: decisions ?? [], winner, ranks: ranks ?? [] };
}
