/** Sums the results of a simulation over the products of a catalogue. */
import { compareFractions, divide, multiply, subtract, whole } from "../../base/fraction.ts";
import { comparedPrice, marketReferences } from "./market_facts.ts";
import { cheapestPrice, rankOf, type References } from "./reference.ts";
import type { Rival, SimulatedProduct } from "./simulation.ts";

/**
 * Gaps between our price and the cheapest offer, in percent of the cheapest offer. Each edge
 * belongs to the bin above it.
 */
export const GAP_EDGES = [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10] as const;

/** One bin below the first edge, and one above each edge. */
type Bins = readonly number[];

const NO_BINS: Bins = Array.from({ length: GAP_EDGES.length + 1 }, () => 0);

export interface SimulationCounters {
  readonly inScope: number;
  readonly fired: number;
  readonly up: number;
  readonly down: number;
  readonly wouldApply: number;
  readonly resting: Readonly<Record<string, number>>;
  readonly braked: Readonly<Record<string, number>>;
  /** Sums in hundredths of a percent, over products whose current and new margins are known. */
  readonly margin: { readonly known: number; readonly before: number; readonly after: number };
  readonly gap: { readonly before: Bins; readonly stored: Bins; readonly after: Bins };
  readonly cheapest: { readonly before: number; readonly stored: number; readonly after: number };
  /** By the id of the other rule. Counters that earlier versions stored have only two counts. */
  readonly conflicts: Readonly<
    Record<string, readonly [shares: number, wins: number, loses?: number, takesBack?: number]>
  >;
}

const EMPTY_SIMULATION: SimulationCounters = {
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

type When = "before" | "stored" | "after";

/** Copies the given counters of an earlier part of the job, and does not modify them. */
export class SimulationCount {
  readonly #sums: Writable<SimulationCounters>;

  constructor(from: SimulationCounters = EMPTY_SIMULATION) {
    this.#sums = copyOf(from);
  }

  get counters(): SimulationCounters {
    return copyOf(this.#sums);
  }

  add({ outcome, own, rivals, market, storedCents }: SimulatedProduct): void {
    const sums = this.#sums;
    const { currentCents, proposedCents, code } = outcome;
    sums.inScope++;
    if (own.fires) sums.fired++;
    if (outcome.outcome === "up") sums.up++;
    if (outcome.outcome === "down") sums.down++;
    if (own.outcome === "apply") sums.wouldApply++;
    const codes = proposedCents === null ? sums.resting : sums.braked;
    if (code !== null) codes[code] = (codes[code] ?? 0) + 1;
    this.#addMargin(outcome);
    const references = marketReferences(market);
    if (references.offers.length > 0) {
      const add = (when: When, price: number | null) =>
        this.#addPrice(when, price && comparedPrice(market, price), references);
      add("before", currentCents);
      add("stored", storedCents ?? currentCents);
      add("after", proposedCents ?? currentCents);
    }
    for (const rival of rivals) addRival(sums.conflicts, rival);
  }

  #addMargin({ marginPct, proposedMarginPct, proposedCents }: SimulatedProduct["outcome"]): void {
    const afterPct = proposedCents === null ? marginPct : proposedMarginPct;
    if (marginPct === null || afterPct === null) return;
    const { margin } = this.#sums;
    margin.known++;
    margin.before += Math.round(marginPct * 100);
    margin.after += Math.round(afterPct * 100);
  }

  #addPrice(when: When, price: number | null, references: References): void {
    if (price === null) return;
    if (rankOf(price, references) === 1) this.#sums.cheapest[when]++;
    const bin = binOf(price, references);
    const bins = this.#sums.gap[when];
    if (bin !== null) bins[bin] = (bins[bin] ?? 0) + 1;
  }
}

function copyOf(counters: SimulationCounters): Writable<SimulationCounters> {
  const { resting, braked, margin, gap, cheapest, conflicts } = counters;
  return {
    ...counters,
    resting: { ...resting },
    braked: { ...braked },
    margin: { ...margin },
    gap: { before: [...gap.before], stored: [...gap.stored], after: [...gap.after] },
    cheapest: { ...cheapest },
    conflicts: Object.fromEntries(
      Object.entries(conflicts).map(([ruleId, counts]) => [ruleId, [...counts]]),
    ),
  };
}

function binOf(price: number, references: References): number | null {
  const cheapest = cheapestPrice(references);
  if (compareFractions(cheapest, whole(0)) === 0) return null;
  const pct = multiply(divide(subtract(whole(price), cheapest), cheapest), whole(100));
  const edge = GAP_EDGES.findIndex((one) => compareFractions(pct, whole(one)) < 0);
  return edge === -1 ? GAP_EDGES.length : edge;
}

export type RivalCounts = Writable<SimulationCounters>["conflicts"];

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

type Writable<T> = T extends number ? T
  : { -readonly [Key in keyof T]: Writable<T[Key]> };
