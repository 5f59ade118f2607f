/** Declares a product's row of the market table, and parts of the table that are not numbers. */
import { fold } from "../../base/text.ts";
import type { MarketFacts } from "../../engine/pricing/market_facts.ts";
import type { FoldedTexts } from "../../engine/pricing/situation.ts";
import type { RowLink } from "./columns.ts";

export interface MarketRow {
  readonly id: string;
  readonly ourCents: number | null;
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
  readonly currency: string;
  readonly folded: FoldedTexts;
  readonly facts: MarketFacts;
  readonly links: readonly RowLink[];
  readonly proposal: RowProposal | null;
  /** The first enabled rule that computes a price and has the product in its scope. */
  readonly ruleId: string | null;
  readonly labels: RowLabels;
}

export interface RowProposal {
  readonly id: string;
  readonly proposedCents: number;
  /** The change in percent with 2 decimals; null if the current price is missing or 0. */
  readonly changePct: number | null;
}

interface RowLabels {
  readonly sku: string;
  readonly title: string;
}

/**
 * Bits of the column `traits`. The bits at `gapRest` and `roomRest` tell whether the exact
 * percentage is less than (0), equal to (1) or greater than (2) the rounded percentage.
 */
export const TRAIT = {
  gapRest: 0,
  roomRest: 2,
  restMask: 3,
  inStock: 1 << 4,
  equivalent: 1 << 5,
  lacksShipping: 1 << 6,
} as const;

export function traitsOf({ own, cheapest }: MarketFacts): number {
  const rest = (value: number | undefined, shift: number) => (Math.sign(value ?? 0) + 1) << shift;
  return rest(own?.gapPct?.rest, TRAIT.gapRest) | rest(own?.roomPct?.rest, TRAIT.roomRest) |
    (cheapest?.inStock ? TRAIT.inStock : 0) |
    (cheapest?.matchType === "equivalent" ? TRAIT.equivalent : 0) |
    (cheapest?.lacksShipping ? TRAIT.lacksShipping : 0);
}

export class Proposals {
  readonly #byRow = new Map<number, RowProposal>();

  get memoryBytes(): number {
    return this.#byRow.size * 200;
  }

  get(row: number): RowProposal | null {
    return this.#byRow.get(row) ?? null;
  }

  set(row: number, proposal: RowProposal | null): boolean {
    const before = this.get(row);
    if (proposal === null) this.#byRow.delete(row);
    else this.#byRow.set(row, proposal);
    return before?.id !== proposal?.id || before?.proposedCents !== proposal?.proposedCents ||
      before?.changePct !== proposal?.changePct;
  }
}

/** Labels are cut to this length; rows with equal labels are sorted by id. */
const LABEL_CHARACTERS = 64;

/** Folded and shortened SKUs and titles, by which products are sorted. */
export class Labels {
  readonly #texts: Record<keyof RowLabels, string[]> = { sku: [], title: [] };
  #characters = 0;

  memoryBytes(rows: number): number {
    return this.#characters + 2 * 24 * rows;
  }

  get(name: keyof RowLabels, row: number): string | null {
    return this.#texts[name][row] ?? null;
  }

  set(row: number, labels: RowLabels): void {
    for (const name of ["sku", "title"] as const) {
      const label = fold(labels[name]).slice(0, LABEL_CHARACTERS);
      this.#characters += label.length - (this.#texts[name][row]?.length ?? 0);
      this.#texts[name][row] = label;
    }
  }
}
