import type { z } from "zod";
import type { MarketOffer, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import type { PriceLimits } from "../../../base/price_doubts.ts";
import type { ProductDocument } from "../../../catalogue/products/product.ts";
import type { Page } from "../../api/page.ts";
import { fromKeys } from "../../../base/collections.ts";
import {
  AMOUNT_NAMES,
  majorName,
  NUMBER_NAMES,
  type OwnInputName,
  type PlainInputName,
  plainInputs,
} from "../../../catalogue/products/product_field_table.ts";
import type { Show } from "../../../engine/wording/show.ts";
import type { Wire } from "../../api/call.ts";
import { decimalText, numberText, readDecimal, readNumber } from "../../formats/decimal.ts";

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

/** Texts in the person's locale. */
export function productValues(product: Product | null, show: Show) {
  const currency = product?.currency ?? show.currency;
  const money = (cents: number | null | undefined) =>
    decimalText(cents ?? null, currency, show.locale);
  return {
    ...fromKeys([...plainInputs("main"), ...plainInputs("more")], (name) => product?.[name] ?? ""),
    sku: product?.sku ?? "",
    title: product?.title ?? "",
    ourPrice: money(product?.ourPriceCents),
    costPrice: money(product?.costPriceCents),
    targetPrice: money(product?.targetPriceCents),
    minPrice: money(product?.minPriceCents),
    maxPrice: money(product?.maxPriceCents),
    shippingPrice: money(product?.shippingPriceCents),
    currency,
    ean: product?.ean ?? "",
    url: product?.url ?? "",
    vatRatePct: numberText(product?.vatRatePct, show.locale),
    condition: product?.condition ?? "",
    stock: numberText(product?.stock, show.locale),
    priceLocked: product?.priceLocked ?? false,
    scrapeEnabled: product?.scrapeEnabled ?? true,
    scrapeIntervalHours: numberText(product?.scrapeIntervalHours ?? 24, show.locale),
  } satisfies Record<PlainInputName | OwnInputName, string | boolean>;
}

export type ProductValues = ReturnType<typeof productValues>;

const MONEY = AMOUNT_NAMES.map(majorName);
const REQUIRED: readonly string[] = ["sku", "title", "currency"];

/**
 * Contains changed fields only. With a new currency all prices are sent, as the service requires.
 * Invalid numbers are sent as typed, so that the service refuses them.
 */
export function productBody(
  values: ProductValues,
  changed: Partial<ProductValues>,
  show: Show,
): Wire<"ProductChange"> {
  const sent = changed.currency === undefined ? changed : { ...pricesOf(values), ...changed };
  const pairs = Object.entries(sent).map(([name, value]) => [name, wireValue(name, value, show)]);
  return Object.fromEntries(pairs);
}

function pricesOf(values: ProductValues): Partial<ProductValues> {
  return Object.fromEntries(MONEY.map((name) => [name, values[name]]));
}

function wireValue(name: string, value: unknown, { locale }: Show): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return REQUIRED.includes(name) ? text : null;
  if (MONEY.some((field) => field === name)) return readDecimal(text, locale) ?? text;
  if (NUMBER_NAMES.includes(name)) return readNumber(text, locale);
  return text;
}
