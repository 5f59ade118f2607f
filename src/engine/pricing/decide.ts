/**
 * Decides what the rules do with a product, and which of several rules owns (sets) its price
 * (docs/decisions/rules.md).
 */

import type { AlertAction } from "./actions.ts";
import { BINDING_CODES } from "./codes.ts";
import {
  type CompiledRule,
  honoursCooldown,
  isCoolingDown,
  type Judgement,
  judgeRule,
} from "./compile_rule.ts";
import { type Claim, claimOf, findPrice, type FoundPrice } from "./find_price.ts";
import { type ObjectionFacts, REACHED_CODES } from "./guards.ts";
import { traceOf, type TraceStanding } from "./trace.ts";
import { type Statement, verdict, type View } from "./trigger.ts";
import { marginPct, type Market, readMarket, type Situation } from "./situation.ts";

export type Reason = ReturnType<typeof reasonOf>;

type Yield =
  | Statement<"outranked", ObjectionFacts["outranked"]>
  | Statement<"not_stable", ObjectionFacts["not_stable"]>;

type Outcome = "rest" | "alert" | "propose" | "apply";

export type Decision = ReturnType<typeof conclude>;

/** Decides as if the product had no other rule. */
export function decideIn(rule: CompiledRule, market: Market): Decision {
  const mismatch = rule.scope.mismatch(market.situation.product);
  const judgement = judgeRule(rule, market);
  if (mismatch === null) return conclude(rule, judgement);
  const outside = verdict(false, () => ({ code: "out_of_scope", facts: { ...mismatch } }));
  return conclude(rule, { ...judgement, verdict: outside });
}

function weigh(rule: CompiledRule, { view, verdict }: Judgement): FoundPrice | null {
  return verdict.fires ? findPrice(rule, view) : null;
}

function conclude(
  rule: CompiledRule,
  judgement: Judgement,
  found: FoundPrice | null = weigh(rule, judgement),
  place: { readonly among: RulesOnProduct; readonly at: number } | null = null,
) {
  const { view, verdict } = judgement;
  const { product } = view.market.situation;
  const cooldownActive = isCoolingDown(rule, view);
  const isHonoured = honoursCooldown(rule, view);
  const isQuiet = isHonoured || found?.isAtRest === true;
  const yields = place && found?.isAllowed ? place.among.yieldsOf(place.at) : null;
  const price = found?.isAllowed && yields === null ? found.priced : null;
  const objections = found?.objections ?? [];
  const held: readonly string[] = found?.isAllowed ? objections : [];
  const forbidding: readonly string[] = found?.isAllowed ? [] : objections;
  const blocked = yields === null ? forbidding : [yields.code];
  const alerts = verdict.fires && !isQuiet ? rule.alerts : [];
  const notes: readonly string[] = price?.notes.map(({ code }) => code) ?? [];
  const bindingGuard = blocked[0] ?? notes.find((code) => BINDING_CODES.includes(code)) ??
    held[0] ?? null;
  const said = verdict.said();
  const grounds = { rule, view, said, found, yields, isHonoured };
  const proposedCents = price?.proposedCents ?? null;
  return {
    ruleId: rule.id,
    outcome: outcomeOf(grounds, price !== null, alerts),
    wouldFire: verdict.fires,
    /** True if the rule takes effect now, which starts the rule's cooldown. */
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
    trace: () => {
      const standing = place?.among.standing() ?? { owner: null, behind: [] };
      return traceOf({ rule, judgement, found, bindingGuard, standing });
    },
  };
}

interface Grounds {
  readonly rule: CompiledRule;
  readonly view: View;
  readonly said: Statement;
  readonly found: FoundPrice | null;
  readonly yields: Yield | null;
  /** True during the rule's cooldown; always false in the modes `simulate` and `preview`. */
  readonly isHonoured: boolean;
}

/** During its cooldown, a rule that only proposes prices makes no new proposal. */
function outcomeOf(
  { rule, view, found, isHonoured }: Grounds,
  hasPrice: boolean,
  alerts: readonly AlertAction[],
): Outcome {
  if (!hasPrice) return alerts.length > 0 ? "alert" : "rest";
  if (found?.isSafe) return "apply";
  if (!isHonoured) return "propose";
  const isOpen = view.market.situation.history.openProposal?.ruleId === rule.id;
  return isOpen || rule.price?.maxChangePct !== null ? "propose" : "rest";
}

