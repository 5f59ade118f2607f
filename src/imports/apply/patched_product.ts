/** What a record makes of a product: plain functions, the same for a plan and for the real thing. */
import { currencyExponent } from "../../base/currency.ts";
import { blankProduct, type Product, type TierPrice } from "../../catalogue/product.ts";
import type { ProductPatch } from "../product_patch.ts";
import { tierKey } from "../records/price_rows.ts";

const PRICES_MAX = 100;

/** Amounts of a patch in the currency of its product. */
type Amounts = Partial<Pick<Product, "costPriceCents" | "targetPriceCents" | "ourPriceCents">>;

/** A product that is made by a record, which must have a title. */
export function newProduct(
  patch: ProductPatch,
  title: string,
  made: { readonly id: string; readonly createdAt: string; readonly currency: string },
): Product {
  const currency = patch.currency ?? made.currency;
  const { id, createdAt } = made;
  const blank = blankProduct({ id, sku: patch.sku, title, currency, createdAt });
  const product = patched(blank, patch, amountsOf(patch, currency));
  const isPriced = product.ourPriceCents !== null;
  return isPriced ? { ...product, ourPriceUpdatedAt: createdAt } : product;
}

/**
 * The product as the record leaves it, times untouched. Refuses a record that changes the currency
 * without giving every stored price anew: the old amounts would be read in the new currency.
 */
export function changedProduct(
  before: Product,
  patch: ProductPatch,
): { product: Product } | { refused: string } {
  const currency = patch.currency ?? before.currency;
  const amounts = amountsOf(patch, currency);
  const isMissing = (field: keyof Amounts) =>
    before[field] !== null && amounts[field] === undefined;
  if (
    currency !== before.currency &&
    (isMissing("ourPriceCents") || isMissing("costPriceCents") || isMissing("targetPriceCents"))
  ) {
    return {
      refused: `The currency would change from "${before.currency}" to "${currency}", but not ` +
        "every stored price is given anew",
    };
  }
  return { product: { ...patched(before, patch, amounts), currency, deletedAt: null } };
}

function patched(before: Product, patch: ProductPatch, amounts: Amounts): Product {
  const {
    title = before.title,
    brand = before.brand,
    category = before.category,
    ean = before.ean,
    mpn = before.mpn,
    url = before.url,
    vatRatePct = before.vatRatePct,
    tier = before.tier,
  } = patch;
  return {
    ...before,
    title,
    brand,
    category,
    ean,
    mpn,
    url,
    vatRatePct,
    tier,
    ...amounts,
    prices: patch.prices ? mergedPrices(before.prices, patch.prices) : before.prices,
  };
}

/**
 * A record that names no currency speaks in that of its product; its numbers were read as if in the
 * workspace's, which matters where one of the two has another number of decimals.
 */
function amountsOf(patch: ProductPatch, currency: string): Amounts {
  const shift = exponent(currency) - exponent(patch.amountsIn ?? currency);
  const inProduct = (cents: number) =>
    shift >= 0 ? cents * 10 ** shift : Math.floor(cents / 10 ** -shift + 0.5);
  const amounts: { -readonly [Field in keyof Amounts]: Amounts[Field] } = {};
  for (const field of ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const) {
    const cents = patch[field];
    if (cents !== undefined) amounts[field] = cents === null ? null : inProduct(cents);
  }
  return amounts;
}

function exponent(currency: string): number {
  return currencyExponent(currency) ?? 2;
}

/** Tiers that the record mentions give way to its rows, the others stay (decisions §7.1). */
function mergedPrices(
  stored: Product["prices"],
  { tiers, rows }: NonNullable<ProductPatch["prices"]>,
): Product["prices"] {
  const replaced = new Set(tiers.map(tierKey));
  const kept = stored.filter(({ tier }) => !replaced.has(tierKey(tier)));
  if (kept.length === 0) return rows.slice(0, PRICES_MAX);
  return [...kept, ...rows].sort(byPlace).slice(0, PRICES_MAX);
}

function byPlace(one: TierPrice, other: TierPrice): number {
  return byText(one.tier ?? "", other.tier ?? "") || byText(one.currency, other.currency) ||
    (one.minQty ?? 1) - (other.minQty ?? 1);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** True when the record says nothing new of the product. */
export function isSame(before: Product, after: Product): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
