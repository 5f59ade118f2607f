/**
 * Prices as a client writes them (docs/decisions/money.md): decimals in major units, or twins in
 * minor units.
 */
import { exponentOf } from "../../base/currency.ts";
import type { RefusedField } from "../../base/failure.ts";
import { formatMajor, parseMajor } from "../../base/money.ts";
import { PRICE_FIELDS, type PriceField, type Product } from "./product.ts";
import type { ProductPatch } from "./product_input.ts";

/** The field that holds a price of a product and of a patch in minor units. */
const centsName = <Field extends PriceField>(field: Field) => `${field}Cents` as const;

type PricePatch = Pick<ProductPatch, PriceField | `${PriceField}Cents`>;

/** The product with its currency and prices set, or every field that is refused. */
export function withPrices(
  product: Product,
  currency: string,
  patch: PricePatch,
): { product: Product } | { refused: RefusedField[] } {
  const refused: RefusedField[] = [];
  const changed: Record<string, number | null> = {};
  for (const field of PRICE_FIELDS) {
    const read = readPrice(field, patch, currency);
    if (read === null) {
      if (product[centsName(field)] !== null && product.currency !== currency) {
        refused.push({ path: field, message: restate(product.currency, currency) });
      }
    } else if ("message" in read) refused.push(read);
    else changed[centsName(field)] = read.cents;
  }
  if (refused.length > 0) return { refused };
  const priced = { ...product, ...changed, currency };
  const isBounded = "minPriceCents" in changed || "maxPriceCents" in changed;
  if (!isBounded || !areBoundsCrossed(priced)) return { product: priced };
  return { refused: [{ path: "minPrice", message: 'Must not be above "maxPrice"' }] };
}

/** True when no price can keep to both bounds of the product. */
export function areBoundsCrossed(
  { minPriceCents, maxPriceCents }: Pick<Product, "minPriceCents" | "maxPriceCents">,
): boolean {
  return minPriceCents !== null && maxPriceCents !== null && minPriceCents > maxPriceCents;
}

function restate(from: string, to: string): string {
  return `Must be given anew, because the currency changes from "${from}" to "${to}"`;
}

function readPrice(
  field: PriceField,
  patch: PricePatch,
  currency: string,
): { cents: number | null } | RefusedField | null {
  const major = patch[field];
  const cents = patch[centsName(field)];
  if (major === undefined) return cents === undefined ? null : { cents };
  const parsed = major === null ? { minor: null } : parseMajor(major, exponentOf(currency));
  if ("reason" in parsed) return { path: field, message: parsed.reason };
  if (cents !== undefined && cents !== parsed.minor) {
    return { path: field, message: disagreement(field, major, cents, currency) };
  }
  return { cents: parsed.minor };
}

function disagreement(
  field: PriceField,
  major: string | number | null,
  cents: number | null,
  currency: string,
): string {
  const exponent = exponentOf(currency);
  const twin = cents === null
    ? "null"
    : `${cents}, which is ${formatMajor(cents, exponent)} ${currency}`;
  return `"${field}" is written in major units (${major} ${currency} here) and read in minor ` +
    `units; "${centsName(field)}" is minor units both ways and says ${twin}: send one of the two`;
}

/** A price of a product in minor units. */
export function centsOf(product: Product, field: PriceField): number | null {
  return product[centsName(field)];
}

/**
 * Prices above 0 that became exactly 10^exponent times what they were: the trace of somebody who
 * sent back the integer that was read. Never for currencies without a minor unit.
 */
export function suspiciousPrices(before: Product, after: Product): PriceField[] {
  const factor = 10 ** exponentOf(after.currency);
  return PRICE_FIELDS.filter((field) => {
    const [was, is] = [before[centsName(field)], after[centsName(field)]];
    return factor > 1 && was !== null && was > 0 && is === was * factor;
  });
}
