/**
 * Finds the variants of a page's article in its scripts and attributes, in the formats of common
 * shop systems. Variants of other articles may be included; `page_variants.ts` removes these.
 */

import { pricesInText } from "../../../base/price_text.ts";
import { plainDecimal, type Priced, type Writing } from "../amount.ts";
import { parsedJson } from "../page/extraction_page.ts";
import { type HtmlElement, rawTextOf } from "../page/html_element.ts";
import type { HtmlPage } from "../page/html_page.ts";
import {
  currencyIn,
  lengthOfJson,
  scriptBlocks,
  textIn,
  type VariantRecord,
  variantRecord,
} from "../script_data.ts";
import { isJsonObject, type JsonObject } from "../../../base/collections.ts";

interface ScriptList {
  /** Title of the product that has these variants; null if unknown. */
  readonly title: string | null;
  readonly records: readonly VariantRecord[];
  /** True if the JSON keys are those of a shop system that writes prices in cents. */
  readonly isLikelyCents: boolean;
  /** True if the JSON keys, or a text such as `19,99 €`, show that prices are not in cents. */
  readonly isMajor: boolean;
}

const LISTS_MAX = 20;
const VARIANTS_MAX = 500;
const NODES_MAX = 60_000;
const DEPTH_MAX = 24;
const RSC_LINES_MAX = 2_000;

const LIST_KEY =
  /^(?:(?:has|product|item|article|all)_?)?(?:variants?|variations?|combinations|skus|variantList)$/i;
const WORDS = ["varia", "Varia", "Prices", "binati", "kus"];
const LIST_AFTER = /\w{0,16}\\?"?\s{0,3}[:=]\s{0,3}(?:\[\s{0,20}\{|\{\s{0,20}\\?")/y;
const NUXT_ID = "__NUXT_DATA__";

