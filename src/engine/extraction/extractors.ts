/**
 * The methods that find a price on a page. CSS selectors and JSON paths (RFC 9535) of users may
 * take very long on some pages, so callers must limit the time.
 */
import type { Availability } from "../../base/codes.ts";
import {
  type Amount,
  BARE_OFFER,
  type Candidate,
  compareDecimals,
  currencyOf,
  readAmount,
  type Subject,
  type TextValue,
  UNNAMED_SUBJECT,
  type Writing,
} from "./amount.ts";
import { jsonLdCandidates, microdataCandidates, rdfaCandidates } from "./markup/read_markup.ts";
import { valueOfElement } from "./markup/entity.ts";
import { conditionIn } from "./markup/entity_candidates.ts";
import type { ExplicitExtractor, ExtractionPage } from "./page/extraction_page.ts";
import { type HtmlElement, type HtmlNode, textOf } from "./page/html_element.ts";
import type { HtmlPage } from "./page/html_page.ts";
import { readAvailability } from "./shop_words.ts";
import { compile, type Options, selectAll } from "css-select";
import { jsonpath, JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { TooComplex } from "../../base/failure.ts";
import { codePoints } from "../../base/text.ts";

/** Stored prices contain these codes, so never reuse a code for another method. */
const NAMES = {
  extractor: { de: "eigener Selektor", en: "own selector" },
  json_ld: { de: "JSON-LD", en: "JSON-LD" },
  microdata: { de: "Microdata", en: "Microdata" },
  rdfa: { de: "RDFa", en: "RDFa" },
  opengraph: { de: "OpenGraph", en: "OpenGraph" },
  shown: { de: "angezeigter Preis", en: "shown price" },
  recipe: { de: "gelernte Stelle", en: "learned place" },
  taught: { de: "gezeigte Stelle", en: "taught place" },
  variants: { de: "Variantenliste", en: "list of variants" },
  data: { de: "Daten der Seite", en: "page data" },
} as const;

export type Method = keyof typeof NAMES;

export const METHODS = Object.entries(NAMES).map(([method, name]) => ({ method, name }));

/** If methods find different prices on a page, the earliest method in this list has precedence. */
export const EXTRACTORS: readonly {
  readonly method: Method;
  candidates(page: ExtractionPage): Candidate[];
}[] = [
  { method: "extractor", candidates: explicitCandidates },
  { method: "json_ld", candidates: jsonLdCandidates },
  { method: "microdata", candidates: microdataCandidates },
  { method: "rdfa", candidates: rdfaCandidates },
  { method: "opengraph", candidates: openGraphCandidates },
];

function explicitCandidates(page: ExtractionPage): Candidate[] {
  const { html, json, writing, extractor } = page;
  const ownWriting = { ...writing, currency: extractor.currency ?? writing.currency };
  const values = html ? selectedPrices(html, extractor) : foundValues(json, extractor.jsonPath);
  const amount = firstAmount(values, ownWriting);
  if (amount === null) return [];
  const availability = explicitAvailability(page) ?? "unknown";
  return [{ ...BARE_OFFER, subject: UNNAMED_SUBJECT, amount, availability }];
}

export function explicitAvailability({ html, extractor }: ExtractionPage): Availability | null {
  if (!html || !extractor.stockSelector) return null;
  const element = selectElements(html, extractor.stockSelector)[0];
  return readAvailability(element ? valueOfElement(element, "availability").text : "");
}

function selectedPrices(html: HtmlPage, { priceSelector, locale }: ExplicitExtractor): TextValue[] {
  if (!priceSelector) return [];
  return selectElements(html, priceSelector).map((element) => {
    const value = valueOfElement(element, "price");
    // If a person set a locale, numbers in attributes are also read in this locale.
    return locale ? { ...value, kind: "shown" } : value;
  });
}

function foundValues(json: unknown, path: string | null | undefined): TextValue[] {
  if (!path) return [];
  return findByPath(json, path).flatMap((value): TextValue[] => {
    if (typeof value === "number") return [{ text: String(value), kind: "number", shown: null }];
    return typeof value === "string" ? [{ text: value, kind: "machine", shown: null }] : [];
  });
}

function firstAmount(values: readonly TextValue[], writing: Writing): Amount | null {
  const amounts = values.map((value) => readAmount(value, writing));
  const priced = amounts.filter((amount) => "decimal" in amount);
  const first = priced[0];
  if (!first) return amounts[0] ?? null;
  const isOnly = priced.every(({ decimal }) => compareDecimals(decimal, first.decimal) === 0);
  return { ...first, isSure: first.isSure && isOnly };
}

const PRICES = [
  "product:sale_price:amount",
  "product:sale_price",
  "product:price:amount",
  "og:price:amount",
  "og:product:price:amount",
  "product:price",
  "og:price",
];
const LIST_PRICES = [
  "product:original_price:amount",
  "product:original_price",
  "og:price:standard_amount",
];
const CURRENCIES = [
  "product:price:currency",
  "og:price:currency",
  "product:currency",
  "og:currency",
];

function openGraphCandidates({ html, writing }: ExtractionPage): Candidate[] {
  if (!html) return [];
  const { metas } = html;
  const name = PRICES.find((price) => metas.has(price));
  if (name === undefined) return [];

  const amountOf = (text: string, currency: string | null) =>
    readAmount({ text, kind: "machine", shown: null }, { ...writing, currency });
  const currencies =
    [`${name.replace(/:amount$/, "")}:currency`, ...CURRENCIES].map((key) => metas.get(key) ?? [])
      .find((values) => values.length > 0) ?? [];
  const listName = ["product:price:amount", ...LIST_PRICES].find((key) =>
    key !== name && metas.has(key)
  );
  const list = amountOf(metas.get(listName ?? "")?.[0] ?? "", currencyOf(currencies[0] ?? null));
  const subject: Subject = {
    names: metas.get("og:title") ?? [],
    urls: metas.get("og:url") ?? [],
    gtins: metas.get("product:ean") ?? [],
    numbers: metas.get("product:retailer_item_id") ?? [],
    standing: "main",
    brand: first(metas, "product:brand", "og:brand"),
    mpn: first(metas, "product:mfr_part_no"),
    sku: null,
  };
  const stock = readAvailability(first(metas, "product:availability", "og:availability") ?? "");
  const condition = conditionIn(first(metas, "product:condition", "og:condition"));
  return (metas.get(name) ?? []).map((text, position) => ({
    ...BARE_OFFER,
    subject,
    amount: amountOf(text, currencyOf(currencies[position] ?? currencies[0] ?? null)),
    availability: stock,
    ...condition,
    listPrice: "decimal" in list ? list.decimal : null,
  }));
}

function first(metas: ReadonlyMap<string, readonly string[]>, ...names: readonly string[]) {
  return names.map((name) => metas.get(name)?.[0]).find((value) => value !== undefined) ?? null;
}

export function selectorError(selector: string): string | null {
  try {
    compile(selector);
    return null;
  } catch (error) {
    return invalid("CSS selector", error);
  }
}

function invalid(kind: string, error: unknown): string {
  return `Is not a ${kind}: ${error instanceof Error ? error.message : error}`;
}

function selectElements({ document }: HtmlPage, selector: string): readonly HtmlElement[] {
  try {
    return selectAll<HtmlNode, HtmlElement>(selector, document, { adapter: ADAPTER });
  } catch {
    return []; // The selector is invalid, for example because of an unknown pseudo-class.
  }
}

const ADAPTER: NonNullable<Options<HtmlNode, HtmlElement>["adapter"]> = {
  isTag: (node): node is HtmlElement => typeof node !== "string" && node.parent !== null,
  getAttributeValue: ({ attribs }, name) =>
    Object.hasOwn(attribs, name) ? attribs[name] : undefined,
  hasAttrib: ({ attribs }, name) => Object.hasOwn(attribs, name),
  getChildren: (node) => typeof node === "string" ? [] : node.children,
  getName: ({ name }) => name,
  getParent: ({ parent }) => parent,
  getSiblings: (node) => typeof node === "string" ? [] : node.parent?.children ?? [],
  getText: (node) => typeof node === "string" ? node : textOf(node, 10_000),
  removeSubsets: (nodes) => nodes,
};

const DEPTH_MAX = 102;

export function jsonPathError(path: string): string | null {
  const query = compiled(path);
  return typeof query === "string" ? query : null;
}

/** Returns at most 20 values. Throws `TooComplex` if the JSON is nested too deeply or too long. */
export function findByPath(json: unknown, path: string): unknown[] {
  const query = compiled(path);
  if (typeof query === "string" || !isJson(json)) return [];
  try {
    const nodes = Iterator.from(query.lazyQuery(json)).take(20);
    return nodes.map(({ value }) => value).toArray();
  } catch (error) {
    throw new TooComplex("The answer is nested too deeply, or is too long", { cause: error });
  }
}

type Json = Parameters<JSONPathQuery["lazyQuery"]>[0];

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

function compiled(path: string): JSONPathQuery | string {
  try {
    return pathEnvironment().compile(path);
  } catch (error) {
    return invalid("JSON path (RFC 9535)", error);
  }
}

/** Counts Unicode characters, as RFC 9535 requires; the library counts UTF-16 units. */
class LengthInCharacters extends jsonpath.functions.Length {
  override call(value: Json) {
    return typeof value === "string" ? codePoints(value) : super.call(value);
  }
}

/**
 * The functions `match` and `search` are removed, because hostile regular expressions may be slow.
 */
function pathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: DEPTH_MAX });
  environment.functionRegister.set("length", new LengthInCharacters());
  environment.functionRegister.delete("match");
  environment.functionRegister.delete("search");
  return environment;
}

export type ExtractorPrograms = Readonly<
  Record<"priceSelector" | "stockSelector" | "jsonPath", string | null>
>;

export interface ExtractorError {
  readonly part: keyof ExtractorPrograms;
  readonly message: string;
}

export function extractorErrors(extractor: ExtractorPrograms): ExtractorError[] {
  return (["priceSelector", "stockSelector", "jsonPath"] as const).flatMap((part) => {
    const text = extractor[part];
    const errorOf = part === "jsonPath" ? jsonPathError : selectorError;
    const message = text === null ? null : errorOf(text);
    return message === null ? [] : [{ part, message }];
  });
}
