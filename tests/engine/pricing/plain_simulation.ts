/**
 * A simulation without optimisations. It evaluates all rules for all products with all facts, sums
 * up the decisions, and finds the rule that owns each price. This simulation is slow, but short
 * enough to check by reading.
 */

import { decide } from "./market.ts";
import { fromKeys } from "../../../src/base/collections.ts";
import {
  type CompiledRule,
  compileRule,
  compileRules,
  type JudgedRule,
} from "../../../src/engine/pricing/compile_rule.ts";
import { decideProduct, type Decision } from "../../../src/engine/pricing/decide.ts";
import { TEMPORARY_CODES } from "../../../src/engine/pricing/guards.ts";
import {
  DEFAULT_OPTIONS,
  rankOf,
  selectReferences,
} from "../../../src/engine/pricing/reference.ts";
import {
  GAP_EDGES,
  type SimulatedOutcome,
  type SimulationCounters,
} from "../../../src/engine/pricing/simulation.ts";
import { marginPct, readMarket, type Situation } from "../../../src/engine/pricing/situation.ts";
import { RESTS } from "../../../src/engine/pricing/trigger.ts";

export interface AskedRules {
  readonly rule: JudgedRule;
  readonly stored: JudgedRule | null;
  readonly others: readonly JudgedRule[];
}

export interface PlainSimulation {
  readonly outcomes: readonly SimulatedOutcome[];
  readonly counters: SimulationCounters;
}

