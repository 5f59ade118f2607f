/** A competitor's price beside ours, for the triggers that compare the two. */
import { z } from "zod";
import { floorOf, type Fraction, isWhole } from "../base/fraction.ts";
import { REFERENCE_KINDS, type ReferenceKind, referenceOffers } from "./reference.ts";
import type { View } from "./trigger.ts";

/** What those triggers say. */
export const comparisonFacts = z.object({
  kind: z.enum(REFERENCE_KINDS),
  /** Whose price it is; for the average one of them. */
  competitor: z.string(),
  /** How many prices the average is of. */
  count: z.int(),
  /** Per piece of ours, on our side of VAT, rounded down. */
  priceCents: z.int(),
  /** False when something was rounded off. */
  isExact: z.boolean(),
  ourPriceCents: z.int(),
  currency: z.string(),
  /** By how much the rule wants the prices to differ; null where nobody kept it. */
  deltaPct: z.number().nullable(),
  fires: z.boolean(),
});

/** The facts that do not depend on which way the trigger looks. */
export function comparisonOf(
  { market, references, ourPriceCents }: View,
  kind: ReferenceKind,
  price: Fraction,
): Omit<z.output<typeof comparisonFacts>, "deltaPct" | "fires"> {
  return {
    kind,
    competitor: referenceOffers(kind, references)[0]?.offer.competitor ?? "",
    count: references.offers.length,
    priceCents: floorOf(price),
    isExact: isWhole(price),
    ourPriceCents,
    currency: market.situation.product.currency,
  };
}
