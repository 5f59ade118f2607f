/**
 * What a rule would do with the whole catalogue now, product by product (docs/decisions/rules.md): a
 * fold, so that a job can stop and go on. Every rule is asked as live, without cooldowns; what counts is
 * the price that the simulated rule moves itself, where no rule before it has one.
 */
import {
  compareFractions,
  divide,
  floorOf,
  type Fraction,
  multiply,
  subtract,
  whole,
} from "../base/fraction.ts";
import { knownCost } from "../base/margin.ts";
import type { CompiledRule } from "./compile_rule.ts";
import { decideIn, type Decision } from "./decide.ts";
import { decideMarket, type ProductDecisions } from "./decide_product.ts";
import { marginPct, missingForMargin } from "./margin.ts";
import { type Market, readMarket } from "./market.ts";
import {
  cheapestPrice,
  DEFAULT_OPTIONS,
  rankOf,
  type References,
  selectReferences,
} from "./reference.ts";
import { RESTS } from "./said.ts";
import type { Situation } from "./situation.ts";

/** Edges of the bins of gaps, in percent of the cheapest offer: a value on one belongs above it. */
export const GAP_EDGES = [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10] as const;

/** One bin below the first edge, one above the last. */
type Bins = readonly number[];

const NO_BINS: Bins = Array.from({ length: GAP_EDGES.length + 1 }, () => 0);

/** What is asked of every product. */
export interface SimulationQuestion {
  readonly rule: CompiledRule;
  /** All rules that judge, the simulated one among them, in their order. */
  readonly rules: readonly CompiledRule[];
  /** The rule as it is stored, with the others; null for one that is new. */
  readonly stored: { readonly rule: CompiledRule; readonly rules: readonly CompiledRule[] } | null;
}

/** What the rule would do with one product of its scope. Prices in minor units of `currency`. */
export interface SimulatedOutcome {
  readonly productId: string;
  readonly sku: string;
  readonly outcome: "up" | "down" | "rests";
  /** Why it rests, else what bound its price; null for a price that nothing bound. */
  readonly code: string | null;
  readonly currency: string;
  readonly currentCents: number | null;
  readonly proposedCents: number | null;
  /** In percent, of today's price and of the new one. */
  readonly marginPct: number | null;
  readonly proposedMarginPct: number | null;
}

/** Sums so far: plain JSON. */
export interface SimulationTally {
  readonly inScope: number;
  readonly fired: number;
  readonly up: number;
  readonly down: number;
  readonly wouldApply: number;
  /** Products by code. */
  readonly resting: Readonly<Record<string, number>>;
  readonly braked: Readonly<Record<string, number>>;
  /** In hundredths of a percent, over the products whose margin is known before and after. */
  readonly margin: { readonly known: number; readonly before: number; readonly after: number };
  readonly gap: { readonly before: Bins; readonly stored: Bins; readonly after: Bins };
  /** Products whose price no offer is below. */
  readonly cheapest: { readonly before: number; readonly stored: number; readonly after: number };
  /** By the other rule: products for which both have a price, and those that the other one has. */
  readonly conflicts: Readonly<Record<string, readonly [products: number, wins: number]>>;
}

export const EMPTY_SIMULATION: SimulationTally = {
  inScope: 0,
  fired: 0,
  up: 0,
  down: 0,
  wouldApply: 0,
  resting: {},
  braked: {},
  margin: { known: 0, before: 0, after: 0 },
  gap: { before: NO_BINS, stored: NO_BINS, after: NO_BINS },
  cheapest: { before: 0, stored: 0, after: 0 },
  conflicts: {},
};

/** What became of one product: its outcome, and what the tally needs besides. */
export interface SimulatedProduct {
  readonly outcome: SimulatedOutcome;
  readonly own: Decision;
  readonly others: readonly Decision[];
  readonly market: Market;
  /** What the rule as it is stored would set; null where it would not move the price. */
  readonly storedCents: number | null;
}

/** True for a product that the simulated rule looks at. */
export function isSimulated({ rule }: SimulationQuestion, { product }: Situation): boolean {
  return rule.scope.includes(product);
}

/** Cooldowns do not count: what fired last is forgotten, ranks are not. */
export function withoutCooldowns(situation: Situation): Situation {
  const rules = Object.entries(situation.history.rules).map(([ruleId, memory]) => [
    ruleId,
    { ...memory, lastFiredAtMs: null },
  ]);
  const history = { ...situation.history, rules: Object.fromEntries(rules) };
  return { ...situation, history };
}

/** What the rules say of a product that `isSimulated`, whose situation is one `withoutCooldowns`. */
export function simulateProduct(
  question: SimulationQuestion,
  situation: Situation,
): SimulatedProduct {
  const market = readMarket(situation);
  const { product } = situation;
  const all = decideMarket(question.rules, market);
  const own = decisionOf(question.rule, all, market);
  const others = all.decisions.filter(({ ruleId }) => ruleId !== question.rule.id);
  const { stored } = question;
  const storedCents = stored && stored.rule.scope.includes(product)
    ? decideMarket(stored.rules, market).decisions
      .find(({ ruleId }) => ruleId === stored.rule.id)?.proposedCents ?? null
    : null;
  const proposedCents = own.proposedCents;
  const current = product.ourPriceCents;
  const outcome: SimulatedOutcome = {
    productId: product.id,
    sku: product.sku,
    outcome: proposedCents === null ? "rests" : proposedCents > (current ?? 0) ? "up" : "down",
    code: proposedCents === null ? restCode(own) : own.bindingGuard,
    currency: product.currency,
    currentCents: current,
    proposedCents,
    marginPct: marginPct(market, current),
    proposedMarginPct: proposedCents === null ? null : marginPct(market, proposedCents),
  };
  return { outcome, own, others, market, storedCents };
}