/** Matches a script that contains nothing but a list of variants: `[{"option1":"blue"`. */
const BARE_LIST = /^\s*\[\s*\{[^{}]{0,400}"(?:option1|variation_id|variant_id)"/;

function mayHaveLists(text: string): boolean {
  return BARE_LIST.test(text) || WORDS.some((word) => {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      LIST_AFTER.lastIndex = at + word.length;
      if (LIST_AFTER.test(text)) return true;
    }
    return false;
  });
}

export function scriptLists(html: HtmlPage, writing: Writing): readonly ScriptList[] {
  const search = new ListSearch(writing);
  for (const { attribs } of html.variantData.slice(0, LISTS_MAX)) {
    for (const [name, text] of Object.entries(attribs)) {
      if (!name.startsWith("data-") || text.length > 1024 * 1024) continue;
      const json = /^\s*[[{]/.test(text) ? parsedJson(text) : undefined;
      if (Array.isArray(json)) search.addList(json, null);
      else search.visit(json, null);
    }
  }
  const scripts = html.shown.scripts.filter(({ attribs, children }) =>
    attribs.id === NUXT_ID ||
    children.some((child) => typeof child === "string" && mayHaveLists(child))
  );
  let streamed = "";
  for (const { name, text } of scriptBlocks(scripts)) {
    const named = name?.slice(name.lastIndexOf(".") + 1) ?? "";
    const isNuxt = name === `#${NUXT_ID}`;
    if (!isNuxt && !LIST_KEY.test(named) && !mayHaveLists(text)) continue;
    const json = parsedJson(text);
    if (name?.endsWith("__next_f.push") && Array.isArray(json)) {
      if (typeof json[1] === "string" && streamed.length < 1024 * 1024) streamed += json[1];
    } else if (
      !search.addList(LIST_KEY.test(named) || BARE_LIST.test(text) ? itemsOf(json) ?? [] : [], null)
    ) {
      search.visit(isNuxt ? unflattened(json) : json, null);
    }
  }
  if (search.lists.length === 0) search.addList(literalItems(scripts), null);
  for (const line of streamed.split("\n", RSC_LINES_MAX)) {
    const at = line.indexOf(":");
    if (/^[[{]/.test(line.slice(at + 1, at + 2))) {
      search.visit(parsedJson(line.slice(at + 1)), null);
    }
  }
  return search.lists;
}

/** Matches the start of a JavaScript list without quoted keys: `variants:[{ean:"…",price:9.9}]`. */
const LITERAL_LIST =
  /(?:variants|variations|combinations|skus)\s{0,3}:\s{0,3}(?=\[\s{0,20}\{\s{0,20}[A-Za-z_$])/g;
const TEXT_OR_KEY = /"(?:\\.|[^"\\])*"|([{,]\s{0,20})([A-Za-z_$][\w$]{0,60})(?=\s{0,3}:)/g;

function literalItems(scripts: readonly HtmlElement[]): readonly unknown[] {
  return scripts.map(rawTextOf).flatMap((text) =>
    [...text.matchAll(LITERAL_LIST)].slice(0, LISTS_MAX).flatMap(({ index, 0: key }) => {
      const start = index + key.length;
      const list = text.slice(start, start + lengthOfJson(text, start))
        .replace(TEXT_OR_KEY, (whole, lead, name) => name ? `${lead}"${name}"` : whole);
      return itemsOf(parsedJson(list)) ?? [];
    })
  );
}

interface Around {
  readonly json: JsonObject;
  readonly outer: Around | null;
}

class ListSearch {
  readonly lists: ScriptList[] = [];
  readonly #writing: Writing;
  #nodes = 0;
  #variants = 0;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  visit(value: unknown, around: Around | null, depth = 0): void {
    this.#nodes += 1;
    if (depth > DEPTH_MAX || this.#nodes > NODES_MAX || this.lists.length >= LISTS_MAX) return;
    if (Array.isArray(value)) {
      for (const item of value) {
        if (typeof item === "object") this.visit(item, around, depth + 1);
      }
      return;
    }
    if (!isJsonObject(value)) return;
    const own = { json: value, outer: around };
    if (isJsonObject(value.optionPrices) && this.#addMagento(value, own)) return;
    for (const key in value) {
      const child = value[key];
      if (typeof child !== "object" || child === null) continue;
      const items = key.length <= 40 && LIST_KEY.test(key) ? itemsOf(child) : null;
      if (items === null || !this.addList(items, own)) {
        this.visit(child, own, depth + 1);
      }
    }
  }

  addList(items: readonly unknown[], around: Around | null): boolean {
    if (items.length < 2 || this.lists.length >= LISTS_MAX) return false;
    const names = around === null ? [] : optionNamesOf(around.json);
    const currency = nearest(around, currencyIn) ?? this.#writing.currency;
    const writing = { ...this.#writing, currency };
    const rows = items.slice(0, VARIANTS_MAX - this.#variants).filter(isJsonObject);
    const records = rows.flatMap((item) => variantRecord(item, names, writing) ?? []);
    if (records.length < 2) return false;
    this.#variants += records.length;
    const isLikelyCents = rows.some((item) =>
      ["option1", "public_title", "requires_shipping", "compare_at_price"].some((key) =>
        key in item
      )
    );
    const isMajor = rows.some((item) => "display_price" in item || "variation_id" in item);
    this.lists.push({ title: nearest(around, titleIn), records, isLikelyCents, isMajor });
    return true;
  }

  /**
   * Magento's options contain ids of products, and `optionPrices` contains the products' prices.
   */
  #addMagento(config: JsonObject, around: Around): boolean {
    const options = new Map<string, JsonObject[]>();
    for (const attribute of itemsOf(config.attributes) ?? []) {
      if (!isJsonObject(attribute) || !Array.isArray(attribute.options)) continue;
      const name = textIn(attribute.label) ?? textIn(attribute.code);
      for (const option of attribute.options.slice(0, VARIANTS_MAX)) {
        if (!isJsonObject(option) || !Array.isArray(option.products)) continue;
        for (const id of option.products.slice(0, VARIANTS_MAX)) {
          options.getOrInsertComputed(String(id), () => []).push({ name, value: option.label });
        }
      }
    }
    const priced = isJsonObject(config.optionPrices) ? Object.entries(config.optionPrices) : [];
    const rows = priced.map(([id, prices]) => ({
      ...isJsonObject(prices) ? prices : {},
      variation_id: id,
      sku: valueFor(config.sku ?? config.skus, id),
      ean: valueFor(config.ean ?? config.gtin ?? config.gtins ?? config.eans, id),
      attributes: options.get(id),
      available: valueFor(config.salable, id),
    }));
    return this.addList(rows, around);
  }
}

function nearest(around: Around | null, read: (json: JsonObject) => string | null) {
  for (let at = around; at !== null; at = at.outer) {
    const found = read(at.json);
    if (found !== null) return found;
  }
  return null;
}

function titleIn(json: JsonObject): string | null {
  return ["title", "name", "productName", "product_name", "displayName"]
    .map((key) => textIn(json[key])).find((text) => text !== null) ?? null;
}

function valueFor(map: unknown, id: string): unknown {
  return isJsonObject(map) ? map[id] : null;
}

function itemsOf(json: unknown): readonly unknown[] | null {
  if (Array.isArray(json)) return json;
  if (!isJsonObject(json)) return null;
  const { edges, nodes } = json;
  if (Array.isArray(nodes)) return nodes;
  if (Array.isArray(edges)) {
    return edges.map((edge) => isJsonObject(edge) ? edge.node : null);
  }
  const values = Object.values(json);
  return values.length >= 1 && values.every(isJsonObject) ? values : null;
}

function optionNamesOf({ options }: JsonObject): readonly (string | null)[] {
  if (!Array.isArray(options)) return [];
  return options.slice(0, 3).map((option) =>
    isJsonObject(option) ? textIn(option.name) : textIn(option)
  );
}

/** Rebuilds nested data that Nuxt stores as a flat list, in which numbers are indexes of values. */
function unflattened(json: unknown): unknown {
  if (!Array.isArray(json)) return json;
  const known = new Map<number, unknown>();
  const valueAt = (place: unknown, depth: number): unknown => {
    if (typeof place !== "number" || !(place in json) || depth > DEPTH_MAX) return null;
    if (known.has(place)) return known.get(place);
    const raw: unknown = json[place];
    if (Array.isArray(raw)) {
      if (typeof raw[0] === "string") return valueAt(raw[1], depth + 1);
      const list: unknown[] = [];
      known.set(place, list);
      for (const item of raw) list.push(valueAt(item, depth + 1));
      return list;
    }
    if (!isJsonObject(raw)) return raw;
    const object: Record<string, unknown> = {};
    known.set(place, object);
    for (const [key, item] of Object.entries(raw)) object[key] = valueAt(item, depth + 1);
    return object;
  };
  return valueAt(0, 0);
}

/** Returns null if several amounts may be the price, or if the currency is unknown. */
export function articleInData(
  html: HtmlPage,
  writing: Writing,
  isArticle: (record: VariantRecord, title: string) => boolean,
): Priced | null {
  const found: Priced[] = [];
  let nodes = 0;
  const visit = (json: unknown, depth: number, around: string): void => {
    nodes += 1;
    if (nodes > NODES_MAX || depth > DEPTH_MAX || typeof json !== "object" || json === null) return;
    let title = around;
    if (isJsonObject(json)) {
      const record = variantRecord(json, [], writing);
      const name = isJsonObject(json.name) ? Object.values(json.name)[0] : json.name;
      title = record?.offer.names[0] ?? textIn(name) ?? around;
      if (record !== null && isArticle(record, title)) {
        const isMajor = isWrittenOut(json, record.amount);
        const list = { title: null, records: [record], isLikelyCents: false, isMajor };
        found.push(...offersOfList(list, new Set()) ?? []);
      }
    }
    for (const child of Object.values(json)) visit(child, depth + 1, title);
  };
  for (const { name, text } of scriptBlocks(html.shown.scripts)) {
    const json = parsedJson(text);
    const pushed = name?.endsWith("__next_f.push") && Array.isArray(json) ? String(json[1]) : null;
    const lines = pushed?.split("\n", RSC_LINES_MAX).map((line) =>
      parsedJson(line.slice(line.indexOf(":") + 1))
    );
    visit(lines ?? (name === `#${NUXT_ID}` ? unflattened(json) : json), 0, "");
  }
  const [first] = found;
  const isOne = found.every(({ amount }) => amount.decimal === first?.amount.decimal);
  if (first === undefined || !isOne || first.amount.currency === null) return null;
  // Script data may belong to another shop or customer group, so the price is unsure.
  return { ...first, amount: { ...first.amount, isSure: false } };
}

function isWrittenOut(json: JsonObject, { decimal }: Priced["amount"]): boolean {
  const texts = [json, ...Object.values(json).filter(isJsonObject)].flatMap(Object.values);
  return texts.some((text) =>
    typeof text === "string" && text.length <= 30 &&
    pricesInText(text, { locale: null }).some(({ currency, decimal: written }) =>
      currency !== null && plainDecimal(written) === plainDecimal(decimal)
    )
  );
}

/** Null if neither the keys nor the page's prices (`named`) show whether amounts are cents. */
export function offersOfList(
  { records, isLikelyCents, isMajor }: ScriptList,
  named: ReadonlySet<string>,
): readonly Priced[] | null {
  const wholes = records.every(({ amount }) => /^\d+$/.test(amount.decimal));
  const isNamed = (scale: (decimal: string) => string) =>
    records.some(({ amount }) => named.has(plainDecimal(scale(amount.decimal))));
  const isCents = wholes && !isMajor &&
    (records.some((record) => record.isCents) ||
      (!isNamed((decimal) => decimal) && (isNamed(hundredths) || isLikelyCents)));
  if (wholes && !isMajor && !isCents && !isNamed((decimal) => decimal)) return null;
  const scaled = (decimal: string) =>
    isCents && /^\d+$/.test(decimal) ? hundredths(decimal) : decimal;
  return records.map(({ isCents: _, ...record }) => ({
    ...record,
    amount: { ...record.amount, decimal: scaled(record.amount.decimal) },
    listPrice: record.listPrice === null ? null : scaled(record.listPrice),
  }));
}

function hundredths(decimal: string): string {
  const digits = decimal.padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
