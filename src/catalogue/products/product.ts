/** Declares products and their documents. A document is a product's JSON, as sent and stored. */
import { decoder, encoder, joinDocuments } from "../../base/bytes.ts";
import { CONDITIONS } from "../../base/codes.ts";
import { searchForm, searchNumber } from "../../base/text.ts";
import { z } from "@hono/zod-openapi";
import { Buffer } from "node:buffer";

const minorUnits = z.int().nullable().meta({
  description: "Minor units of `currency`: 29999 is 299.99 EUR",
  example: 29999,
});

export const TierPrice = z.object({
  tier: z.string().nullable().describe("Null for the unnamed tier"),
  amountCents: z.int(),
  currency: z.string(),
  minQty: z.number().nullable().describe("Minimum quantity; null: from one piece on"),
  validFrom: z.iso.datetime().nullable(),
}).meta({ id: "TierPrice" });

export type TierPrice = z.infer<typeof TierPrice>;

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
  vatRatePct: z.number().nullable().describe("Null: the workspace's rate applies"),
  condition: z.enum(CONDITIONS).nullable().describe("Null: not known"),
  stock: z.number().nullable().describe("Pieces or other units; null: not known"),
  attributes: z.record(z.string(), z.string()),
  prices: z.array(TierPrice),
  priceLocked: z.boolean().describe("No rule may change the price"),
  heldUntil: z.iso.datetime().nullable()
    .describe("No rule may change the price before this time; past or null: the price is not held"),
  scrapeEnabled: z.boolean(),
  scrapeIntervalHours: z.int(),
  lastScrapedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
}).meta({ id: "Product" });

export const PRICE_FIELDS = [
  "ourPrice",
  "costPrice",
  "targetPrice",
  "minPrice",
  "maxPrice",
  "shippingPrice",
] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

/** Omits `PRICE_FIELDS`, which repeat the fields with `Cents`. */
export type Product = Readonly<Omit<z.infer<typeof ProductDocument>, PriceField>>;

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
  return { ...BLANK_PRODUCT, ...given, updatedAt: given.createdAt };
}

