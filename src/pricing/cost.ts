import type { PricedProduct } from "./situation.ts";

/**
 * The cost that margins and floors are computed from: net, in minor units, above 0. Null when nobody
 * said one, and for 0, which ERPs write where they know none: any price would clear a floor above it.
 */
export function knownCost(
  { costPriceCents }: Pick<PricedProduct, "costPriceCents">,
): number | null {
  return costPriceCents !== null && costPriceCents > 0 ? costPriceCents : null;
}
