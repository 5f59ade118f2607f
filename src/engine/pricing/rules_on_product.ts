/** Combines the rules on a product: which rule owns its price, and what each rule decides. */
import { type CompiledRule, type Judgement, judgeRule } from "./compile_rule.ts";
import { conclude, decideIn, type Decision, weigh, type Yield } from "./decide.ts";
import { type Claim, claimOf, findPrice, type FoundPrice, isObjection } from "./find_price.ts";
import { REACHED_CODES } from "./guards.ts";
import { type Market, readMarket } from "./market.ts";
import type { Situation } from "./situation.ts";
import type { TraceStanding } from "./trace.ts";

interface Owner {
  readonly rule: CompiledRule;
  readonly claim: Claim;
}

/**
 * The first rule with a price owns the product's price. If a guard only delays a rule's price, the
 * rule still owns the product's price, so that no later rule bypasses the guard. A later rule only
 * sets a price that no earlier rule would change again, so two rules never alternate
 * (docs/decisions/rules.md).
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
  /** The number of rules that `ownerOf` has checked. */
  #known = 0;

  constructor(
    rules: readonly CompiledRule[],
    situation: Situation,
    { market = null, asked = null }: {
      readonly market?: Market | null;
      /** Ids of the rules to evaluate now. Null for all rules. */
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
    // Between its scheduled times, a scheduled rule keeps its place.
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

  /** The product must be in the scope of the rule. */
  decision(at: number, rule: CompiledRule): Decision {
    return conclude(rule, this.judgement(at, rule), this.#weigh(at, rule), {
      yields: () => this.yieldsOf(at),
      standing: () => this.standing(),
    });
  }

  /** Null if the rule's price is used, or if the rule sets no price. */
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
    return { owner: owner && ownerText(owner), behind };
  }

  isReached(at: number): boolean {
    const rule = this.#pricing(at);
    const found = rule &&
      (this.#weigh(at, rule) ?? findPrice(rule, this.judgement(at, rule).view, false));
    const first = found?.checks.find(isObjection)?.guard;
    return first !== undefined && REACHED_CODES.has(first);
  }

  /** All prices that were computed so far, in order of the rules. */
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

function ownerText({ rule: { id, name }, claim: { hold } }: Owner) {
  return { ruleId: id, name, why: hold === null ? "fired" as const : "held_up" as const, hold };
}

function atPrice(market: Market, ourPriceCents: number): Market {
  const { situation } = market;
  return {
    ...market,
    situation: { ...situation, product: { ...situation.product, ourPriceCents } },
  };
}

export interface ProductDecisions {
  /** Decisions of the rules that fired, in order. In mode `explain`, decisions of all rules. */
  readonly decisions: readonly Decision[];
  /** The first decision with a price, even if the rule is in its cooldown. */
  readonly winner: Decision | null;
  /** Only ranks that differ from the stored ranks. */
  readonly ranks: readonly { readonly ruleId: string; readonly rank: number }[];
}

const NOTHING: ProductDecisions = { decisions: [], winner: null, ranks: [] };

/**
 * Decides for all rules in `asked` (null: all rules). The rules must come from `compileRules`, in
 * order.
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
