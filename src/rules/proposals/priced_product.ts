import type { Workspace } from "../../accounts/workspace.ts";
import { isInStock } from "../../base/codes.ts";
import { msOrNull } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  foldTexts,
  type Offer,
  type PricedProduct,
  type PricingSettings,
  type ShopTerms,
  shopTermsOf,
} from "../../engine/pricing/situation.ts";
import type { Competitor } from "../../shops/competitor.ts";
import { type Offer as StoredOffer, showsOtherProduct } from "../../shops/offers/offer.ts";

/** A product as rules see it; `folded` may hold its folded texts. */
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

/** The pricing part of a workspace's settings. */
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

/** The offers that count: of enabled matches of enabled competitors, as rules see them. */
export function pricingOffersOf(
  offers: readonly StoredOffer[],
  competitors: ReadonlyMap<string, Competitor>,
): Offer[] {
  const live: Offer[] = [];
  for (const offer of offers) {
    const competitor = competitors.get(offer.competitorId);
    if (offer.enabled && competitor?.enabled) live.push(pricingOffer(offer, competitor));
  }
  return live;
}

/**
 * The price before the newest observation is read only where a price may be applied automatically.
 */
function pricingOffer(offer: StoredOffer, competitor: Competitor): Offer {
  return {
    matchId: offer.matchId,
    competitorId: offer.competitorId,
    competitor: competitor.displayName,
    priceCents: offer.priceCents,
    currency: offer.currency,
    inStock: isInStock(offer.availability),
    packFactor: offer.packFactor,
    confidence: offer.confidence,
    observedAtMs: offer.observedAtMs,
    previousPriceCents: null,
    priceSinceMs: null,
    pricesIncludeVat: competitor.pricesIncludeVat,
    matchCreatedAtMs: createdAtMs(offer.matchId),
    matchType: offer.matchType,
    isOtherProduct: showsOtherProduct(offer),
    isConfirmed: offer.verdict === "same",
    condition: offer.condition,
    seller: offer.seller,
    shippingCents: offer.shippingCents,
    shop: termsOf(competitor),
    status: offer.status,
  };
}

/** Folded texts of competitors, kept as long as the competitor objects. */
const folded = new WeakMap<Competitor, ShopTerms>();

function termsOf(competitor: Competitor): ShopTerms {
  const known = folded.get(competitor);
  if (known) return known;
  const terms = shopTermsOf(competitor);
  folded.set(competitor, terms);
  return terms;
}

/** An id begins with the second in which it was made (docs/decisions/http.md). */
export function createdAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 1_000;
}
