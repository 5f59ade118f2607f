/**
 * Decides what a rule does with a product. Pure, and the same for live evaluation, simulation,
 * back-test and explanation (docs/decisions/rules.md).
 */

import type { AlertAction } from "./actions.ts";
import type { Note } from "./bounds.ts";
import { BINDING_CODES } from "./codes.ts";
import { type CompiledRule, type Judgement, judgeRule, resting } from "./compile_rule.ts";
import { type Claim, claimOf, findPrice, type FoundPrice, isObjection } from "./find_price.ts";
import { type ObjectionFacts, REACHED_CODES } from "./guards.ts";
import { marginPct, type Market, readMarket } from "./market.ts";
import type { AimKind } from "./price_aim.ts";
import type { Situation } from "./situation.ts";
import { type Trace, traceOf, type TraceStanding } from "./trace.ts";
import type { Saying } from "./statement.ts";
import type { View } from "./trigger.ts";

/** The reasons of a decision, from which `wording` makes sentences. */
export interface Reason {
  readonly said: Saying;
  /** Null if there is no price or a guard forbids it. */
  readonly price: {
    readonly formula: string | null;
    readonly from: AimKind | null;
    readonly cents: number;
    readonly currency: string;
    /** Notes about what changed the price while it was computed, bounds included. */
    readonly notes: readonly Note[];
  } | null;
  /** Why an earlier rule prevents the price of this one. */
  readonly yields: Yield | null;
  /**
   * Objections of guards. They forbid the price or, if there is one, its automatic application.
   */
  readonly objections: readonly Saying[];
  /** True if the rule would have done more had it not fired recently. */
  readonly isCoolingDown: boolean;
}

/** How an earlier rule prevents the price of a later one. */
export type Yield =
  | Saying<"outranked", ObjectionFacts["outranked"]>
  | Saying<"not_stable", ObjectionFacts["not_stable"]>;

/** The decision of a rule about a product. Callers act only on `outcome`, `alerts` and `fires`. */
export interface Decision {
  readonly ruleId: string;
  readonly outcome: "rest" | "alert" | "propose" | "apply";
  readonly wouldFire: boolean;
  /**
   * True if it counts as a fire, which starts the cooldown, is counted, and is published as an
   * event.
   */
  readonly fires: boolean;
  /** True within the cooldown, even if the mode ignores it (simulate). */
  readonly cooldownActive: boolean;
  readonly currentCents: number | null;
  /** Null if there is no price or a guard forbids it. */
  readonly proposedCents: number | null;
  /** The goal of a `price` aim; null for formulas and without a price. */
  readonly goalCents: number | null;
  /** Codes of bounds that changed the price, and of endings that were dropped. */
  readonly notes: readonly string[];
  /**
   * Margin of the proposed price, else of the current price; in percent, 2 decimals, rounded down.
   */
  readonly marginPct: number | null;
  /** The guard that forbade the price, lifted it, or kept it from being applied. */
  readonly bindingGuard: string | null;
  readonly blocked: readonly string[];
  /** Codes of the guards that prevent an automatic application of the price. */
  readonly held: readonly string[];
  readonly reason: Reason;
  readonly alerts: readonly AlertAction[];
  /** Our rank, stored whether the rule fired or not; null for triggers without a rank. */
  readonly rank: number | null;
  /** Computed on demand. */
  trace(): Trace;
}

/**
 * Decides what one rule does with one product, regardless of other rules. Never throws. A product
 * outside the scope rests with that reason.
 */
export function decideIn(rule: CompiledRule, market: Market): Decision {
  const validationError = rule.scope.misfit(market.situation.product);
  const judgement = judgeRule(rule, market);
  if (validationError === null) return conclude(rule, judgement);
  const verdict = resting(() => ({ code: "out_of_scope", facts: { ...validationError } }));
  return conclude(rule, { ...judgement, verdict });
}

/** The price of a rule regardless of other rules; null if it did not fire or has no price. */
function weigh(rule: CompiledRule, { view, verdict }: Judgement): FoundPrice | null {
  return verdict.fires ? findPrice(rule, view, honoursCooldown(rule, view)) : null;
}

