import type { Workspace } from "../../accounts/workspace.ts";
import { msOrNull } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  foldTexts,
  type PricedProduct,
  type PricingSettings,
} from "../../engine/pricing/situation.ts";

/** A product as rules see it; `folded` may come from somebody who has folded these texts before. */
export function pricedProductOf(
  product: Product,
  folded: PricedProduct["folded"] = foldTexts(product),
): PricedProduct {
  return {
    id: product.id,
    sku: product.sku,
    brand: product.brand,
    category: product.category,
    tier: product.tier,
    currency: product.currency,
    folded,
    ourPriceCents: product.ourPriceCents,
    costPriceCents: product.costPriceCents,
    targetPriceCents: product.targetPriceCents,
    minPriceCents: product.minPriceCents,
    maxPriceCents: product.maxPriceCents,
    shippingCents: product.shippingPriceCents,
    condition: product.condition,
    vatRatePct: product.vatRatePct,
    priceLocked: product.priceLocked,
    heldUntilMs: msOrNull(product.heldUntil),
    scrapeIntervalHours: product.scrapeIntervalHours,
  };
}

/** What of the settings of a workspace concerns prices. */
export function pricingSettingsOf(
  workspace: Workspace,
): PricingSettings {
  const { currency, pricesIncludeVat, vatRatePct, ownShippingCents, autoApply } = workspace;
  const { automationStop: stop, budgetPerDay, approval } = workspace;
  return {
    currency,
    pricesIncludeVat,
    vatRatePct,
    ownShippingCents,
    autoApply,
    stop,
    budgetPerDay,
    approval,
  };
}
