import type { z } from "zod";
import { marginPct } from "../../../base/margin.ts";
import type { ProductDocument } from "../../../catalogue/products/product.ts";
import type { Page } from "../../api/page.ts";

/** A product as the in-app interface shows it; prices are minor units of its currency. */
export type Product = z.infer<typeof ProductDocument>;

export interface ProductPage extends Page<Product> {
  /** Active products; null with a filter. */
  readonly total: number | null;
}

/** Where its page is: a deleted product is shown to those alone who ask for it. */
export function productAddress({ id, deletedAt }: Pick<Product, "id" | "deletedAt">): string {
  return deletedAt === null ? `/products/${id}` : `/products/${id}?deleted=true`;
}

/** Share of the net price that is left after cost, in percent; null where one of both is unknown. */
export function productMarginPct(
  { ourPriceCents, vatRatePct, ...product }: Product,
  workspace: { readonly pricesIncludeVat: boolean; readonly vatRatePct: number | null } | null,
): number | null {
  const ratePct = vatRatePct ?? workspace?.vatRatePct ?? null;
  if (workspace === null) return null;
  const { pricesIncludeVat } = workspace;
  const { costPriceCents } = product;
  return marginPct(ourPriceCents, { costPriceCents, pricesIncludeVat, vatRatePct: ratePct }, 1);
}
