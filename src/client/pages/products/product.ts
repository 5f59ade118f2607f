import type { z } from "zod";
import type { MarketOffer, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import type { PriceLimits } from "../../../base/price_doubts.ts";
import type { ProductDocument } from "../../../catalogue/products/product.ts";
import type { Page } from "../../api/page.ts";

/** Prices are minor units of the product's currency. */
export type Product = z.infer<typeof ProductDocument>;

export interface MarketProduct extends Product {
  /** Null for a deleted product. */
  readonly market: ProductMarket | null;
  /** Present if the request asked for offers. Offers that count come first, sorted by price. */
  readonly competitorOffers?: readonly MarketOffer[];
}

export interface ProductPage extends Page<MarketProduct> {
  /** Number of matching products; null while unknown, and if the list includes deleted products. */
  readonly total: number | null;
  readonly asOf: string;
  /** Number of matching products that have changed since the first page was read. */
  readonly moved: number;
}
/** A deleted product is shown only with `deleted=true`. */
export function productAddress({ id, deletedAt }: Pick<Product, "id" | "deletedAt">): string {
  return deletedAt === null ? `/products/${id}` : `/products/${id}?deleted=true`;
}

export function limitsOf(
  product: Pick<Product, "minPriceCents" | "maxPriceCents" | "priceLocked" | "heldUntil">,
  nowMs: number,
): PriceLimits {
  const { minPriceCents, maxPriceCents, priceLocked: isLocked } = product;
  return { minPriceCents, maxPriceCents, isLocked, isHeld: heldUntilOf(product, nowMs) !== null };
}

export function heldUntilOf(
  { heldUntil }: Pick<Product, "heldUntil">,
  nowMs: number,
): string | null {
  return heldUntil !== null && Date.parse(heldUntil) > nowMs ? heldUntil : null;
}
