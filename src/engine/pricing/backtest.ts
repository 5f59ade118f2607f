/**
 * Back-test of a rule: replays the stored history of each product (docs/decisions/rules.md). Our
 * prices come from the history and not from the rule's proposals.
 */

import { divide, floorOf, multiply, whole } from "../../base/fraction.ts";
import { DAY_MS } from "../../base/time.ts";
import { type Decision, RulesOnProduct } from "./decide.ts";
import type { PlacedRule } from "./simulation.ts";
import {
  marginPct,
  type Market,
  type Offer,
  type PricedProduct,
  type PricingSettings,
  type RulePast,
  type Situation,
} from "./situation.ts";
import { z } from "zod";

interface PastObservation {
  readonly matchId: string;
  readonly atMs: number;
  readonly priceCents: number;
  readonly currency: string;
  readonly inStock: boolean | null;
}

const UNSEEN = {
  priceCents: null,
  currency: null,
  inStock: null,
  confidence: null,
  observedAtMs: null,
  previousPriceCents: null,
  priceSinceMs: null,
};

type PastMatch = Omit<Offer, keyof typeof UNSEEN>;

/** `observations` and `ownPrices` must also contain the values valid when the back-test starts. */
export interface PastProduct {
  readonly product: PricedProduct;
  readonly matches: readonly PastMatch[];
  readonly observations: readonly PastObservation[];
  readonly ownPrices: readonly { readonly atMs: number; readonly cents: number | null }[];
}

/** Yields the offers and our price at each change before `endMs` and each time in `askedAtMs`. */
export function* replay(
  { matches, observations, ownPrices }: PastProduct,
  endMs: number,
  askedAtMs: readonly number[],
) {
  const offers = new Map(
    matches.map((match): [string, Offer] => [match.matchId, { ...match, ...UNSEEN }]),
  );
  const seenAt = Map.groupBy(observations, ({ atMs }) => atMs);
  const pricesAt = Map.groupBy(ownPrices, ({ atMs }) => atMs);
  const times = new Set([...seenAt.keys(), ...pricesAt.keys(), ...askedAtMs]);
  let ourPriceCents: number | null = null;
  for (const atMs of [...times].sort((a, b) => a - b)) {
    if (atMs >= endMs) return;
    for (const { matchId, atMs: observedAtMs, ...seen } of seenAt.get(atMs) ?? []) {
      const before = offers.get(matchId);
      if (before) offers.set(matchId, { ...before, ...seen, observedAtMs });
    }
    for (const { cents } of pricesAt.get(atMs) ?? []) ourPriceCents = cents;
    yield { atMs, offers, ourPriceCents };
  }
}

export interface BacktestQuestion extends PlacedRule {
  readonly settings: PricingSettings;
  readonly days: number;
  /** Exclusive end of the back-test. */
  readonly endMs: number;
}

/** Must be plain JSON, because an interrupted job stores the sums and continues with them. */
export interface BacktestSums {
  evaluated: number;
  /** For each UTC date, how often the rule fired and how many proposals it made. */
  days: Record<string, readonly [fires: number, proposals: number]>;
  up: number;
  down: number;
  /** Sum of price changes, in hundredths of a percent. */
  changeSum: number;
  /** Number of changes with known margins, and sums of the margins in hundredths of a percent. */
  marginSums: readonly [known: number, current: number, proposed: number];
  /** For each conflicting rule, the number of products for which that rule wanted another price. */
  conflicts: Record<string, number>;
}

const Count = z.int();

export const BacktestResult = z.object({
  days: Count.describe("Length of the back-test in days"),
  evaluated: Count,
  firesPerDay: z.array(z.object({
    date: z.iso.date().describe("The day, in UTC"),
    fires: Count,
    proposals: Count.describe("Proposals that the rule would have made"),
  })),
  moves: z.object({
    up: Count,
    down: Count,
    averagePct: z.number().nullable().describe("The mean price change, in percent"),
  }).describe("The price changes that the rule would have proposed"),
  margin: z.object({
    currentPct: z.number().nullable().describe("With the actual prices, in percent"),
    proposedPct: z.number().nullable()
      .describe("With the prices that the rule would have proposed, in percent"),
  }).describe("The mean margin of the products whose cost is known"),
  conflicts: z.array(z.object({ ruleId: z.string(), products: Count })),
});

export const NO_BACKTEST: BacktestSums = {
  evaluated: 0,
  days: {},
  up: 0,
  down: 0,
  changeSum: 0,
  marginSums: [0, 0, 0],
  conflicts: {},
};

interface Answer {
  readonly market: Market;
  readonly decision: Decision;
}

