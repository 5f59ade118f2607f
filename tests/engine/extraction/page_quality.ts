/**
 * Judges how well the prices of pages are read (right, acceptable, wrong, none), and counts the
 * verdicts by confidence. `deno task bench:extract` prints the result.
 */
import { gunzipSync } from "node:zlib";
import type { Extraction } from "../../../src/engine/extraction/extract_price.ts";
import type { PageRecipe } from "../../../src/engine/extraction/recipe/recipe.ts";
import { decodePage } from "../../../src/engine/extraction/page/extraction_page.ts";
import { OWN_DATA, type SampleData } from "../../sample_data.ts";
import { extract, shown } from "./reading_pages.ts";
import { readdirSync } from "node:fs";
import type { Availability, Condition } from "../../../src/base/codes.ts";
import { countedOn, taughtBy } from "../../../src/engine/extraction/recipe/learn_recipe.ts";
import { plainDecimal } from "../../../src/engine/extraction/amount.ts";

export interface QualityPage {
  readonly name: string;
  /** The shop: a recipe learned from one of its pages is tried on its other pages. */
  readonly site: string;
  readonly url: string;
  readonly html: string;
  /** The right prices; null if no price may be reported. */
  readonly price: readonly string[] | null;
  /** Prices that are acceptable, but not the best answer. */
  readonly also: readonly string[];
  /** Currency codes that count as right; null if the right currency is not known. */
  readonly currencies: readonly string[] | null;
  readonly inStock: boolean | null;
}

export interface QualityOutcome {
  readonly page: QualityPage;
  /** `none`: the page has a price, but none was found. */
  readonly verdict: "right" | "also" | "wrong" | "none";
  readonly found: string;
  readonly confidence: number | null;
  readonly result: Extraction["result"];
}

interface LabelledPage extends Pick<QualityPage, "url" | "price"> {
  readonly file: string;
  readonly site?: string;
  readonly currency_text: readonly string[] | null;
  readonly availability: "InStock" | "OutOfStock";
}

export const LABELLED_PAGES = "pages/real_expected.json";
const GERMAN = "pages/synthetic-german/expected.json";

const read = new Map<SampleData, readonly QualityPage[]>();

export function realPages(data: SampleData): readonly QualityPage[] {
  const pages = read.get(data) ?? readRealPages(data);
  read.set(data, pages);
  return pages;
}

function readRealPages(data: SampleData): readonly QualityPage[] {
  if (!data.has(LABELLED_PAGES)) return [];
  const { pages } = data.json<{ readonly pages: readonly LabelledPage[] }>(LABELLED_PAGES);
  return pages.map(({ file, url, site, price, currency_text, availability }) => {
    const saved = data.bytes(`pages/${file}`);
    const bytes = file.endsWith(".gz") ? gunzipSync(saved) : saved;
    return {
      name: file,
      site: site ?? new URL(url).hostname,
      url,
      html: decodePage(bytes, "text/html"),
      price,
      also: [],
      currencies: CURRENCIES[currency_text?.[0] ?? ""]?.split(" ") ?? null,
      inStock: availability === "InStock",
    };
  });
}

const CURRENCIES: Readonly<Record<string, string>> = {
  "€": "EUR",
  EUR: "EUR",
  "£": "GBP",
  $: "USD CAD",
  CHF: "CHF",
  "₹": "INR",
  "₽": "RUB",
  Rs: "PKR INR",
  Kn: "HRK",
  NZD: "NZD",
  ARS: "ARS",
  "원~": "KRW",
};

interface GermanPage extends Pick<QualityPage, "url" | "price" | "also"> {
  readonly file: string;
  readonly kind: string;
}

/** German pages that were invented for a data set; each page counts as a shop of its own. */
export function germanPages(data: SampleData): readonly QualityPage[] {
  if (!data.has(GERMAN)) return [];
  const { pages } = data.json<{ readonly pages: readonly GermanPage[] }>(GERMAN);
  return pages.map(({ file, kind, url, price, also }) => ({
    name: `${file}: ${kind}`,
    site: file,
    url,
    price,
    also,
    html: decodePage(data.bytes(`pages/synthetic-german/${file}`), "text/html"),
    currencies: null,
    inStock: null,
  }));
}

