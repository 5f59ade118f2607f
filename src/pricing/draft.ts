import type { FormulaNeeds, Wish } from "./formulas.ts";
import type { View } from "./trigger.ts";

/** A price before it is computed: what must be there first can be asked of this. */
export interface Draft {
  readonly view: View;
  /** What the formula needs. */
  readonly needs: FormulaNeeds;
  /** Null when no field of the rule names one. */
  readonly targetMarginPct: number | null;
  /** Null: the rule only proposes. */
  readonly maxChangePct: number | null;
  /** Null: the rule has no margin floor. */
  readonly floorPct: number | null;
  /** True when a price is left out of the references because its side of VAT is unknown. */
  readonly lacksVat: boolean;
  /** True when the rule fired too short a time ago and this decision honours that. */
  readonly isCoolingDown: boolean;
}

/** A competitor's price that ours was computed from. */
export interface UsedReference {
  readonly competitor: string;
  /** When it was seen last; null when its match does not count any more. */
  readonly observedAtMs: number | null;
}

/** A computed price that a person approves later, with what is known by then. */
export interface ApprovedDraft extends PricedDraft {
  /** The price of today that it was computed against. */
  readonly made: { readonly fromCents: number; readonly currency: string };
}

/** A price on its way: asked for by the formula, lifted to the floor, rounded. */
export interface PricedDraft extends Draft {
  readonly wish: Wish;
  readonly used: readonly UsedReference[];
  /** How old those may be. */
  readonly usedMaxAgeHours: number;
  /** Null without a floor. */
  readonly floorCents: number | null;
  readonly liftedCents: number;
  readonly proposedCents: number;
}
