/**
 * Scores how well prices of pages are read: right, wrong or missing, by confidence, by shop, and
 * without markup. `deno task bench:extract` prints the result.
 */
import { gunzipSync } from "node:zlib";
import type { Extraction } from "../../../src/engine/extraction/extract_price.ts";
import type { PageRecipe } from "../../../src/engine/extraction/recipe/recipe.ts";
import { decodePage } from "../../../src/engine/extraction/page/extraction_page.ts";
import type { SampleData } from "../../sample_data.ts";
import { extract } from "./reading_pages.ts";

export interface QualityPage {
  readonly name: string;
  /** Pages of one shop are counted together, because tuning for one page affects the others. */
  readonly site: string;
  readonly url: string;
  readonly html: string;
  /** The right prices. Null if no price may be reported. */
  readonly price: readonly string[] | null;
  /** Prices that are acceptable, but not the best answer. */
  readonly also: readonly string[];
  /** Possible codes of the printed currency. Null if the right currency is not known. */
  readonly currencies: readonly string[] | null;
  readonly inStock: boolean | null;
}

export interface QualityOutcome {
  readonly page: QualityPage;
  /** `none`: a price was missed. A page that rightly has no price is `right`. */
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

/** The saved shop pages of a collection. Empty if the collection has no such pages. */
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

/** The invented German pages of a collection. Each page counts as a shop of its own. */
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

/** The page without JSON-LD, microdata, RDFa and OpenGraph. Visible text and scripts stay. */
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

/** The page with class names as some build tools generate them. */
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
