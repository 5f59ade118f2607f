/**
 * Reads a variant from a JSON object in a page's data. The field names are those of Shopify,
 * WooCommerce, Magento, PrestaShop and shops' own systems.
 */

import type { Availability } from "../../../base/codes.ts";
import {
  BARE_OFFER,
  currencyOf,
  type Priced,
  readAmount,
  UNNAMED_SUBJECT,
  type VariantAttribute,
  type Writing,
} from "../amount.ts";
import { readAvailability } from "../shop_words.ts";
import { isJsonObject, type JsonObject } from "../../../base/collections.ts";

/** `isCents` is true if it is certain that the price is in hundredths. */
export interface VariantRecord extends Priced {
  readonly isCents: boolean;
}

type RecordedPrice = Pick<VariantRecord, "amount" | "isCents">;

const TEXT_CHARACTERS_MAX = 200;
const OPTIONS_MAX = 12;

const IDS = keys("id variation_id variantId variant_id id_product_attribute productId");
const GTINS = keys(
  "barcode gtin gtin13 gtin14 gtin12 gtin8 ean EAN ean13 upc isbn global_unique_id _ts_gtin",
);
const MPNS = keys("mpn MPN manufacturerNumber manufacturer_number partNumber herstellernummer");
const SKUS = keys(
  "sku SKU articleNumber article_number artikelnummer artNr itemNumber productNumber " +
    "product_number reference number code",
);
const URLS = keys("url href link permalink canonicalUrl");
const LABELS = keys("title public_title displayName label name");
const PRICES = keys(
  "salePrice sale_price currentPrice current_price finalPrice final_price display_price price " +
    "sellingPrice grossPrice priceGross price_amount priceValue priceCents priceInCents " +
    "price_in_cents prices amount preis offers",
);
const PAID = keys(
  "current sale selling final now gross amount value price centAmount amountCents cents withTax " +
    "actual",
);
const LIST_PRICES = keys(
  "compare_at_price compareAtPrice listPrice list_price display_regular_price regularPrice " +
    "regular_price oldPrice old_price strikePrice wasPrice uvp rrp msrp",
);
const CENTS = /cents?$|centamount/i;
const STOCKS = keys(
  "availability stockStatus stock_status available availableForSale is_in_stock inStock in_stock " +
    "isAvailable isInStock stock quantity inventory_quantity qty",
);

function keys(words: string): readonly string[] {
  return words.split(" ");
}

const OPTION =
  /^(?:size|colou?r|farbe|gr(?:ö|oe)(?:ß|ss)e|capacity|kapazit(?:ä|ae)t|storage|speicher|memory|length|l(?:ä|ae)nge|width|breite|height|diameter|durchmesser|volume|inhalt|content|material|taille|couleur|capacit[ée]|longueur|pack|packgr(?:ö|oe)(?:ß|ss)e|variant|variante|ausf(?:ü|ue)hrung|style|finish|option|weight|gewicht)$/i;

/** Returns null if the object has no price, or nothing that identifies a variant. */
export function variantRecord(
  json: JsonObject,
  optionNames: readonly (string | null)[],
  writing: Writing,
): VariantRecord | null {
  const price = priceIn(json, PRICES, writing);
  if (price === null) return null;
  const all = (keys: readonly string[]) => keys.flatMap((key) => textIn(json[key]) ?? []);
  const [gtins, mpns, skus] = [all(GTINS), all(MPNS), all(SKUS)];
  const ids = all(IDS).map((id) => id.slice(id.lastIndexOf("/") + 1));
  const attributes = attributesIn(json, optionNames);
  if (gtins.length + skus.length + mpns.length + ids.length + attributes.length === 0) return null;
  const names = all(LABELS).filter((text) => text !== "Default Title").slice(0, 1);
  return {
    ...VARIANT,
    ...price,
    offer: { names, urls: all(URLS), gtins, numbers: [...skus, ...mpns] },
    traits: { ids, attributes, mpn: mpns[0] ?? null, sku: skus[0] ?? null },
    listPrice: priceIn(json, LIST_PRICES, writing)?.amount.decimal ?? null,
    availability: stockIn(json),
  };
}

export const VARIANT = { ...BARE_OFFER, subject: UNNAMED_SUBJECT, isVariant: true } as const;

export function textIn(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") return null;
  const text = value.slice(0, TEXT_CHARACTERS_MAX).trim();
  return text === "" ? null : text;
}

