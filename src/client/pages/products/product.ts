import type { z } from "zod";
import type { MarketOffer, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import type { PriceLimits } from "../../../base/price_doubts.ts";
import type { ProductDocument } from "../../../catalogue/products/product.ts";
import type { Page } from "../../api/page.ts";

/** A product as the in-app interface shows it; prices are minor units of its currency. */
export type Product = z.infer<typeof ProductDocument>;

/** A product of the list, with where it stands. */
export interface MarketProduct extends Product {
  /** Null for a deleted one. */
  readonly market: ProductMarket | null;
  /**
   * Present if the request asked for offers. The offers that count come first, the cheapest of them
   * first.
   */
  readonly competitorOffers?: readonly MarketOffer[];
}

export interface ProductPage extends Page<MarketProduct> {
  /** The number of matching products; `null` with deleted ones, and while unknown. */
  readonly total: number | null;
  readonly asOf: string;
  /** How many that fit have changed since the first page of an ordered list. */
  readonly moved: number;
}
/** The address of a product's page. A deleted product needs `deleted=true` to be shown. */
export function productAddress({ id, deletedAt }: Pick<Product, "id" | "deletedAt">): string {
  return deletedAt === null ? `/products/${id}` : `/products/${id}?deleted=true`;
}

/** The price limits that people have set for the product. */
export function limitsOf(
  product: Pick<Product, "minPriceCents" | "maxPriceCents" | "priceLocked" | "heldUntil">,
  nowMs: number,
): PriceLimits {
  const { minPriceCents, maxPriceCents, priceLocked: isLocked } = product;
  return { minPriceCents, maxPriceCents, isLocked, isHeld: heldUntilOf(product, nowMs) !== null };
}

/** When the hold of the price ends; null when it is not held now. */
export function heldUntilOf(
  { heldUntil }: Pick<Product, "heldUntil">,
  nowMs: number,
): string | null {
  return heldUntil !== null && Date.parse(heldUntil) > nowMs ? heldUntil : null;
}
