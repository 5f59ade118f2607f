import { CONDITIONS } from "../../base/codes.ts";
import { searchForm, searchNumber } from "../../base/search_words.ts";
import { z } from "@hono/zod-openapi";

const minorUnits = z.int().nullable().meta({
  description: "Minor units of `currency`: 29999 is 299.99 EUR",
  example: 29999,
});

/** One current tier price of the last import; the API shows it and never writes it. */
export const TierPrice = z.object({
  tier: z.string().nullable().meta({ description: "Null is the unnamed tier" }),
  amountCents: z.int(),
  currency: z.string(),
  minQty: z.number().nullable().meta({ description: "From how many pieces on; null: from one" }),
  validFrom: z.iso.datetime().nullable(),
}).meta({ id: "TierPrice" });

export type TierPrice = z.infer<typeof TierPrice>;

/**
 * A product as lists answer it and as it is stored, byte for byte (docs/decisions/catalogue.md,
 * docs/decisions/money.md).
 */
export const ProductDocument = z.object({
  id: z.string(),
  sku: z.string(),
  title: z.string(),
  brand: z.string().nullable(),
  category: z.string().nullable(),
  tier: z.string().nullable(),
  ourPrice: minorUnits,
  ourPriceCents: minorUnits,
  ourPriceUpdatedAt: z.iso.datetime().nullable(),
  costPrice: minorUnits,
  costPriceCents: minorUnits,
  targetPrice: minorUnits,
  targetPriceCents: minorUnits,
  minPrice: minorUnits,
  minPriceCents: minorUnits,
  maxPrice: minorUnits,
  maxPriceCents: minorUnits,
  shippingPrice: minorUnits,
  shippingPriceCents: minorUnits,
  currency: z.string(),
  ean: z.string().nullable(),
  mpn: z.string().nullable(),
  url: z.string().nullable(),
  vatRatePct: z.number().nullable().meta({ description: "Null: the rate of the workspace" }),
  condition: z.enum(CONDITIONS).nullable().meta({ description: "Null: not known" }),
  stock: z.number().nullable().meta({ description: "Pieces or other units; null: not known" }),
  attributes: z.record(z.string(), z.string()),
  prices: z.array(TierPrice),
  priceLocked: z.boolean().meta({ description: "No rule may change the price" }),
  heldUntil: z.iso.datetime().nullable().meta({
    description: "Until then no rule may change the price; past or null: it is not held",
  }),
  scrapeEnabled: z.boolean(),
  scrapeIntervalHours: z.int(),
  lastScrapedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
}).meta({ id: "Product" });

/** The fields that say a price twice on the wire; inside there is only the one in minor units. */
export const PRICE_FIELDS = [
  "ourPrice",
  "costPrice",
  "targetPrice",
  "minPrice",
  "maxPrice",
  "shippingPrice",
] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

/** A product as the service thinks of it: every price once, in minor units of `currency`. */
export type Product = Readonly<Omit<z.infer<typeof ProductDocument>, PriceField>>;

/** A document, or the schema of one, with every price once: the inverse of `documentOf`. */
export function withPricesOnce<T extends Record<PriceField, unknown>>(
  document: T,
): Omit<T, PriceField> {
  const {
    ourPrice: _our,
    costPrice: _cost,
    targetPrice: _target,
    minPrice: _min,
    maxPrice: _max,
    shippingPrice: _shipping,
    ...rest
  } = document;
  return rest;
}

/** The document of a product. Written out, because every product that is stored passes here. */
export function documentOf(product: Product): z.infer<typeof ProductDocument> {
  return {
    id: product.id,
    sku: product.sku,
    title: product.title,
    brand: product.brand,
    category: product.category,
    tier: product.tier,
    ourPrice: product.ourPriceCents,
    ourPriceCents: product.ourPriceCents,
    ourPriceUpdatedAt: product.ourPriceUpdatedAt,
    costPrice: product.costPriceCents,
    costPriceCents: product.costPriceCents,
    targetPrice: product.targetPriceCents,
    targetPriceCents: product.targetPriceCents,
    minPrice: product.minPriceCents,
    minPriceCents: product.minPriceCents,
    maxPrice: product.maxPriceCents,
    maxPriceCents: product.maxPriceCents,
    shippingPrice: product.shippingPriceCents,
    shippingPriceCents: product.shippingPriceCents,
    currency: product.currency,
    ean: product.ean,
    mpn: product.mpn,
    url: product.url,
    vatRatePct: product.vatRatePct,
    condition: product.condition,
    stock: product.stock,
    attributes: product.attributes,
    prices: product.prices,
    priceLocked: product.priceLocked,
    heldUntil: product.heldUntil,
    scrapeEnabled: product.scrapeEnabled,
    scrapeIntervalHours: product.scrapeIntervalHours,
    lastScrapedAt: product.lastScrapedAt,
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    deletedAt: product.deletedAt,
  };
}

type GivenName = "id" | "sku" | "title" | "currency" | "createdAt";

export function blankProduct(given: Pick<Product, GivenName>): Product {
  return { ...given, ...productDefaults(), updatedAt: given.createdAt };
}

