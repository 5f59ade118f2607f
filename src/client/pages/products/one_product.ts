import type { Workspace } from "../../../accounts/workspace.ts";
import { marginPct } from "../../../base/percent.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import type { SingleProduct } from "../../../catalogue/products/product_answer.ts";
import type { z } from "zod";

/** A product as its page reads it: with its place in the market, and the offers that it comes from. */
export type OneProduct = z.infer<typeof SingleProduct> & {
  /** Where they were asked for. */
  readonly competitorOffers?: readonly MarketOffer[];
};

/** The inputs of the product's margins. */
export function marginTermsOf(
  product: Pick<OneProduct, "costPriceCents" | "vatRatePct">,
  workspace: Workspace | null,
) {
  return {
    costPriceCents: product.costPriceCents,
    pricesIncludeVat: workspace?.pricesIncludeVat ?? true,
    vatRatePct: product.vatRatePct ?? workspace?.vatRatePct ?? null,
  };
}

/** The margin that a price would have, in percent; null while cost or VAT rate is missing. */
export function marginAt(cents: number | null, product: OneProduct, workspace: Workspace | null) {
  return workspace === null ? null : marginPct(cents, marginTermsOf(product, workspace));
}