export function priceIn(
  json: JsonObject,
  keys: readonly string[],
  writing: Writing,
  depth = 0,
): RecordedPrice | null {
  const currency = currencyIn(json) ?? writing.currency;
  for (const key of keys) {
    const value = json[key];
    const isCents = CENTS.test(key);
    if (isJsonObject(value) && depth < 3) {
      const inner = priceIn(value, [...PAID, ...PRICES], { ...writing, currency }, depth + 1);
      if (inner !== null) return { ...inner, isCents: inner.isCents || isCents };
    } else {
      const amount = writtenPrice(value, { ...writing, currency });
      if (amount !== null) return { amount, isCents };
    }
  }
  return null;
}

function writtenPrice(value: unknown, writing: Writing): Priced["amount"] | null {
  const kind = typeof value === "number" ? "number" : "machine";
  const text = typeof value === "number" || typeof value === "string" ? String(value) : null;
  if (text === null || text.length > TEXT_CHARACTERS_MAX) return null;
  const amount = readAmount({ text: rounded(text), kind, shown: null }, writing);
  return "decimal" in amount ? { ...amount, isSure: true } : null;
}

/** Rounds amounts such as `41.9327731` and `19.990000000000002` to two decimals. */
function rounded(text: string): string {
  return /^\d{1,9}\.\d{5,20}$/.test(text) ? Number(text).toFixed(2) : text;
}

export function currencyIn(json: JsonObject): string | null {
  const keys = ["currency", "currencyCode", "priceCurrency", "currency_code", "currencyIso"];
  return keys.flatMap((key) => currencyOf(textIn(json[key])) ?? [])[0] ?? null;
}

function stockIn(json: JsonObject): Availability {
  for (const key of STOCKS) {
    const held = json[key];
    const value = isJsonObject(held) ? held.status : held;
    if (typeof value === "boolean") return value ? "in_stock" : "out_of_stock";
    if (typeof value === "number") return value > 0 ? "in_stock" : "out_of_stock";
    const known = typeof value === "string" ? readAvailability(value) : "unknown";
    if (known !== "unknown") return known;
  }
  return "unknown";
}

function attributesIn(
  json: JsonObject,
  optionNames: readonly (string | null)[],
): readonly VariantAttribute[] {
  const numbered = [1, 2, 3].flatMap((n) => {
    const value = textIn(json[`option${n}`]);
    return value === null || value === "Default Title"
      ? []
      : [{ name: optionNames[n - 1] ?? null, value }];
  });
  if (numbered.length > 0) return numbered;
  for (const key of ["selectedOptions", "options", "attributes", "optionValues", "values"]) {
    const found = optionsIn(json[key], optionNames);
    if (found.length > 0) return found;
  }
  return Object.entries(json).slice(0, 60).flatMap(([key, value]) => {
    if (key.length > 30 || !OPTION.test(key)) return [];
    const text = isJsonObject(value) ? labelIn(value) : textIn(value);
    return text === null ? [] : [{ name: key, value: text }];
  }).slice(0, OPTIONS_MAX);
}

function optionsIn(
  json: unknown,
  optionNames: readonly (string | null)[],
): readonly VariantAttribute[] {
  if (Array.isArray(json)) {
    return json.slice(0, OPTIONS_MAX).flatMap((item, n) => {
      if (!isJsonObject(item)) {
        const value = textIn(item);
        return value === null ? [] : [{ name: optionNames[n] ?? null, value }];
      }
      const value = labelIn(item);
      const name = ["name", "attribute", "code", "group", "key", "optionName"]
        .map((key) => textIn(item[key])).find((text) => text !== null && text !== value);
      return value === null ? [] : [{ name: name ?? null, value }];
    });
  }
  if (!isJsonObject(json)) return [];
  return Object.entries(json).slice(0, OPTIONS_MAX).flatMap(([key, item]) => {
    const value = isJsonObject(item) ? labelIn(item) : textIn(item);
    const name = key.slice(0, 60).replace(/^attribute_(?:pa_)?/, "");
    return value === null ? [] : [{ name: /^\d+$/.test(name) ? null : name, value }];
  });
}

function labelIn(json: JsonObject): string | null {
  return ["value", "valueLabel", "option", "label", "title", "name"]
    .map((key) => textIn(json[key])).find((text) => text !== null) ?? null;
}
