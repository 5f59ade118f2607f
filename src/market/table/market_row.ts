import type { MarketFacts } from "../../engine/pricing/market_facts.ts";
import type { FoldedTexts } from "../../engine/pricing/situation.ts";

export interface MarketRow {
  readonly id: string;
  readonly ourCents: number | null;
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
  readonly currency: string;
  readonly folded: FoldedTexts;
  readonly facts: MarketFacts;
  /** The enabled links to enabled competitors, whether their offers count or not. */
  readonly links: readonly RowLink[];
  readonly proposal: RowProposal | null;
  /** The first enabled rule that computes a price and has the product in its scope. */
  readonly ruleId: string | null;
  readonly labels: RowLabels;
  /** When the product itself was last changed. */
  readonly updatedAtMs: number;
}

export interface RowProposal {
  readonly id: string;
  readonly proposedCents: number;
  /** Change from our current price, with 2 decimals; null if we have no price or it is 0. */
  readonly changePct: number | null;
}

/** A link to a shop's page that is compared with the product. */
export interface RowLink {
  readonly matchId: string;
  readonly competitorId: string;
  /** True if the page shows exactly the product, or a person has confirmed the link. */
  readonly isConfirmed?: boolean;
  readonly isOtherProduct?: boolean;
}

export interface RowLabels {
  readonly sku: string;
  readonly title: string;
}

/** Bits of the column `traits`, and the shifts and the mask of the two signs in it. */
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
