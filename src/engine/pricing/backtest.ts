/**
 * Back-test of a rule: replays the stored history of each product (docs/decisions/rules.md). Our
 * prices come from the history, so proposals do not change later prices.
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

export interface PastObservation {
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

/**
 * Observations and prices from before the first day of the back-test set the prices at the start of
 * this day.
 */
export interface PastProduct {
  readonly product: PricedProduct;
  readonly matches: readonly PastMatch[];
  readonly observations: readonly PastObservation[];
  readonly ownPrices: readonly { readonly atMs: number; readonly cents: number | null }[];
}

export class PastScene {
  readonly #past: PastProduct;
  readonly #offers: Map<string, Offer>;
  ourPriceCents: number | null = null;

  constructor(past: PastProduct) {
    this.#past = past;
    this.#offers = new Map(past.matches.map((match) => [match.matchId, { ...match, ...UNSEEN }]));
  }

  get offers(): Offer[] {
    return [...this.#offers.values()];
  }

  *replay(endMs: number, askedAtMs: readonly number[] = []): Generator<number> {
    const { observations, ownPrices } = this.#past;
    const seenAt = Map.groupBy(observations, ({ atMs }) => atMs);
    const pricesAt = Map.groupBy(ownPrices, ({ atMs }) => atMs);
    const times = new Set([...seenAt.keys(), ...pricesAt.keys(), ...askedAtMs]);
    for (const atMs of [...times].sort((a, b) => a - b)) {
      if (atMs >= endMs) return;
      for (const observation of seenAt.get(atMs) ?? []) this.#see(observation);
      for (const { cents } of pricesAt.get(atMs) ?? []) this.ourPriceCents = cents;
      yield atMs;
    }
  }

  #see({ matchId, atMs: observedAtMs, ...seen }: PastObservation): void {
    const before = this.#offers.get(matchId);
    if (before) this.#offers.set(matchId, { ...before, ...seen, observedAtMs });
  }
}

export interface BacktestQuestion extends PlacedRule {
  readonly settings: PricingSettings;
  readonly days: number;
  /** Exclusive end of the back-test. */
  readonly endMs: number;
}

/** The counters are plain JSON, because an interrupted job continues with the stored counters. */
export interface BacktestCounters {
  evaluated: number;
  /** Counts by UTC date. */
  days: Record<string, readonly [fires: number, proposals: number]>;
  up: number;
  down: number;
  /** Sum of the price changes, in hundredths of a percent. */
  changeSum: number;
  /** `current` and `proposed` are sums of margins in hundredths of a percent. */
  marginSums: readonly [known: number, current: number, proposed: number];
  /** Counts of products by the id of the rule that wanted another price. */
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

export const EMPTY_BACKTEST: BacktestCounters = {
  evaluated: 0,
  days: {},
  up: 0,
  down: 0,
  changeSum: 0,
  marginSums: [0, 0, 0],
  conflicts: {},
};

/**
 * Adds one product to the counters. Each decision must be passed to `add`, because the decision
 * affects later situations.
 */
export class BacktestFold {
  readonly counters: BacktestCounters;
  readonly #past: PastProduct;
  readonly #question: BacktestQuestion;
  readonly #rivals = new Set<string>();
  readonly #scene: PastScene;
  #rulePast: RulePast = { lastFiredAtMs: null, rank: null };
  #openCents: number | null = null;

  constructor(counters: BacktestCounters, past: PastProduct, question: BacktestQuestion) {
    this.#past = past;
    this.#question = question;
    this.counters = structuredClone(counters);
    this.counters.evaluated++;
    this.#scene = new PastScene(past);
  }

  *situations(): Generator<Situation> {
    const question = this.#question;
    for (const atMs of this.#scene.replay(question.endMs, askedAtMs(question))) {
      if (atMs >= startMs(question)) yield this.#situationAt(atMs);
    }
  }

  add(market: Market, decision: Decision): void {
    const { fires, outcome, rank, proposedCents } = decision;
    const isNew = outcome === "propose" && proposedCents !== this.#openCents;
    if (isNew) this.#addRivals(market, proposedCents);
    if (fires || isNew) this.#count(market, decision, isNew);
    this.#rulePast = {
      lastFiredAtMs: fires ? market.situation.nowMs : this.#rulePast.lastFiredAtMs,
      rank: rank ?? this.#rulePast.rank,
    };
    this.#openCents = outcome === "rest" ? null : proposedCents;
  }

  #situationAt(nowMs: number): Situation {
    const { rule, settings } = this.#question;
    const openProposal = this.#openCents === null
      ? null
      : { ruleId: rule.id, proposedCents: this.#openCents };
    return {
      product: { ...this.#past.product, ourPriceCents: this.#scene.ourPriceCents },
      offers: this.#scene.offers.filter((offer) => offer.matchCreatedAtMs <= nowMs),
      history: { rules: { [rule.id]: this.#rulePast }, price: null, openProposal },
      settings,
      nowMs,
      mode: "backtest",
    };
  }

  #addRivals(market: Market, ownCents: number | null): void {
    const { all, place } = this.#question;
    const among = new RulesOnProduct(all, market.situation, { market });
    for (const [at, { id }] of all.entries()) {
      if (at === place || this.#rivals.has(id)) continue;
      const cents = among.claimOf(at)?.cents ?? ownCents;
      if (cents === ownCents) continue;
      this.#rivals.add(id);
      this.counters.conflicts[id] = (this.counters.conflicts[id] ?? 0) + 1;
    }
  }

  #count(market: Market, { fires, currentCents, proposedCents }: Decision, isNew: boolean): void {
    const { counters } = this;
    const date = dateOf(market.situation.nowMs);
    const [fired, proposals] = counters.days[date] ?? [0, 0];
    counters.days[date] = [fired + Number(fires), proposals + Number(isNew)];
    if (!isNew || currentCents === null || proposedCents === null) return;
    counters.up += Number(proposedCents > currentCents);
    counters.down += Number(proposedCents < currentCents);
    const change = multiply(whole(proposedCents - currentCents), whole(10_000));
    counters.changeSum += floorOf(divide(change, whole(currentCents)));
    const before = marginPct(market, currentCents);
    const after = marginPct(market, proposedCents);
    if (before === null || after === null) return;
    const [known, current, proposed] = counters.marginSums;
    counters.marginSums = [known + 1, current + hundredths(before), proposed + hundredths(after)];
  }
}

export function backtestResult(counters: BacktestCounters, question: BacktestQuestion) {
  const moves = counters.up + counters.down;
  const [known, current, proposed] = counters.marginSums;
  return {
    days: question.days,
    evaluated: counters.evaluated,
    firesPerDay: Array.from({ length: question.days }, (_, day) => {
      const date = dateOf(startMs(question) + day * DAY_MS);
      const [fires, proposals] = counters.days[date] ?? [0, 0];
      return { date, fires, proposals };
    }),
    moves: { up: counters.up, down: counters.down, averagePct: meanPct(counters.changeSum, moves) },
    margin: { currentPct: meanPct(current, known), proposedPct: meanPct(proposed, known) },
    conflicts: Object.entries(counters.conflicts)
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