function decisionOf(rule: CompiledRule, all: ProductDecisions, market: Market): Decision {
  return all.decisions.find(({ ruleId }) => ruleId === rule.id) ?? decideIn(rule, market);
}

/** A trigger's own answer has no code beside its name: it did not fire. */
function restCode({ blocked, reason, wouldFire, proposedCents }: Decision): string {
  if (blocked[0] !== undefined) return blocked[0];
  if (wouldFire && proposedCents === null) return "alert_only";
  return Object.hasOwn(RESTS, reason.said.code) ? reason.said.code : "not_fired";
}

/** The tally with one more product. */
export function tallySimulated(
  tally: SimulationTally,
  { outcome, own, others, market, storedCents }: SimulatedProduct,
): SimulationTally {
  const { currentCents, proposedCents, code, marginPct: before, proposedMarginPct } = outcome;
  const afterPct = proposedCents === null ? before : proposedMarginPct;
  const rests = proposedCents === null;
  const references = selectReferences(DEFAULT_OPTIONS, market);
  const prices = {
    before: currentCents,
    stored: storedCents ?? currentCents,
    after: proposedCents ?? currentCents,
  };
  return {
    inScope: tally.inScope + 1,
    fired: tally.fired + (own.fires ? 1 : 0),
    up: tally.up + (outcome.outcome === "up" ? 1 : 0),
    down: tally.down + (outcome.outcome === "down" ? 1 : 0),
    wouldApply: tally.wouldApply + (own.outcome === "apply" ? 1 : 0),
    resting: rests && code !== null ? countIn(tally.resting, code) : tally.resting,
    braked: !rests && code !== null ? countIn(tally.braked, code) : tally.braked,
    margin: before === null || afterPct === null ? tally.margin : {
      known: tally.margin.known + 1,
      before: tally.margin.before + Math.round(before * 100),
      after: tally.margin.after + Math.round(afterPct * 100),
    },
    gap: eachPrice(prices, (price, when) => withGap(tally.gap[when], price, references)),
    cheapest: eachPrice(
      prices,
      (price, when) => tally.cheapest[when] + (isCheapest(price, references) ? 1 : 0),
    ),
    conflicts: withConflicts(tally.conflicts, own, others),
  };
}

type When = "before" | "stored" | "after";

function eachPrice<T>(
  { before, stored, after }: Readonly<Record<When, number | null>>,
  of: (price: number | null, when: When) => T,
): Record<When, T> {
  return { before: of(before, "before"), stored: of(stored, "stored"), after: of(after, "after") };
}

function countIn(counts: Readonly<Record<string, number>>, code: string) {
  return { ...counts, [code]: (counts[code] ?? 0) + 1 };
}

function isCheapest(price: number | null, references: References): boolean {
  return price !== null && references.offers.length > 0 && rankOf(price, references) === 1;
}

/** Nothing is counted without a price or an offer that asks more than nothing. */
function withGap(bins: Bins, price: number | null, references: References): Bins {
  if (price === null || references.offers.length === 0) return bins;
  const cheapest = cheapestPrice(references);
  if (compareFractions(cheapest, whole(0)) === 0) return bins;
  const pct = multiply(divide(subtract(whole(price), cheapest), cheapest), whole(100));
  const above = GAP_EDGES.filter((edge) => compareFractions(pct, whole(edge)) >= 0).length;
  return bins.with(above, (bins[above] ?? 0) + 1);
}

/** Of rules that both have a price for a product one is outranked by the other. */
function withConflicts(
  conflicts: SimulationTally["conflicts"],
  own: Decision,
  others: readonly Decision[],
): SimulationTally["conflicts"] {
  const hasPrice = ({ proposedCents, blocked }: Decision) =>
    proposedCents !== null || blocked.includes("outranked");
  const rivals = hasPrice(own) ? others.filter(hasPrice) : [];
  if (rivals.length === 0) return conflicts;
  const next = { ...conflicts };
  for (const { ruleId, proposedCents } of rivals) {
    const [products, wins] = next[ruleId] ?? [0, 0];
    next[ruleId] = [products + 1, wins + (proposedCents === null ? 0 : 1)];
  }
  return next;
}

/**
 * The net profit of so many thousandths of a piece at a price, in minor units, rounded down; null while
 * cost or VAT are not known.
 */
export function profitCents(
  market: Market,
  priceCents: number,
  thousandths: number,
): number | null {
  const { product, settings } = market.situation;
  const cost = knownCost(product);
  if (cost === null || missingForMargin(market) !== null) return null;
  const { vatFactor } = market;
  const isGross = settings.pricesIncludeVat && vatFactor !== null;
  const net: Fraction = isGross ? divide(whole(priceCents), vatFactor) : whole(priceCents);
  return floorOf(
    divide(multiply(subtract(net, whole(cost)), whole(thousandths)), whole(1_000)),
  );
}