function reasonOf({ rule, view, said, found, yields, isHonoured }: Grounds) {
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

interface Owner {
  readonly rule: CompiledRule;
  readonly claim: Claim;
}

/**
 * Chooses the rule that sets the product's price: the first whose computed price is allowed, or is
 * forbidden only temporarily. A rule is skipped if its price would make an earlier rule set another
 * price; otherwise the two prices could alternate (docs/decisions/rules.md).
 */
export class RulesOnProduct {
  readonly #rules: readonly CompiledRule[];
  readonly #situation: Situation;
  readonly #judgements: Judgement[] = [];
  readonly #founds: (FoundPrice | null)[] = [];
  readonly #takers: (Yield | null)[] = [];
  readonly #asked: ReadonlySet<string> | null;
  #market: Market | null;
  #owner: Owner | null = null;
  #known = 0;

  constructor(
    rules: readonly CompiledRule[],
    situation: Situation,
    { market = null, asked = null }: {
      readonly market?: Market | null;
      /** Ids of the rules to evaluate now; null means all rules. */
      readonly asked?: ReadonlySet<string> | null;
    } = {},
  ) {
    this.#rules = rules;
    this.#situation = situation;
    this.#market = market;
    this.#asked = asked;
  }

  get market(): Market {
    return this.#market ??= readMarket(this.#situation);
  }

  /** The product must be in the scope of the rule. */
  judgement(at: number, rule: CompiledRule): Judgement {
    return this.#judgements[at] ??= judgeRule(rule, this.market);
  }

  claimOf(at: number): Claim | null {
    const claim = claimOf(this.found(at));
    const rule = this.#rules[at];
    // Between its scheduled times, a rule sets no price, and later rules may not set one either.
    const isWaiting = rule?.isScheduledOnly && this.#asked?.has(rule.id) === false;
    return claim && isWaiting ? { ...claim, hold: claim.hold ?? "schedule" } : claim;
  }

  ownerOf(count = this.#rules.length): Owner | null {
    while (this.#owner === null && this.#known < count) {
      const at = this.#known++;
      const rule = this.#rules[at];
      const claim = this.claimOf(at);
      if (rule && claim && this.#takenBy(at, claim) === null) this.#owner = { rule, claim };
    }
    return this.#known <= count ? this.#owner : null;
  }

  decision(at: number, rule: CompiledRule): Decision {
    return conclude(rule, this.judgement(at, rule), this.#weigh(at, rule), { among: this, at });
  }

  /** Returns why the rule at index `at` may not set the price; null if it may. */
  yieldsOf(at: number): Yield | null {
    const claim = this.claimOf(at);
    if (claim === null) return null;
    const owner = this.ownerOf(at);
    if (owner) return { code: "outranked", facts: this.#factsOf(owner.rule, owner.claim) };
    return this.#takenBy(at, claim);
  }

  found(at: number): FoundPrice | null {
    const rule = this.#pricing(at);
    return rule && this.#weigh(at, rule);
  }

  standing(): TraceStanding {
    const owner = this.ownerOf();
    const behind = this.#rules.flatMap(({ id, name }, at) => {
      const claim = id === owner?.rule.id ? null : this.claimOf(at);
      const yields = claim && this.yieldsOf(at);
      if (!yields) return [];
      const { facts: { ruleId, ruleName, wouldBeCents } } = yields;
      const by = { ruleId, name: ruleName, wouldBeCents };
      return { ruleId: id, name, wouldBeCents: claim.cents, why: yields.code, by };
    });
    if (owner === null) return { owner, behind };
    const { rule: { id: ruleId, name }, claim: { hold } } = owner;
    return { owner: { ruleId, name, why: hold === null ? "fired" : "held_up", hold }, behind };
  }

  isReached(at: number): boolean {
    const rule = this.#pricing(at);
    const found = rule && (this.#weigh(at, rule) ?? findPrice(rule, this.judgement(at, rule).view));
    return REACHED_CODES.has(found?.objections[0] ?? "");
  }

  weighed(): FoundPrice[] {
    return this.#founds.flatMap((found) => found ?? []);
  }

  #pricing(at: number): CompiledRule | null {
    const rule = this.#rules[at];
    return rule?.price && rule.scope.includes(this.#situation.product) ? rule : null;
  }

  #weigh(at: number, rule: CompiledRule): FoundPrice | null {
    const known = this.#founds[at];
    return known === undefined ? this.#founds[at] = weigh(rule, this.judgement(at, rule)) : known;
  }

  #takenBy(at: number, { cents }: Claim): Yield | null {
    const known = this.#takers[at];
    return known === undefined ? this.#takers[at] = this.#findTaker(at, cents) : known;
  }

  #findTaker(at: number, cents: number): Yield | null {
    let market: Market | null = null;
    for (let front = 0; front < at; front++) {
      const rule = this.#pricing(front);
      if (rule === null) continue;
      market ??= atPrice(this.market, cents);
      const { view: { references } } = this.judgement(front, rule);
      const claim = claimOf(weigh(rule, judgeRule(rule, market, references)));
      if (claim === null || claim.cents === cents) continue;
      return { code: "not_stable", facts: this.#factsOf(rule, claim) };
    }
    return null;
  }

  #factsOf({ id, name }: CompiledRule, { cents }: Claim): Yield["facts"] {
    const { currency } = this.#situation.product;
    return { ruleId: id, ruleName: name, wouldBeCents: cents, currency };
  }
}

function atPrice(market: Market, ourPriceCents: number): Market {
  const { situation } = market;
  return {
    ...market,
    situation: { ...situation, product: { ...situation.product, ourPriceCents } },
  };
}

export type ProductDecisions = ReturnType<typeof decideProduct>;

/**
 * `rules` must come from `compileRules`. The decisions are in the order of `rules`. A rule whose
 * conditions are not met has a decision only in the mode `explain`.
 */
export function decideProduct(
  rules: readonly CompiledRule[],
  situation: Situation,
  asked: ReadonlySet<string> | null = null,
) {
  const isExplained = situation.mode === "explain";
  let among: RulesOnProduct | null = null;
  const decisions: Decision[] = [];
  const ranks: { ruleId: string; rank: number }[] = [];
  for (const [at, rule] of rules.entries()) {
    const isInScope = rule.scope.includes(situation.product);
    if (!(asked?.has(rule.id) ?? true) || (!isInScope && !isExplained)) continue;
    among ??= new RulesOnProduct(rules, situation, { asked });
    if (!isInScope) {
      decisions.push(decideIn(rule, among.market));
      continue;
    }
    const { fires, rank } = among.judgement(at, rule).verdict;
    if (rank !== null && situation.history.rules[rule.id]?.rank !== rank) {
      ranks.push({ ruleId: rule.id, rank });
    }
    if (fires || isExplained) decisions.push(among.decision(at, rule));
  }
  /** The first decision that has a price, even if its rule is in the cooldown. */
  const winner = decisions.find(({ proposedCents }) => proposedCents !== null) ?? null;
  return { decisions, winner, ranks };
}
