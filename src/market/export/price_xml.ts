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
 * The current price of a product with all rows of its tier, so that reading it back moves nothing.
 * Null for what must not be read back: a deleted product, one without a price, a SKU that no XML
 * can hold.
 */
export function itemXml(product: Product, timeZone: string): string | null {
  const { sku, tier, currency, ourPriceCents, deletedAt } = product;
  const since = startOfDay(new Date(pricedAt(product)), timeZone);
  if (ourPriceCents === null || deletedAt !== null || sku !== xmlText(sku)) return null;
  const rows = rowsOf(product, ourPriceCents, since).map((row) => rowXml(row, timeZone));
  const head = element("SKU", sku) + element("CURRENCY", currency) + element("TIER", tier);
  return `  <ITEM>${head}${rows.join("")}</ITEM>\n`;
}

/** The own price is valid from the day of its change, whatever its row says of another one. */
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
  // A lone dot before three digits is no thousand in every currency: only decimals make it clear.
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

/** "31.12.2025", with the time of day when it is not midnight. */
function germanTime(instant: string, timeZone: string): string {
  const { year, month, day, hour, minute, second } = Temporal.Instant.from(instant)
    .toZonedDateTimeISO(timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${two(day)}.${two(month)}.${String(year).padStart(4, "0")}`;
  const isMidnight = hour + minute + second === 0;
  return isMidnight ? date : `${date} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** With a substitute for what no XML can hold; products hold no other such characters. */
function xmlText(text: string): string {
  return text.replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

function element(name: string, text: string | null): string {
  if (text === null) return "";
  const held = xmlText(text);
  const escaped = held.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${name}>${escaped}</${name}>`;
}
