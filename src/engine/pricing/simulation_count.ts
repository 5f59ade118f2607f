/** Sums over simulated products: a fold, so that a job can stop and go on. */
import { compareFractions, divide, multiply, subtract, whole } from "../../base/fraction.ts";
import {
  cheapestPrice,
  DEFAULT_OPTIONS,
  rankOf,
  type References,
  selectReferences,
} from "./reference.ts";
import type { Rival, SimulatedProduct } from "./simulation.ts";

/** Edges of the bins of gaps, in percent of the cheapest offer: a value on one belongs above it. */
export const GAP_EDGES = [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10] as const;

/** One bin below the first edge, one above the last. */
type Bins = readonly number[];

const NO_BINS: Bins = Array.from({ length: GAP_EDGES.length + 1 }, () => 0);

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

type When = "before" | "stored" | "after";

/** Goes on from the sums of a job; what was handed in stays as it is. */
export class SimulationCount {
  readonly #sums: Writable<SimulationTally>;

  constructor(from: SimulationTally = EMPTY_SIMULATION) {
    this.#sums = copyOf(from);
  }

  /** Sums so far. */
  get tally(): SimulationTally {
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
    const references = selectReferences(DEFAULT_OPTIONS, market);
    if (references.offers.length > 0) {
      this.#addPrice("before", currentCents, references);
      this.#addPrice("stored", storedCents ?? currentCents, references);
      this.#addPrice("after", proposedCents ?? currentCents, references);
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

  /** Nothing is counted without a price; there are offers. */
  #addPrice(when: When, price: number | null, references: References): void {
    if (price === null) return;
    if (rankOf(price, references) === 1) this.#sums.cheapest[when]++;
    const bin = binOf(price, references);
    const bins = this.#sums.gap[when];
    if (bin !== null) bins[bin] = (bins[bin] ?? 0) + 1;
  }
}

function copyOf(tally: SimulationTally): Writable<SimulationTally> {
  const { resting, braked, margin, gap, cheapest, conflicts } = tally;
  return {
    ...tally,
    resting: { ...resting },
    braked: { ...braked },
    margin: { ...margin },
    gap: { before: [...gap.before], stored: [...gap.stored], after: [...gap.after] },
    cheapest: { ...cheapest },
    conflicts: Object.fromEntries(
      Object.entries(conflicts).map(([ruleId, [products, wins]]) => [ruleId, [products, wins]]),
    ),
  };
}

/** Null where the cheapest offer asks nothing. */
function binOf(price: number, references: References): number | null {
  const cheapest = cheapestPrice(references);
  if (compareFractions(cheapest, whole(0)) === 0) return null;
  const pct = multiply(divide(subtract(whole(price), cheapest), cheapest), whole(100));
  const edge = GAP_EDGES.findIndex((one) => compareFractions(pct, whole(one)) < 0);
  return edge === -1 ? GAP_EDGES.length : edge;
}

function addRival(conflicts: Writable<SimulationTally>["conflicts"], { ruleId, wins }: Rival) {
  const [products, won] = conflicts[ruleId] ?? [0, 0];
  conflicts[ruleId] = [products + 1, won + (wins ? 1 : 0)];
}

type Writable<T> = T extends number ? T
  : { -readonly [Key in keyof T]: Writable<T[Key]> };