export function simulatePlainly(asked: AskedRules, catalogue: readonly Situation[]) {
  const lists: Lists = {
    own: listOf(asked.rule, asked.others),
    stored: asked.stored && listOf(asked.stored, asked.others),
  };
  const { scope } = lists.own.rule;
  const all = catalogue.filter(({ product }) => scope.includes(product))
    .map((situation) => judge(lists, withoutFires(situation)));
  const count = (is: (one: Judged) => boolean) => all.filter(is).length;
  const margins = all.flatMap(({ outcome: { marginPct, proposedMarginPct, proposedCents } }) => {
    const after = proposedCents === null ? marginPct : proposedMarginPct;
    return marginPct === null || after === null ? [] : [[marginPct, after] as const];
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const counters = {
    inScope: all.length,
    fired: count(({ own }) => own.fires),
    up: count(({ outcome }) => outcome.outcome === "up"),
    down: count(({ outcome }) => outcome.outcome === "down"),
    wouldApply: count(({ own }) => own.outcome === "apply"),
    resting: codes(all.filter(({ outcome }) => outcome.proposedCents === null)),
    braked: codes(all.filter(({ outcome }) => outcome.proposedCents !== null)),
    margin: {
      known: margins.length,
      before: sum(margins.map(([before]) => Math.round(before * 100))),
      after: sum(margins.map(([, after]) => Math.round(after * 100))),
    },
    gap: fromKeys(TIMES, (time) => bins(all.map(({ gaps }) => gaps[time]))),
    cheapest: fromKeys(TIMES, (time) => count(({ ranks }) => ranks[time] === 1)),
    conflicts: conflictsOf(all),
  };
  return { outcomes: all.map(({ outcome }) => outcome), counters };
}

const TIMES = ["before", "stored", "after"] as const;

type List = ReturnType<typeof listOf>;

interface Lists {
  readonly own: List;
  readonly stored: List | null;
}

function listOf(rule: JudgedRule, others: readonly JudgedRule[]) {
  return { rule: compileRule(rule), all: compileRules([...others, { ...rule, enabled: true }]) };
}

type Judged = ReturnType<typeof judge>;

function judge({ own: list, stored }: Lists, situation: Situation) {
  const { product } = situation;
  const own = decisionOf(list, situation);
  const market = readMarket(situation);
  const references = selectReferences(DEFAULT_OPTIONS, market);
  const storedCents = stored && stored.rule.scope.includes(product)
    ? decisionOf(stored, situation).proposedCents
    : null;
  const { proposedCents } = own;
  const ours = product.ourPriceCents;
  const ofEach = <T>(of: (price: number) => T) => {
    const at = (price: number | null) =>
      price === null || references.offers.length === 0 ? null : of(price);
    return { before: at(ours), stored: at(storedCents ?? ours), after: at(proposedCents ?? ours) };
  };
  const outcome: SimulatedOutcome = {
    productId: product.id,
    sku: product.sku,
    outcome: proposedCents === null ? "rests" : proposedCents > (ours ?? 0) ? "up" : "down",
    code: proposedCents === null ? codeOf(own) : own.bindingGuard,
    currency: product.currency,
    currentCents: ours,
    proposedCents,
    marginPct: marginPct(market, ours),
    proposedMarginPct: proposedCents === null ? null : marginPct(market, proposedCents),
    effect30dCents: null,
  };
  // On an edge of the bins, these quotients of integers are exact in floating point.
  const { num = 0, den = 1 } = references.offers[0]?.unit ?? {};
  return {
    own,
    outcome,
    list,
    situation,
    ranks: ofEach((price) => rankOf(price, references)),
    gaps: ofEach((price) => num === 0 ? null : 100 * price * Number(den) / Number(num) - 100),
  };
}

function decisionOf({ rule, all }: List, situation: Situation): Decision {
  return decideProduct(all, situation).decisions.find(({ ruleId }) => ruleId === rule.id) ??
    decide(rule, situation);
}

function codeOf({ blocked: [first], wouldFire, reason }: Decision): string {
  if (first !== undefined) return first;
  if (wouldFire) return "alert_only";
  return reason.said.code in RESTS ? reason.said.code : "not_fired";
}

function codes(some: readonly Judged[]): Record<string, number> {
  const byCode = Map.groupBy(some, ({ outcome }) => outcome.code);
  return Object.fromEntries(
    [...byCode].flatMap(([code, { length }]) => code === null ? [] : [[code, length]]),
  );
}

function bins(gaps: readonly (number | null)[]): number[] {
  const edges = [...GAP_EDGES, Infinity];
  return edges.map((above, at) => {
    const below = edges[at - 1] ?? -Infinity;
    return gaps.filter((gap) => gap !== null && gap >= below && gap < above).length;
  });
}

function conflictsOf(some: readonly Judged[]): SimulationCounters["conflicts"] {
  const conflicts: Record<string, readonly [number, number, number, number]> = {};
  for (const { list: { rule, all }, situation } of some) {
    if (askedAlone(rule, situation) === null) continue;
    const inScope = all.filter(({ price, scope }) => price && scope.includes(situation.product));
    const others = inScope.filter((one) => one.id !== rule.id);
    const owner = ownerPlainly(inScope, situation);
    const without = ownerPlainly(others, situation);
    const fronts = inScope.slice(0, inScope.findIndex(({ id }) => id === rule.id));
    const isOutranked = ownerPlainly(fronts, situation) !== undefined;
    const taker = isOutranked ? undefined : takerPlainly(inScope, rule, situation)?.id;
    for (const other of others) {
      const counts = [
        askedAlone(other, situation) !== null,
        other.id === owner?.id,
        owner?.id === rule.id && other.id === without?.id,
        other.id === taker,
      ];
      if (!counts.includes(true)) continue;
      const [a, b, c, d] = conflicts[other.id] ?? [0, 0, 0, 0];
      const [shares, wins, loses, takesBack] = counts.map(Number);
      conflicts[other.id] = [a + shares!, b + wins!, c + loses!, d + takesBack!];
    }
  }
  return conflicts;
}

function withoutFires(situation: Situation): Situation {
  const pasts = Object.entries(situation.history.rules);
  const rules = Object.fromEntries(
    pasts.map(([ruleId, past]) => [ruleId, { ...past, lastFiredAtMs: null }]),
  );
  return { ...situation, mode: "live", history: { ...situation.history, rules } };
}

/** The price of a rule as if it were the only one, even if a temporary guard holds the price. */
export function askedAlone(rule: CompiledRule, situation: Situation): number | null {
  const { proposedCents, wouldFire, blocked, trace } = decide(rule, situation);
  if (proposedCents !== null) return proposedCents;
  const isHeldUp = wouldFire && blocked.length > 0 &&
    blocked.every((code) => TEMPORARY_CODES.has(code));
  return isHeldUp ? trace().price?.proposedCents ?? null : null;
}

export function atPrice(situation: Situation, ourPriceCents: number): Situation {
  return { ...situation, product: { ...situation.product, ourPriceCents } };
}

/** The first earlier rule that would change the price of a later rule. */
function takerPlainly(rules: readonly CompiledRule[], rule: CompiledRule, situation: Situation) {
  const wish = askedAlone(rule, situation);
  const fronts = rules.slice(0, rules.findIndex(({ id }) => id === rule.id));
  return wish === null
    ? undefined
    : fronts.find((front) => ![null, wish].includes(askedAlone(front, atPrice(situation, wish))));
}

/** The first rule whose price no earlier rule would change. */
export function ownerPlainly(rules: readonly CompiledRule[], situation: Situation) {
  return rules.find((rule) =>
    askedAlone(rule, situation) !== null && !takerPlainly(rules, rule, situation)
  );
}