/** Makes the decision from a verdict, the price that `weigh` found, and the earlier rules. */
function conclude(
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
  const yields = found?.stands ? among.yields() : null;
  const price = found?.stands && yields === null ? found.priced : null;
  const blocked = yields === null ? blockedBy(found) : [yields.code];
  const held = (found?.asked ?? []).filter((asked) =>
    asked.forbids === "apply" && isObjection(asked)
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

function isCoolingDown({ cooldownMs }: CompiledRule, { memory, market }: View): boolean {
  const lastMs = memory?.lastFiredAtMs ?? null;
  return lastMs !== null && market.situation.nowMs < lastMs + cooldownMs;
}

/** True if the cooldown applies. A simulation reports cooldowns but ignores them. */
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
  readonly yields: Yield | null;
  readonly isHonoured: boolean;
}

/**
 * A rule in its cooldown does not repeat alerts or proposals. But if it would have applied its
 * price, it proposes it, and its open proposal follows its price.
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
    yields,
    objections,
    isCoolingDown: isHonoured && !objections.some(({ code }) => code === "cooldown"),
  };
}

/**
 * How other rules affect the price of one rule. `yields` is called only if the rule has a price.
 */
interface Among {
  yields(): Yield | null;
  standing(): TraceStanding;
}

const ALONE: Among = {
  yields: () => null,
  standing: () => ({ owner: null, behind: [] }),
};

/** The rule that owns a product's price. */
export interface Owner {
  readonly rule: CompiledRule;
  readonly claim: Claim;
}

/**
 * The rules on one product, in order. Each rule is evaluated once, when its result is needed.
 *
 * The first rule with a price owns the product's price. A rule whose price is only held up for a
 * while keeps its place, so that no later rule bypasses the guard. A later rule only sets a stable
 * price: if it were our price, no earlier rule would set another one. So two rules never alternate,
 * and every product reaches a stable price (docs/decisions/rules.md).
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
  /** How many rules were checked for the owner. If there is one, it is the last of them. */
  #known = 0;

  constructor(
    rules: readonly CompiledRule[],
    situation: Situation,
    { market = null, asked = null }: {
      readonly market?: Market | null;
      /** Ids of the rules to evaluate now; null for all. */
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

  /** The price of a rule, regardless of the others; `null` if it has none. */
  claimOf(at: number): Claim | null {
    const claim = claimOf(this.found(at));
    const rule = this.#rules[at];
    // A scheduled rule keeps its place between its times.
    const isWaiting = rule?.isScheduledOnly && this.#asked?.has(rule.id) === false;
    return claim && isWaiting ? { ...claim, hold: claim.hold ?? "schedule" } : claim;
  }

  /** The owner among the first `count` rules. */
  ownerOf(count = this.#rules.length): Owner | null {
    while (this.#owner === null && this.#known < count) {
      const at = this.#known++;
      const rule = this.#rules[at];
      const claim = this.claimOf(at);
      if (rule && claim && this.#takenBy(at, claim) === null) this.#owner = { rule, claim };
    }
    return this.#known <= count ? this.#owner : null;
  }

  /** The product must be in the scope of the rule. */
  decision(at: number, rule: CompiledRule): Decision {
    return conclude(rule, this.judgement(at, rule), this.#weigh(at, rule), {
      yields: () => this.yieldsOf(at),
      standing: () => this.standing(),
    });
  }

  /** Why a rule does not set its price; `null` if it does or has no price. */
  yieldsOf(at: number): Yield | null {
    const claim = this.claimOf(at);
    if (claim === null) return null;
    const owner = this.ownerOf(at);
    if (owner) return { code: "outranked", facts: this.#factsOf(owner.rule, owner.claim) };
    return this.#takenBy(at, claim);
  }

  /**
   * The price found by the rule at that index; `null` if the rule sets no price for this product.
   */
  found(at: number): FoundPrice | null {
    const rule = this.#pricing(at);
    return rule && this.#weigh(at, rule);
  }

  /** The owner, and the other rules that have a price. */
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
    return { owner: owner && ownerText(owner), behind };
  }

  /**
   * True if the current price is the one that the rule would set, whether or not its trigger fires.
   */
  isReached(at: number): boolean {
    const rule = this.#pricing(at);
    const found = rule &&
      (this.#weigh(at, rule) ?? findPrice(rule, this.judgement(at, rule).view, false));
    const first = found?.asked.find(isObjection)?.guard;
    return first !== undefined && REACHED_CODES.has(first);
  }

  /** The prices that were computed so far. */
  weighed(): FoundPrice[] {
    return this.#founds.flatMap((found) => found ?? []);
  }

  /** The rule at that index, if it sets prices and the product is in its scope. */
  #pricing(at: number): CompiledRule | null {
    const rule = this.#rules[at];
    return rule?.price && rule.scope.includes(this.#situation.product) ? rule : null;
  }

  #weigh(at: number, rule: CompiledRule): FoundPrice | null {
    const known = this.#founds[at];
    return known === undefined ? this.#founds[at] = weigh(rule, this.judgement(at, rule)) : known;
  }

  /** The first earlier rule that would change that price again. */
  #takenBy(at: number, { cents }: Claim): Yield | null {
    const known = this.#takers[at];
    return known === undefined ? this.#takers[at] = this.#askAgain(at, cents) : known;
  }

  #askAgain(at: number, cents: number): Yield | null {
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

function ownerText({ rule: { id, name }, claim: { hold } }: Owner) {
  return { ruleId: id, name, why: hold === null ? "fired" as const : "held_up" as const, hold };
}

/** The same market with another own price. */
function atPrice(market: Market, ourPriceCents: number): Market {
  const { situation } = market;
  return {
    ...market,
    situation: { ...situation, product: { ...situation.product, ourPriceCents } },
  };
}

export interface ProductDecisions {
  /** Decisions of the rules whose trigger fired, in order; in mode `explain`, of all rules. */
  readonly decisions: readonly Decision[];
  /** The decision whose price counts: the first one with a price, even during its cooldown. */
  readonly winner: Decision | null;
  /** Ranks that differ from the stored ones and must be stored. */
  readonly ranks: readonly { readonly ruleId: string; readonly rank: number }[];
}

const NOTHING: ProductDecisions = { decisions: [], winner: null, ranks: [] };

/**
 * Evaluates all rules for one product: one rule owns its price, and the others may still alert
 * (docs/decisions/rules.md). `rules` come from `compileRules`. Only the rules in `asked` (null:
 * all) decide; the others keep their place. The cost is a scope test for each rule that does not
 * concern the product, and a comparison for each rule that does not fire.
 */
export function decideProduct(
  rules: readonly CompiledRule[],
  situation: Situation,
  asked: ReadonlySet<string> | null = null,
): ProductDecisions {
  const isExplained = situation.mode === "explain";
  let among: RulesOnProduct | null = null;
  let decisions: Decision[] | null = null;
  let ranks: { ruleId: string; rank: number }[] | null = null;
  for (const [at, rule] of rules.entries()) {
    const isInScope = rule.scope.includes(situation.product);
    if (!(asked?.has(rule.id) ?? true) || (!isInScope && !isExplained)) continue;
    among ??= new RulesOnProduct(rules, situation, { asked });
    if (!isInScope) {
      (decisions ??= []).push(decideIn(rule, among.market));
      continue;
    }
    const { fires, rank } = among.judgement(at, rule).verdict;
    if (rank !== null && situation.history.rules[rule.id]?.rank !== rank) {
      (ranks ??= []).push({ ruleId: rule.id, rank });
    }
    if (fires || isExplained) (decisions ??= []).push(among.decision(at, rule));
  }
  if (decisions === null && ranks === null) return NOTHING;
  const winner = decisions?.find(({ proposedCents }) => proposedCents !== null) ?? null;
  return { decisions: decisions ?? [], winner, ranks: ranks ?? [] };
}