/** Defaults for new products, and for fields that earlier versions of Kurant did not store. */
export const PRODUCT_DEFAULTS: Omit<Product, GivenName | "updatedAt"> = {
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

const GIVEN = { id: "", sku: "", title: "", currency: "", createdAt: "" };
export const BLANK_PRODUCT: Product = { ...GIVEN, ...PRODUCT_DEFAULTS, updatedAt: "" };

export function holdEndMs(product: Pick<Product, "heldUntil" | "deletedAt">): number | null {
  const { heldUntil, deletedAt } = product;
  return heldUntil === null || deletedAt !== null ? null : Date.parse(heldUntil);
}

const SHARDS = 64;

export const SHARD_NUMBERS: readonly number[] = Array.from({ length: SHARDS }, (_, n) => n);

/**
 * Returns the number of the product's shard, one of 64 parts of the catalogue. A SKU must always
 * give the same shard, because stored keys contain the shard (docs/decisions/keys.md).
 */
export function shard(sku: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sku.length; at++) {
    hash = Math.imul(hash ^ sku.charCodeAt(at), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % SHARDS;
}

export function searchText({ title, ean, mpn }: Pick<Product, "title" | "ean" | "mpn">): string {
  return `${numberPart(ean)}${numberPart(mpn)}${TITLE_MARK}${searchForm(title)}`;
}

/** Marks the beginning of each SKU, EAN and MPN in a text from `searchText` or `searchPart`. */
export const NUMBER_MARK = "\u0001";
const TITLE_MARK = "\u0002";

export function numbersOf(text: string): readonly string[] {
  const [numbers = ""] = text.split(TITLE_MARK, 1);
  return numbers.split(NUMBER_MARK).filter((number) => number !== "");
}

export function searchPart(sku: string, text: string): string {
  return `${numberPart(sku)}${text}`;
}

function numberPart(number: string | null): string {
  return number ? `${NUMBER_MARK}${searchNumber(number)}` : "";
}

/** Advances `updatedAt`, and `ourPriceUpdatedAt` if the price changed (docs/decisions/keys.md). */
export function stampChange(before: Product, after: Product, now: Date): Product {
  const atMs = Math.max(now.getTime(), Date.parse(before.updatedAt) + 1);
  const updatedAt = new Date(atMs).toISOString();
  return isRepriced(before, after)
    ? { ...after, updatedAt, ourPriceUpdatedAt: updatedAt }
    : { ...after, updatedAt };
}

export function isRepriced(before: OwnPrice, after: OwnPrice): boolean {
  return before.ourPriceCents !== after.ourPriceCents ||
    (after.ourPriceCents !== null && before.currency !== after.currency);
}

type OwnPrice = Pick<Product, "ourPriceCents" | "currency">;

export function differsForSearch(before: Product, after: Product): boolean {
  return before.sku !== after.sku || before.title !== after.title || before.ean !== after.ean ||
    before.mpn !== after.mpn || (before.deletedAt === null) !== (after.deletedAt === null);
}

export function differsForSchedule(before: Product, after: Product): boolean {
  return before.scrapeEnabled !== after.scrapeEnabled ||
    before.scrapeIntervalHours !== after.scrapeIntervalHours ||
    before.deletedAt !== after.deletedAt;
}

export function differsForImports(before: Product, after: Product): boolean {
  return forImports(before) !== forImports(after);
}

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

const JUDGED_BY = [
  "sku",
  "ourPriceCents",
  "costPriceCents",
  "targetPriceCents",
  "minPriceCents",
  "maxPriceCents",
  "shippingPriceCents",
  "currency",
  "vatRatePct",
  "condition",
  "brand",
  "category",
  "tier",
  "stock",
  "priceLocked",
  "heldUntil",
  "scrapeIntervalHours",
  "deletedAt",
] as const satisfies readonly (keyof Product)[];

export function isJudgedAnew(before: Product | null, after: Product): boolean {
  if (before === null) return after.ourPriceCents !== null || after.costPriceCents !== null;
  return JUDGED_BY.some((name) => before[name] !== after[name]);
}

export function areBoundsCrossed(
  { minPriceCents, maxPriceCents }: Pick<Product, "minPriceCents" | "maxPriceCents">,
): boolean {
  return minPriceCents !== null && maxPriceCents !== null && minPriceCents > maxPriceCents;
}

/** Copies our price to the tier price of `tier` for quantity 1 (docs/decisions/catalogue.md). */
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

/**
 * Returns a product's JSON for clients. The store contains the same JSON in a packed form, so a
 * change of the JSON requires a migration.
 */
export function toWire(product: Product): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(documentOf(product)));
}

export function parseProduct(bytes: Uint8Array): Product {
  const document: z.infer<typeof ProductDocument> = JSON.parse(decoder.decode(bytes));
  return withPricesOnce(document);
}

/** Reads the first `currency`, the product's own, because tier prices and attributes come later. */
export function currencyInDocument(document: Uint8Array): string {
  const text = Buffer.from(document.buffer, document.byteOffset, document.length);
  const at = text.indexOf(CURRENCY) + CURRENCY.length;
  return text.toString("latin1", at, at + 3);
}

const CURRENCY = ',"currency":"';

/** Parses all documents as one JSON text, which is twice as fast as parsing one by one. */
export function parseProducts(documents: readonly Uint8Array[]): z.infer<typeof ProductDocument>[] {
  return JSON.parse(decoder.decode(joinDocuments("[", documents, "]")));
}

interface CutRow {
  readonly shard: number;
  readonly rows?: number;
  readonly bytes?: number;
}

interface CutLimits {
  readonly rows: number;
  readonly shards: number;
  readonly bytes?: number;
}

/** Requires rows sorted by shard. A row that alone exceeds a limit gets its own batch. */
export function cutByShard<Row extends CutRow>(sorted: readonly Row[], most: CutLimits): Row[][] {
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let [rows, bytes, shards] = [0, 0, new Set<number>()];
  for (const row of sorted) {
    const own = { rows: row.rows ?? 1, bytes: row.bytes ?? 0 };
    const isFull = rows + own.rows > most.rows || bytes + own.bytes > (most.bytes ?? Infinity) ||
      (!shards.has(row.shard) && shards.size === most.shards);
    if (isFull && batch.length > 0) {
      batches.push(batch);
      batch = [];
      [rows, bytes, shards] = [0, 0, new Set()];
    }
    batch.push(row);
    rows += own.rows;
    bytes += own.bytes;
    shards.add(row.shard);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
