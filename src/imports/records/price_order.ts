/** Which prices a product may have, and in which order. */
import { compareTexts } from "../../base/compare_texts.ts";
import type { TierPrice } from "../../catalogue/products/product.ts";

/** A product keeps so many prices. */
export const PRICES_MAX = 100;

/** The order in which a product has its prices. */
export function byPlace(one: TierPrice, other: TierPrice): number {
  return byText(one.tier, other.tier) || byText(one.currency, other.currency) ||
    (one.minQty ?? 1) - (other.minQty ?? 1);
}

/** Null stands where an empty text does. */
export function byText(one: string | null, other: string | null): number {
  return compareTexts(one ?? "", other ?? "");
}
