import { z } from "@hono/zod-openapi";
import type { Product } from "./product.ts";
import {
  Attributes,
  Currency,
  Ean,
  MajorUnits,
  MinorUnits,
  ScrapeIntervalHours,
  ShopUrl,
  ShortText,
  Sku,
  Tier,
  Title,
  VatRatePct,
} from "./product_fields.ts";

/** Fields that only the service writes; a body may hold them, as a document that was read does. */
export const READ_ONLY_FIELDS = [
  "id",
  "createdAt",
  "updatedAt",
  "deletedAt",
  "lastScrapedAt",
  "ourPriceUpdatedAt",
  "competitorPrices",
  "prices",
] as const;

/** A change: absent is unchanged, `null` clears or sets back to the default (decisions §1). */
export const ProductPatch = z.strictObject({
  sku: Sku.optional(),
  title: Title.optional(),
  currency: Currency.optional(),
  brand: ShortText.optional(),
  category: ShortText.optional(),
  tier: Tier.optional(),
  ourPrice: MajorUnits.optional(),
  ourPriceCents: MinorUnits.optional(),
  costPrice: MajorUnits.optional(),
  costPriceCents: MinorUnits.optional(),
  targetPrice: MajorUnits.optional(),
  targetPriceCents: MinorUnits.optional(),
  ean: Ean.optional(),
  mpn: ShortText.optional(),
  url: ShopUrl.optional(),
  vatRatePct: VatRatePct.optional(),
  attributes: Attributes.optional(),
  priceLocked: z.boolean().nullable().optional(),
  scrapeEnabled: z.boolean().nullable().optional(),
  scrapeIntervalHours: ScrapeIntervalHours.nullable().optional(),
}).meta({ id: "ProductPatch" });

export type ProductPatch = z.infer<typeof ProductPatch>;

/** A new product: `currency` defaults to the workspace's, everything else but SKU and title may be missing. */
export const NewProduct = ProductPatch.extend({
  sku: Sku,
  title: Title,
  currency: Currency.nullable().optional(),
}).meta({
  id: "NewProduct",
  example: {
    sku: "SKU-1",
    title: "Kühlschrank KS 300",
    brand: "Sony",
    ourPrice: 299.99,
    currency: "EUR",
  },
});

export type NewProduct = z.infer<typeof NewProduct>;

/** The product with every field of the patch that is neither a price nor the currency. */
export function withFields(product: Product, patch: Omit<ProductPatch, "currency">): Product {
  return {
    ...product,
    sku: patch.sku ?? product.sku,
    title: patch.title ?? product.title,
    brand: given(patch.brand, product.brand),
    category: given(patch.category, product.category),
    tier: given(patch.tier, product.tier),
    ean: given(patch.ean, product.ean),
    mpn: given(patch.mpn, product.mpn),
    url: given(patch.url, product.url),
    vatRatePct: given(patch.vatRatePct, product.vatRatePct),
    attributes: given(patch.attributes, product.attributes) ?? {},
    priceLocked: given(patch.priceLocked, product.priceLocked) ?? false,
    scrapeEnabled: given(patch.scrapeEnabled, product.scrapeEnabled) ?? true,
    scrapeIntervalHours: given(patch.scrapeIntervalHours, product.scrapeIntervalHours) ?? 24,
  };
}

function given<T>(value: T | undefined, fallback: T): T {
  return value === undefined ? fallback : value;
}
