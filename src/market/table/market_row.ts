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
  /** The enabled ones of enabled competitors, whether their offers count or not. */
  readonly links: readonly RowLink[];
  readonly proposal: RowProposal | null;
  /** The first enabled one that makes a price and whose scope has the product. */
  readonly ruleId: string | null;
  readonly labels: RowLabels;
  /** When the product itself was changed last. */
  readonly updatedAtMs: number;
}

export interface RowProposal {
  readonly id: string;
  readonly proposedCents: number;
  /** From our price of today, with 2 decimals; null if we have none, or ask nothing. */
  readonly changePct: number | null;
}

/** A page of a shop that is compared with the product. */
export interface RowLink {
  readonly matchId: string;
  readonly competitorId: string;
  /** The page shows the very product, or a person has confirmed the link. */
  readonly isConfirmed?: boolean;
  readonly isOtherProduct?: boolean;
}

export interface RowLabels {
  readonly sku: string;
  readonly title: string;
}