export function replayRule(
  sums: BacktestSums,
  past: PastProduct,
  question: BacktestQuestion,
  ask: (situation: Situation) => Answer,
): void {
  const { rule: { id: ruleId }, settings, endMs } = question;
  const rivals = new Set<string>();
  let rulePast: RulePast = { lastFiredAtMs: null, rank: null };
  let openCents: number | null = null;
  sums.evaluated++;
  const scenes = replay(past, endMs, askedAtMs(question));
  for (const { atMs: nowMs, offers, ourPriceCents } of scenes) {
    if (nowMs < startMs(question)) continue;
    const openProposal = openCents === null ? null : { ruleId, proposedCents: openCents };
    const answer = ask({
      product: { ...past.product, ourPriceCents },
      offers: [...offers.values().filter((offer) => offer.matchCreatedAtMs <= nowMs)],
      history: { rules: { [ruleId]: rulePast }, price: null, openProposal },
      settings,
      nowMs,
      mode: "backtest",
    });
    const { fires, outcome, rank, proposedCents }: Decision = answer.decision;
    const isNew = outcome === "propose" && proposedCents !== openCents;
    if (isNew) addRivals(rivals, question, answer.market, proposedCents);
    if (fires || isNew) addDecision(sums, answer, isNew);
    const lastFiredAtMs = fires ? nowMs : rulePast.lastFiredAtMs;
    rulePast = { lastFiredAtMs, rank: rank ?? rulePast.rank };
    openCents = outcome === "rest" ? null : proposedCents;
  }
  for (const id of rivals) sums.conflicts[id] = (sums.conflicts[id] ?? 0) + 1;
}

function addRivals(
  rivals: Set<string>,
  { all, place }: BacktestQuestion,
  market: Market,
  ownCents: number | null,
): void {
  const among = new RulesOnProduct(all, market.situation, { market });
  for (const [at, { id }] of all.entries()) {
    if (at === place || rivals.has(id)) continue;
    const cents = among.claimOf(at)?.cents ?? ownCents;
    if (cents !== ownCents) rivals.add(id);
  }
}

function addDecision(sums: BacktestSums, { market, decision }: Answer, isNew: boolean): void {
  const { fires, currentCents, proposedCents } = decision;
  const date = dateOf(market.situation.nowMs);
  const [fired, proposals] = sums.days[date] ?? [0, 0];
  sums.days[date] = [fired + Number(fires), proposals + Number(isNew)];
  if (!isNew || currentCents === null || proposedCents === null) return;
  sums.up += Number(proposedCents > currentCents);
  sums.down += Number(proposedCents < currentCents);
  const change = multiply(whole(proposedCents - currentCents), whole(10_000));
  sums.changeSum += floorOf(divide(change, whole(currentCents)));
  const before = marginPct(market, currentCents);
  const after = marginPct(market, proposedCents);
  if (before === null || after === null) return;
  const [known, current, proposed] = sums.marginSums;
  sums.marginSums = [known + 1, current + hundredths(before), proposed + hundredths(after)];
}

export function backtestResult(sums: BacktestSums, question: BacktestQuestion) {
  const moves = sums.up + sums.down;
  const [known, current, proposed] = sums.marginSums;
  return {
    days: question.days,
    evaluated: sums.evaluated,
    firesPerDay: Array.from({ length: question.days }, (_, day) => {
      const date = dateOf(startMs(question) + day * DAY_MS);
      const [fires, proposals] = sums.days[date] ?? [0, 0];
      return { date, fires, proposals };
    }),
    moves: { up: sums.up, down: sums.down, averagePct: meanPct(sums.changeSum, moves) },
    margin: { currentPct: meanPct(current, known), proposedPct: meanPct(proposed, known) },
    conflicts: Object.entries(sums.conflicts)
      .map(([ruleId, products]) => ({ ruleId, products }))
      .sort((a, b) => b.products - a.products || (a.ruleId < b.ruleId ? -1 : 1)),
  };
}

function startMs({ endMs, days }: BacktestQuestion): number {
  return (Math.ceil(endMs / DAY_MS) - days) * DAY_MS;
}

function askedAtMs(question: BacktestQuestion): number[] {
  const isFree = question.rule.triggers.some(({ needs }) => !needs.references && !needs.ownPrice);
  if (!isFree) return [];
  return Array.from(
    { length: question.days },
    (_, day) => Math.min(startMs(question) + (day + 1) * DAY_MS, question.endMs) - 1,
  );
}

function hundredths(pct: number): number {
  return Math.round(pct * 100);
}

function meanPct(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count) / 100;
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
