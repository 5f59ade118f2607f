import type { Formula, Wish } from "./formula.ts";
import type { PriceTerms } from "./price_terms.ts";
import type { View } from "./trigger.ts";

/** A price before it is computed: what must be there first can be asked of this. */
export interface Draft {
  readonly view: View;
  readonly terms: PriceTerms;
  readonly formula: Formula;
  /** Null: the rule has no margin floor. */
  readonly floorPct: number | null;
  /** True when a price is left out of the references because its side of VAT is unknown. */
  readonly lacksVat: boolean;
  /** True when the rule fired too short a time ago and this decision honours that. */
  readonly isCoolingDown: boolean;
}

/** A price on its way: asked for by the formula, lifted to the floor, rounded. */
export interface PricedDraft extends Draft {
  readonly wish: Wish;
  /** Null without a floor. */
  readonly floorCents: number | null;
  readonly liftedCents: number;
  readonly proposedCents: number;
}
