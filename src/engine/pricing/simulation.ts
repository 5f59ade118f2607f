/**
 * Simulates a rule on the whole catalogue, product by product, and counts the results
 * (docs/decisions/rules.md). All rules are evaluated as in live operation, but without cooldowns.
 */

import { z } from "zod";
import {
  compareFractions,
  decimal,
  divide,
  floorOf,
  type Fraction,
  multiply,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { type CompiledRule, compileRule, compileRules, type JudgedRule } from "./compile_rule.ts";
import { type Decision, RulesOnProduct } from "./decide.ts";
import type { FoundPrice } from "./find_price.ts";
import { REST_CODES } from "./guards.ts";
import {
  costOf,
  marginPct,
  type Market,
  missingForMargin,
  netOf,
  type PricingSettings,
  readMarket,
  type Situation,
} from "./situation.ts";
import { TRIGGERS } from "./triggers.ts";
import { comparedPrice, marketReferences } from "./market_facts.ts";
import { cheapestPrice, rankOf, type References } from "./reference.ts";

export type PlacedRule = ReturnType<typeof placeRule>;

/** Ignores the stored version of `rule` that `rules` may contain. */
export function placeRule(rule: JudgedRule, rules: readonly JudgedRule[]) {
  const others = rules.filter(({ id }) => id !== rule.id);
  const all = compileRules([...others, { ...rule, enabled: true }]);
  const place = all.findIndex(({ id }) => id === rule.id);
  return { rule: compileRule(rule), all, place, others };
}

export type SimulationQuestion = ReturnType<typeof simulationQuestion>;

export function simulationQuestion(
  rule: JudgedRule,
  stored: JudgedRule | null,
  rules: readonly JudgedRule[],
) {
  const placed = placeRule(rule, rules);
  const others = compileRules(placed.others);
  return { ...placed, others, stored: stored && placeRule(stored, rules) };
}

/** Prices are in minor units of `currency`. */
export const SimulatedOutcome = z.object({
  productId: z.string(),
  sku: z.string(),
  outcome: z.enum(["up", "down", "rests"]),
  code: z.string().nullable()
    .describe("Why the rule rests, else what changed its price; null if nothing did"),
  currency: z.string(),
  currentCents: z.int().nullable(),
  proposedCents: z.int().nullable(),
  marginPct: z.number().nullable().describe("With the current price"),
  proposedMarginPct: z.number().nullable().describe("With the proposed price"),
  effect30dCents: z.int().nullable()
    .describe("Additional net margin in 30 days at equal sales; null if sales or VAT are unknown"),
});

export type SimulatedOutcome = Readonly<z.infer<typeof SimulatedOutcome>>;

type Rival = ReturnType<typeof rivalsOf>[number];

/**
 * The data that must still be read for an exact result: none, the history of our price (`price`),
 * or also the history of the offers (`all`).
 */
export type Lack = "nothing" | "price" | "all";

export type SimulatedProduct = ReturnType<typeof simulateProduct>;

/** The rule's scope must include the product, and the mode of `situation` must be `preview`. */
export function simulateProduct(question: SimulationQuestion, situation: Situation) {
  const { rule, all, place, stored } = question;
  const market = readMarket(situation);
  const among = new RulesOnProduct(all, situation, { market });
  const own = among.decision(place, rule);
  const current = situation.product.ourPriceCents;
  const ofStored = stored && storedPrice(stored, market);
  const isOwn = among.yieldsOf(place) === null;
  const ofOwn = isOwn ? lackOf(rule, among.found(place), situation.settings) : "nothing";
  return {
    outcome: outcomeOf(own, market, current),
    own,
    rivals: rivalsOf(question, among),
    market,
    /** The price that the rule's stored version computes; null if this version changes nothing. */
    storedCents: ofStored?.cents ?? null,
    lacks: widest(ofOwn, ...ofStored?.lacks ?? [], ...among.weighed().map(dayLackOf)),
  };
}

export function rivalsOf({ rule, all, place, others }: SimulationQuestion, among: RulesOnProduct) {
  if (among.claimOf(place) === null) return [];
  const owner = among.ownerOf()?.rule.id;
  const yields = among.yieldsOf(place);
  const sharing = all.flatMap(({ id }, at) => at !== place && among.claimOf(at) !== null ? id : []);
  const without = owner === rule.id && sharing.length > 0
    ? new RulesOnProduct(others, among.market.situation, { market: among.market }).ownerOf()?.rule
      .id
    : undefined;
  const taker = yields?.code === "not_stable" ? yields.facts.ruleId : undefined;
  return [...new Set([...sharing, ...taker === undefined ? [] : [taker]])].map((ruleId) => ({
    ruleId,
    shares: sharing.includes(ruleId),
    wins: ruleId === owner,
    /** True if the simulated rule sets the price instead of the competing rule. */
    loses: ruleId === without,
    /** True if the competing rule would at once change the simulated rule's price again. */
    takesBack: ruleId === taker,
  }));
}

function outcomeOf(own: Decision, market: Market, current: number | null): SimulatedOutcome {
  const { product } = market.situation;
  const { proposedCents } = own;
  const rests = proposedCents === null;
  return {
    productId: product.id,
    sku: product.sku,
    outcome: rests ? "rests" : proposedCents > (current ?? 0) ? "up" : "down",
    code: rests ? restCode(own) : own.bindingGuard,
    currency: product.currency,
    currentCents: current,
    proposedCents,
    marginPct: rests ? own.marginPct : marginPct(market, current),
    proposedMarginPct: rests ? null : own.marginPct,
    effect30dCents: null,
  };
}

function restCode({ blocked, reason, wouldFire, proposedCents }: Decision): string {
  if (blocked[0] !== undefined) return blocked[0];
  if (wouldFire && proposedCents === null) return "alert_only";
  const { code } = reason.said;
  return TRIGGERS.some(({ value }) => value === code) ? "not_fired" : code;
}

function storedPrice({ rule, all, place }: PlacedRule, market: Market) {
  if (!rule.scope.includes(market.situation.product)) return null;
  const among = new RulesOnProduct(all, market.situation, { market });
  const { proposedCents } = among.decision(place, rule);
  return { cents: proposedCents, lacks: among.weighed().map(dayLackOf) };
}

function widest(...lacks: readonly Lack[]): Lack {
  if (lacks.includes("all")) return "all";
  return lacks.includes("price") ? "price" : "nothing";
}

/** Only a rule that may apply its price automatically needs the history of the offers. */
function lackOf(rule: CompiledRule, found: FoundPrice | null, settings: PricingSettings): Lack {
  if (dayLackOf(found) === "price") {
    const isManual = rule.price === null || rule.price.maxChangePct === null ||
      !settings.autoApply || settings.stop !== null;
    return isManual ? "price" : "all";
  }
  return found?.objections[0] === "history_unread" ? "all" : "nothing";
}

function dayLackOf(found: FoundPrice | null): "price" | "nothing" {
  const [first = "", ...others] = found?.objections ?? [];
  if (REST_CODES.has(first) || first === "bounds_conflict") return "nothing";
  return [first, ...others].includes("day_unread") ? "price" : "nothing";
}

/** Exact revenue and profit of one sale without VAT, in minor units; null if they are unknown. */
export function unitWorth(market: Market, priceCents: number) {
  if (missingForMargin(market) !== null) return null;
  const revenue = netOf(market, priceCents);
  return { revenue, profit: subtract(revenue, costOf(market)) };
}

/** `units` has at most 3 decimals. */
export function centsOf(ofOne: Fraction, units: number): number {
  return floorOf(multiply(ofOne, decimal(units)));
}

export type Standing = ReturnType<typeof standingOn>;

/**
 * Finds the rule that owns the product's price: the rule that sets the price, or else the first
 * rule whose goal our price has reached. `rules` must come from `compileRules`.
 */
export function standingOn(rules: readonly CompiledRule[], situation: Situation) {
  const among = new RulesOnProduct(rules, situation);
  const { owner, behind } = among.standing();
  const reached = owner === null ? rules.find((_, at) => among.isReached(at)) : undefined;
  return {
    ownerId: owner?.ruleId ?? reached?.id ?? null,
    isReached: reached !== undefined,
    behind: behind.map(({ ruleId, by }) => ({ ruleId, frontId: by.ruleId })),
    lacks: widest(...among.weighed().map(dayLackOf)),
  };
}

/**
 * Edges of the bins for the gap between our price and the cheapest offer, in percent of the
 * cheapest offer. A gap of exactly 2 % is counted in the bin from 2 % to 4 %.
 */
export const GAP_EDGES = [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10] as const;

const noBins = (): number[] => Array.from({ length: GAP_EDGES.length + 1 }, () => 0);
const noCodes = (): Record<string, number> => ({});
const noRivals = (): RivalCounts => ({});

/**
 * Counts of products by id of the competing rule. Results that earlier versions of Kurant stored
 * have only `shares` and `wins`.
 */
export type RivalCounts = Record<
  string,
  readonly [shares: number, wins: number, loses?: number, takesBack?: number]
>;

export type SimulationSums = ReturnType<typeof noSums>;

/** An interrupted job continues with the stored sums, so the sums must be plain JSON. */
export function noSums() {
  return {
    inScope: 0,
    fired: 0,
    up: 0,
    down: 0,
    wouldApply: 0,
    resting: noCodes(),
    braked: noCodes(),
    /** `before` and `after` are sums of margins in hundredths of a percent. */
    margin: { known: 0, before: 0, after: 0 },
    gap: { before: noBins(), stored: noBins(), after: noBins() },
    cheapest: { before: 0, stored: 0, after: 0 },
    conflicts: noRivals(),
  };
}

export function addProduct(sums: SimulationSums, product: SimulatedProduct): void {
  const { outcome, own, rivals, market, storedCents } = product;
  const { currentCents, proposedCents, code } = outcome;
  sums.inScope++;
  if (own.fires) sums.fired++;
  if (outcome.outcome !== "rests") sums[outcome.outcome]++;
  if (own.outcome === "apply") sums.wouldApply++;
  const codes = proposedCents === null ? sums.resting : sums.braked;
  if (code !== null) codes[code] = (codes[code] ?? 0) + 1;
  addMargin(sums, outcome);
  const references = marketReferences(market);
  const prices = {
    before: currentCents,
    stored: storedCents ?? currentCents,
    after: proposedCents ?? currentCents,
  };
  for (const when of ["before", "stored", "after"] as const) {
    const price = prices[when] && comparedPrice(market, prices[when]);
    if (price === null || references.offers.length === 0) continue;
    if (rankOf(price, references) === 1) sums.cheapest[when]++;
    const bin = binOf(price, references);
    if (bin !== null) sums.gap[when][bin] = (sums.gap[when][bin] ?? 0) + 1;
  }
  for (const rival of rivals) addRival(sums.conflicts, rival);
}

function addMargin(
  { margin }: SimulationSums,
  { marginPct, proposedMarginPct, proposedCents }: SimulatedOutcome,
): void {
  const afterPct = proposedCents === null ? marginPct : proposedMarginPct;
  if (marginPct === null || afterPct === null) return;
  margin.known++;
  margin.before += Math.round(marginPct * 100);
  margin.after += Math.round(afterPct * 100);
}

function binOf(price: number, references: References): number | null {
  const cheapest = cheapestPrice(references);
  if (compareFractions(cheapest, whole(0)) === 0) return null;
  const pct = multiply(divide(subtract(whole(price), cheapest), cheapest), whole(100));
  const edge = GAP_EDGES.findIndex((one) => compareFractions(pct, whole(one)) < 0);
  return edge === -1 ? GAP_EDGES.length : edge;
}

export function addRival(
  conflicts: RivalCounts,
  { ruleId, shares, wins, loses, takesBack }: Rival,
) {
  const [shared, won, lost = 0, back = 0] = conflicts[ruleId] ?? [0, 0];
  conflicts[ruleId] = [
    shared + Number(shares),
    won + Number(wins),
    lost + Number(loses),
    back + Number(takesBack),
  ];
}