/** Removes JSON-LD, microdata, RDFa and OpenGraph, but neither visible text nor other scripts. */
export function withoutMarkup<P extends { readonly html: string }>(page: P): P {
  const html = page.html
    .replace(/<script\b[^>]*application\/ld\+json[^>]*>[^]*?<\/script>/gi, "")
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(
        /(\s)(itemscope|itemtype|itemprop|typeof|property|vocab)(?=[\s=>/])/gi,
        "$1x-$2",
      ).replace(/\bname=(["'])(?:og|product):/gi, "name=$1x-"));
  return { ...page, html };
}

export function withMadeUpClasses<P extends { readonly html: string }>(page: P): P {
  const made = (word: string) =>
    `c${[...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7)}`;
  const html = page.html.replace(/<[a-z][^>]*>/gi, (tag) =>
    tag.replace(
      /(\sclass=)(["'])([^"']*)\2/i,
      (_, name, quote, words) => name + quote + words.replace(/\S+/g, made) + quote,
    ));
  return { ...page, html };
}

const outcomes = new WeakMap<QualityPage, QualityOutcome>();

export function judged(page: QualityPage): QualityOutcome {
  const outcome = outcomes.get(page) ?? judgedBy(page, null);
  outcomes.set(page, outcome);
  return outcome;
}

export function judgedBy(page: QualityPage, recipe: PageRecipe | null): QualityOutcome {
  const { result } = extract(page.html, { recipe }, page.url);
  if (!("price" in result)) {
    const verdict = page.price === null ? "right" : "none";
    return { page, verdict, found: result.errorCode, confidence: null, result };
  }
  const factor = ["JPY", "KRW"].includes(result.currency) ? 1 : 100;
  const isAmong = (labels: readonly string[] | null) =>
    labels?.some((label) => Math.round(Number(label) * factor) === result.price) ?? false;
  const verdict = isAmong(page.price) ? "right" : isAmong(page.also) ? "also" : "wrong";
  const found = `${result.price / factor} ${result.currency} ${result.method}`;
  return { page, verdict, found, confidence: result.confidence, result };
}

export function summary(outcomes: readonly QualityOutcome[]): string {
  const count = (holds: (outcome: QualityOutcome) => boolean) => outcomes.filter(holds).length;
  const of = (verdict: QualityOutcome["verdict"]) =>
    count((outcome) => outcome.verdict === verdict);
  const bands = [[0.9, 2], [0.8, 0.9], [0.7, 0.8], [0, 0.7]] as const;
  const byBand = bands.map(([from, below]) => {
    const inBand = (verdicts: string) =>
      count(({ verdict, confidence }) =>
        confidence !== null && confidence >= from && confidence < below &&
        verdicts.includes(verdict)
      );
    return `≥ ${from}: ${inBand("right also")}/${inBand("wrong")}`;
  });
  return `${outcomes.length} pages: ${of("right")} right, ${of("also")} acceptable, ` +
    `${of("wrong")} wrong, ${of("none")} none (right/wrong at ${byBand.join(", ")})`;
}

/** Amounts are in minor units; absent fields are not judged. */
interface Expected {
  /** The right prices; empty if no price may be reported. */
  readonly price: readonly number[];
  /** Highest allowed confidence. */
  readonly confidenceMax?: number;
  /** Further amounts that count as right if their confidence is at most `confidenceMax`. */
  readonly tolerated?: { readonly price: readonly number[]; readonly confidenceMax: number };
  readonly mayRefuse?: boolean;
  readonly currency?: string;
  readonly availability?: readonly Availability[];
  readonly condition?: Condition;
  readonly seller?: string;
  readonly isThirdParty?: boolean;
  readonly wasPrice?: number | null;
  readonly lowest30?: number | null;
  readonly says?: string;
}

export interface InventedPage {
  readonly kind: "variants" | "vetoes" | "words" | "bare" | "former";
  readonly name: string;
  readonly url: string;
  /** Our product; `shopSku` is its article number in the shop. */
  readonly product: {
    readonly title?: string;
    readonly ean?: string;
    readonly mpn?: string;
    readonly shopSku?: string;
  };
  readonly expected: Expected;
  /** The expected result if our product is unknown; by default `expected`. */
  readonly alone?: Expected;
  readonly html: string;
}

export function pageSets(): readonly string[] {
  return readdirSync(OWN_DATA.path("pages/invented")).map((file) => file.replace(/\.jsonl$/, ""))
    .toSorted();
}

export function inventedPages(set: string): readonly InventedPage[] {
  const text = new TextDecoder().decode(OWN_DATA.bytes(`pages/invented/${set}.jsonl`));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

export interface Scored {
  /** `sure`: the price is right, but its confidence is too high. */
  readonly verdict: "right" | "sure" | "wrong" | "none";
  readonly isRight: boolean;
  readonly confidence: number | null;
  readonly message: string;
  readonly facts: Readonly<Record<string, boolean>>;
}

export type Knowledge = "product" | "nothing";

export function score(page: InventedPage, knows: Knowledge): Scored {
  const { title = null, ean = null, mpn = null, shopSku = null } = page.product;
  const expected = knows === "product" ? page.expected : page.alone ?? page.expected;
  const currency = page.url.includes("-en.") ? "GBP" : "EUR";
  const product = knows === "product" ? { title, ean, mpn, shopSku, currency } : null;
  const extraction = extract(page.html, { product }, page.url);
  const { result } = extraction;
  const price = "price" in result ? result.price : null;
  const confidence = "price" in result ? result.confidence : null;
  return {
    verdict: verdictOf(expected, price, confidence ?? 0, result),
    isRight: price !== null && expected.price.includes(price),
    confidence,
    message: `${page.name}: ${shown(result)}, right is ${expected.price.join(" or ") || "none"}`,
    facts: factsOf(expected, extraction),
  };
}

function verdictOf(
  expected: Expected,
  price: number | null,
  confidence: number,
  result: Extraction["result"],
): Scored["verdict"] {
  const { tolerated, confidenceMax = 1, mayRefuse = false, currency } = expected;
  if (price === null) return expected.price.length === 0 || mayRefuse ? "right" : "none";
  if (currency !== undefined && "price" in result && result.currency !== currency) return "wrong";
  if (expected.price.includes(price)) return confidence <= confidenceMax ? "right" : "sure";
  const isTolerated = tolerated?.price.includes(price) && confidence <= tolerated.confidenceMax;
  return isTolerated ? "right" : "wrong";
}

function factsOf(expected: Expected, { result, facts }: Extraction): Scored["facts"] {
  const said = [facts.pageStatus, ...facts.warnings, "errorCode" in result ? result.errorCode : ""];
  const { availability, condition, seller, isThirdParty, wasPrice, lowest30, says } = expected;
  const isSeller = (seller === undefined || facts.seller === seller) &&
    (isThirdParty === undefined || facts.isThirdParty === isThirdParty);
  const priced = "price" in result ? result : null;
  return {
    ...(availability && { stock: availability.includes(facts.availability) }),
    ...(condition && { condition: facts.condition === condition }),
    ...((seller !== undefined || isThirdParty !== undefined) && { seller: isSeller }),
    ...(wasPrice !== undefined && { former: (priced?.listPrice ?? null) === wasPrice }),
    ...(lowest30 !== undefined && { low30: (priced?.lowest30 ?? null) === lowest30 }),
    ...(says && { says: said.some((word) => word === says) }),
  };
}

/** Reads each page with a recipe that was learned from another page of its shop. */
export function judgedWhenTaught(pages: readonly QualityPage[]): readonly QualityOutcome[] {
  return pages.map((page) => judgedBy(page, recipeFor(page, pages)));
}

/** Names of pages from which no selector can be learned when a person marks the price. */
export function withoutPlace(pages: readonly QualityPage[]): readonly string[] {
  const isPlaced = (page: QualityPage) =>
    recipeFrom(page)?.selectors.some(({ selector }) => selector !== undefined) ?? false;
  return pages.filter((page) => page.price !== null && !isPlaced(page)).map(({ name }) => name);
}

function recipeFor(page: QualityPage, pages: readonly QualityPage[]): PageRecipe | null {
  const teachers = pages.filter((other) => other !== page && other.site === page.site);
  for (const teacher of teachers) {
    const recipe = recipeFrom(teacher);
    if (recipe !== null) return recipe;
  }
  return null;
}

const recipes = new WeakMap<QualityPage, PageRecipe | null>();

/** The recipe that Kurant learns when a person marks the right price on the page. */
function recipeFrom(page: QualityPage): PageRecipe | null {
  return recipes.getOrInsertComputed(page, learned);
}

function learned({ url, html, price }: QualityPage): PageRecipe | null {
  for (const label of price ?? []) {
    const amount = { decimal: plainDecimal(label), codes: [] };
    const { digest } = extract(html, { isLearning: true, wanted: amount.decimal }, url);
    const selectors = digest ? taughtBy(digest, amount) : [];
    if (digest === null || selectors.length === 0) continue;
    const own = { ...digest, reference: { ...amount, isMarked: false } };
    return {
      source: "taught",
      selectors: countedOn(selectors, [{ digest: own, ownPrice: null }]),
      confidenceMost: 0.9,
      isDoubted: false,
    };
  }
  return null;
}
