/**
 * Writes prices in the XML format that the built-in ERP profile reads (docs/decisions/imports.md,
 * docs/decisions/rules.md).
 */

import { exponentOf } from "../../base/currency.ts";
import { startOfDay } from "../../base/german_values.ts";
import { formatDecimalComma, formatGerman } from "../../base/money.ts";
import { pricedAt } from "../../catalogue/prices/price_history.ts";
import type { Product, TierPrice } from "../../catalogue/products/product.ts";

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
export const XML_TAIL = "</ITEMS>\n";

/**
 * Writes the current price of a product with all rows of its tier, so that importing it changes
 * nothing. Returns null for products that must not be imported: deleted ones, those without a
 * price, and those with a SKU that XML cannot contain.
 */
export function itemXml(product: Product, timeZone: string): string | null {
  const { sku, tier, currency, ourPriceCents, deletedAt } = product;
  const since = startOfDay(new Date(pricedAt(product)), timeZone);
  if (ourPriceCents === null || deletedAt !== null || sku !== xmlText(sku)) return null;
  const rows = rowsOf(product, ourPriceCents, since).map((row) => rowXml(row, timeZone));
  const head = element("SKU", sku) + element("CURRENCY", currency) + element("TIER", tier);
  return `  <ITEM>${head}${rows.join("")}</ITEM>\n`;
}

/** The own price is valid from the day of its change, even if its row has another date. */
function rowsOf(
  { prices, tier, currency }: Product,
  amountCents: number,
  since: string,
): TierPrice[] {
  const isOurs = (row: TierPrice) => row.currency === currency && (row.minQty ?? 1) <= 1;
  const rows = prices.filter((row) => row.tier === tier);
  const main = { tier, amountCents, currency, minQty: null, validFrom: since };
  if (!rows.some(isOurs)) return [main, ...rows];
  return rows.map((row) =>
    isOurs(row) && row.amountCents !== amountCents ? { ...row, amountCents, validFrom: since } : row
  );
}

function rowXml(
  { tier, amountCents, currency, minQty, validFrom }: TierPrice,
  timeZone: string,
): string {
  const exponent = exponentOf(currency);
  // Without decimals a thousands separator could be read as a decimal sign, so it is omitted.
  const format = exponent === 0 ? formatDecimalComma : formatGerman;
  const fields = [
    element("TIER", tier),
    element("PRICE", format(amountCents, exponent)),
    element("CURRENCY", currency),
    element("MINQTY", minQty === null ? null : String(minQty).replace(".", ",")),
    element("VALIDFROM", validFrom === null ? null : germanTime(validFrom, timeZone)),
  ];
  return `<SALESPRICE>${fields.join("")}<VALIDUNTIL/></SALESPRICE>`;
}

/** Formats a time as "31.12.2025", with the time of day unless it is midnight. */
function germanTime(instant: string, timeZone: string): string {
  const { year, month, day, hour, minute, second } = Temporal.Instant.from(instant)
    .toZonedDateTimeISO(timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${two(day)}.${two(month)}.${String(year).padStart(4, "0")}`;
  const isMidnight = hour + minute + second === 0;
  return isMidnight ? date : `${date} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** Replaces the only characters in products that XML cannot contain. */
function xmlText(text: string): string {
  return text.replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

function element(name: string, text: string | null): string {
  if (text === null) return "";
  const held = xmlText(text);
  const escaped = held.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${name}>${escaped}</${name}>`;
}