/** Defaults of fields that older stored products lack. */
export function productDefaults(): Omit<Product, GivenName | "updatedAt"> {
  return {
    brand: null,
    category: null,
    tier: null,
    ourPriceCents: null,
    ourPriceUpdatedAt: null,
    costPriceCents: null,
    targetPriceCents: null,
    minPriceCents: null,
    maxPriceCents: null,
    shippingPriceCents: null,
    ean: null,
    mpn: null,
    url: null,
    vatRatePct: null,
    condition: null,
    stock: null,
    attributes: {},
    prices: [],
    priceLocked: false,
    heldUntil: null,
    scrapeEnabled: true,
    scrapeIntervalHours: 24,
    lastScrapedAt: null,
    deletedAt: null,
  };
}

/** When the hold of an active product ends, in milliseconds; null without one. */
export function holdEndMs(product: Pick<Product, "heldUntil" | "deletedAt">): number | null {
  const { heldUntil, deletedAt } = product;
  return heldUntil === null || deletedAt !== null ? null : Date.parse(heldUntil);
}

const SHARDS = 64;

export const SHARD_NUMBERS: readonly number[] = Array.from({ length: SHARDS }, (_, n) => n);

/**
 * The generation shard of a SKU, 0 to 63. Frozen: it is part of stored keys
 * (docs/decisions/keys.md).
 */
export function shard(sku: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sku.length; at++) {
    hash = Math.imul(hash ^ sku.charCodeAt(at), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % SHARDS;
}

/** The searched text in addition to the SKU; stored in the product's index row. */
export function searchText({ title, ean, mpn }: Pick<Product, "title" | "ean" | "mpn">): string {
  return `${numberPart(ean)}${numberPart(mpn)}${TITLE_MARK}${searchForm(title)}`;
}

/** Stands before each number of a product in its search text, before which words a search looks first. */
export const NUMBER_MARK = "\u0001";
const TITLE_MARK = "\u0002";

/** The numbers in the text of a card, folded as a search compares them: EAN and MPN, any of them. */
export function numbersOf(text: string): readonly string[] {
  const [numbers = ""] = text.split(TITLE_MARK, 1);
  return numbers.split(NUMBER_MARK).filter((number) => number !== "");
}

/** All that `q` looks through of a product, of what its card has. */
export function searchPart(sku: string, text: string): string {
  return `${numberPart(sku)}${text}`;
}

function numberPart(number: string | null): string {
  // Older products may lack it.
  return number ? `${NUMBER_MARK}${searchNumber(number)}` : "";
}

/**
 * A changed product with its times: those of one product never repeat (docs/decisions/keys.md), and
 * a new own price has one of its own. A new currency is a new price.
 */
export function stampChange(before: Product, after: Product, now: Date): Product {
  const atMs = Math.max(now.getTime(), Date.parse(before.updatedAt) + 1);
  const updatedAt = new Date(atMs).toISOString();
  return isRepriced(before, after)
    ? { ...after, updatedAt, ourPriceUpdatedAt: updatedAt }
    : { ...after, updatedAt };
}

/** True for another own price: also for the same one in another currency. */
export function isRepriced(before: OwnPrice, after: OwnPrice): boolean {
  return before.ourPriceCents !== after.ourPriceCents ||
    (after.ourPriceCents !== null && before.currency !== after.currency);
}

type OwnPrice = Pick<Product, "ourPriceCents" | "currency">;

export function differsForSearch(before: Product, after: Product): boolean {
  return before.sku !== after.sku || before.title !== after.title || before.ean !== after.ean ||
    before.mpn !== after.mpn || (before.deletedAt === null) !== (after.deletedAt === null);
}

/** True when a field differs that decides whether and when the product's matches are fetched. */
export function differsForSchedule(before: Product, after: Product): boolean {
  return before.scrapeEnabled !== after.scrapeEnabled ||
    before.scrapeIntervalHours !== after.scrapeIntervalHours ||
    before.deletedAt !== after.deletedAt;
}

/**
 * True when a field differs that an import may set: the next import then looks at the product
 * again.
 */
export function differsForImports(before: Product, after: Product): boolean {
  return forImports(before) !== forImports(after);
}

/** Without what only people and scrape runs set. */
function forImports(product: Product): string {
  const {
    priceLocked: _locked,
    heldUntil: _held,
    scrapeEnabled: _enabled,
    scrapeIntervalHours: _hours,
    lastScrapedAt: _scraped,
    updatedAt: _updated,
    ...rest
  } = product;
  return JSON.stringify(rest);
}

/**
 * The product after its `ourPrice` changed: the entry in `prices` that it came from follows
 * (docs/decisions/catalogue.md), which is the one of its tier and currency without a minimum
 * quantity above 1, and is valid from `validFrom`.
 */
export function followPrice(product: Product, validFrom: string): Product {
  const { tier, currency, ourPriceCents } = product;
  if (ourPriceCents === null) return product;
  const prices = product.prices.map((price) =>
    price.tier === tier && price.currency === currency && (price.minQty ?? 1) <= 1
      ? { ...price, amountCents: ourPriceCents, validFrom }
      : price
  );
  return { ...product, prices };
}
