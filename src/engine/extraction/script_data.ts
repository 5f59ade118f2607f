/**
 * Finds prices and variants in the script data of a page. The place of a price is written as the
 * name of the data and a path (RFC 9535): `#__NEXT_DATA__ $.product.price / 100`. The suffix `/
 * 100` means that the value is in hundredths, such as cents. Keys with digits and keys that look
 * generated become `*` in the path, because such keys differ from page to page.
 */
import {
  BARE_OFFER,
  currencyOf,
  plainDecimal,
  type Priced,
  readAmount,
  UNNAMED_SUBJECT,
  type Writing,
  type WrittenAmount,
} from "./amount.ts";
import { parsedJson } from "./page/extraction_page.ts";
import { type HtmlElement, rawTextOf } from "./page/html_element.ts";
import { OTHER_KEY, SCRIPT_CHARACTERS_MAX } from "./shown/shown_prices.ts";
import type { Availability } from "../../base/codes.ts";
import { readAvailability } from "./shop_words.ts";
import { isJsonObject, type JsonObject } from "../../base/collections.ts";

export interface StatePrice extends WrittenAmount {
  readonly statePath: string;
  readonly text: string;
}

const WORD_CHARACTERS_MAX = 40;

const OPENING =
  /(?:=|\((?:\s{0,8}["'][\w-]{1,40}["']\s{0,8},)?)\s{0,8}(?=(?:\{\s{0,40}["}]|\[\s{0,40}["{[\]\d-]))/g;
const NAME_BEFORE = /([\w$.]{1,60})(?:["']\])?\s{0,8}(=|\.push\()$/;
const GLOBAL = /^(?:window|self|globalThis)\./;
const NAME = /^[A-Za-z_$][A-Za-z_$.-]*$/;
const KEY = /^[A-Za-z_$][A-Za-z_$-]*$/;
const PLAIN_KEY = /^[A-Za-z_]+$/;
const PRICE_WORD = /price|preis|amount|betrag|prix|cost/i;
const CURRENCY_KEY = /^(?:price)?_?(?:currency|waehrung|währung)(?:_?(?:code|iso))?$/i;
const PLAIN_NUMBER = /^\d{1,12}(?:\.\d{1,4})?$/;

/**
 * Returns prices in page order, and stops after about 200. Whole numbers from 100 on may be cents,
 * so `1999` is returned as 1999 and as 19.99.
 */
export function statePrices(scripts: readonly HtmlElement[], writing: Writing) {
  const prices: StatePrice[] = [];
  const walk = (name: string, value: unknown, trail: Trail): void => {
    if (trail.depth > 24 || prices.length >= 200) return;
    const depth = trail.depth + 1;
    if (Array.isArray(value)) {
      for (const [n, child] of value.slice(0, 10).entries()) {
        walk(name, child, { ...trail, depth, path: `${trail.path}[${n}]` });
      }
    } else if (typeof value === "object" && value !== null) {
      const currency = currencyIn(value) ?? trail.currency;
      for (const [key, child] of Object.entries(value)) {
        const keys = [...trail.keys, key.slice(0, WORD_CHARACTERS_MAX)].slice(-3);
        walk(name, child, { path: trail.path + stepOf(key), keys, currency, depth });
      }
    } else if (
      trail.keys.some((key) => PRICE_WORD.test(key)) &&
      !trail.keys.slice(-2).some((key) => OTHER_KEY.test(key))
    ) prices.push(...pricesAt(name, value, trail, writing));
  };
  for (const { name, text } of scriptBlocks(scripts)) {
    if (name !== null) walk(name, parsedJson(text), ROOT);
  }
  return prices;
}

/** Yields the parts of scripts that look like JSON; they may be invalid JSON. */
export function* scriptBlocks(
  scripts: readonly HtmlElement[],
): Iterable<{ readonly name: string | null; readonly text: string }> {
  let [characters, blocks] = [0, 0];
  for (const script of scripts) {
    const text = rawTextOf(script);
    characters += text.length;
    if (characters > SCRIPT_CHARACTERS_MAX) return;
    const begin = text.trimStart();
    if (/^[{[]/.test(begin)) {
      const { id } = script.attribs;
      yield { name: id !== undefined && isName(id) ? `#${id}` : "json", text: begin };
      continue;
    }
    let end = 0;
    for (const { index, 0: { length } } of text.matchAll(OPENING)) {
      if (index < end) continue;
      if (blocks >= 60) break;
      blocks += 1;
      const start = index + length;
      const size = lengthOfJson(text, start);
      if (size === 0) continue;
      end = start + size;
      yield { name: nameBefore(text, index), text: text.slice(start, end) };
    }
  }
}

export function lengthOfJson(text: string, start: number): number {
  let [depth, isText] = [0, false];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 0x5c) at += 1; // A backslash escapes the next character.
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1 - start;
    }
  }
  return 0;
}

/** True for words such as `kJxQzR` and `sxtqplk`, which have random capitals or no vowels. */
export function isMadeWord(piece: string): boolean {
  if (piece.length < 5) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const short = parts.filter((part) => part.length <= 2).length;
  return (parts.length >= 3 && short * 2 > parts.length) || !/[aeiouy]/i.test(piece);
}

function isName(text: string): boolean {
  return text.length <= WORD_CHARACTERS_MAX && NAME.test(text) &&
    !text.split(/[_.-]+/).some(isMadeWord);
}

interface Trail {
  readonly path: string;
  /** The last three keys of `path`. */
  readonly keys: readonly string[];
  readonly currency: string | null;
  readonly depth: number;
}

const ROOT: Trail = { path: "$", keys: [], currency: null, depth: 0 };

function pricesAt(
  name: string,
  value: unknown,
  { path, keys, currency }: Trail,
  writing: Writing,
): StatePrice[] {
  if (path.length + name.length > 240) return [];
  const raw = typeof value === "number" ? String(value) : value;
  if (typeof raw !== "string" || raw.length > WORD_CHARACTERS_MAX || !/[1-9]/.test(raw)) return [];
  if (typeof value === "number" && !PLAIN_NUMBER.test(raw)) return [];
  const kind = typeof value === "number" ? "number" : "machine";
  const amount = readAmount({ text: raw, kind, shown: null }, writing);
  if ("reason" in amount || !amount.isSure) return [];
  const code = amount.currency ?? currency;
  const codes = code === null ? [] : [code];
  const text = `${keys.at(-1) ?? ""}: ${raw}`.toWellFormed();
  const statePath = `${name} ${path}`;
  const price = { statePath, decimal: plainDecimal(amount.decimal), codes, text };
  if (!/^\d{1,12}$/.test(raw) || Number(raw) < 100) return [price];
  const decimal = plainDecimal(`${raw.slice(0, -2)}.${raw.slice(-2)}`);
  return [price, { ...price, statePath: `${statePath} / 100`, decimal }];
}

/** Returns null for a generated name, because the name differs on other pages. */
function nameBefore(text: string, at: number): string | null {
  const [, name = "", sign] = NAME_BEFORE.exec(text.slice(Math.max(0, at - 80), at + 1)) ?? [];
  const bare = name.replace(GLOBAL, "");
  if (!isName(bare)) return null;
  return sign === "=" ? bare : `${bare}.push`;
}

function stepOf(key: string): string {
  if (key.length > WORD_CHARACTERS_MAX || !KEY.test(key)) return ".*";
  if (key.split(/[_-]+/).some(isMadeWord)) return ".*";
  return PLAIN_KEY.test(key) ? `.${key}` : `['${key}']`;
}

export function currencyIn(json: object): string | null {
  for (const [key, value] of Object.entries(json)) {
    const isNamed = key.length <= WORD_CHARACTERS_MAX && CURRENCY_KEY.test(key);
    const code = isNamed && typeof value === "string" ? currencyOf(value) : null;
    if (code !== null) return code;
  }
  return null;
}

/** `isCents` is true if the price is certainly in hundredths. */
export interface VariantRecord extends Priced {
  readonly isCents: boolean;
}

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

function priceIn(
  json: JsonObject,
  keys: readonly string[],
  writing: Writing,
  depth = 0,
): Pick<VariantRecord, "amount" | "isCents"> | null {
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
  // Rounds amounts such as `41.9327731` and `19.990000000000002` to two decimals.
  const rounded = /^\d{1,9}\.\d{5,20}$/.test(text) ? Number(text).toFixed(2) : text;
  const amount = readAmount({ text: rounded, kind, shown: null }, writing);
  return "decimal" in amount ? { ...amount, isSure: true } : null;
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

function attributesIn(json: JsonObject, optionNames: readonly (string | null)[]) {
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

function optionsIn(json: unknown, optionNames: readonly (string | null)[]) {
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
