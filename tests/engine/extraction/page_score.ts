import { gunzipSync } from "node:zlib";
import { type Extraction, extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import { decodePage } from "../../../src/engine/extraction/page/extraction_page.ts";
import type { SampleData } from "../../sample_data.ts";

/** A saved shop page with its labels: `pages/real` of the sample files. */
export interface LabelledPage {
  readonly file: string;
  readonly url: string;
  /** Pages of one shop share it. */
  readonly site?: string;
  /** Any of them is right; null where no price may be reported. */
  readonly price: readonly string[] | null;
  readonly currency_text: readonly string[] | null;
  readonly availability: "InStock" | "OutOfStock";
}

/** A page as text, with what was read from it. */
export interface ReadPage {
  readonly page: LabelledPage;
  readonly html: string;
  readonly extraction: Extraction;
}

export interface PageScore {
  readonly pages: number;
  /** Pages whose own markup holds the labelled price, or that have none to be reported. */
  readonly reachable: number;
  readonly reachableRight: number;
  readonly right: number;
  readonly wrong: number;
  /** No price, where a price is labelled. */
  readonly refused: number;
  readonly high: number;
  readonly highWrong: number;
  /** Of the right prices with a labelled currency. */
  readonly currencies: number;
  readonly currenciesRight: number;
  /** Of the right prices whose page says something of the stock in its markup. */
  readonly stocks: number;
  readonly stocksRight: number;
}

/** Where the labels of the shop pages stand. */
export const LABELLED_PAGES = "pages/real_expected.json";

/** The pages of a list of labels, decoded. */
export function readLabelledPages(
  data: SampleData,
): readonly { page: LabelledPage; html: string }[] {
  const { pages } = data.json<{ readonly pages: readonly LabelledPage[] }>(LABELLED_PAGES);
  return pages.map((page) => {
    const saved = data.bytes(`pages/${page.file}`);
    const bytes = page.file.endsWith(".gz") ? gunzipSync(saved) : saved;
    return { page, html: decodePage(bytes, "text/html").text };
  });
}

/** Reads a page as a scrape would, without other knowledge. */
export function readLabelled({ page, html }: { page: LabelledPage; html: string }): ReadPage {
  const answer = { url: page.url, contentType: "text/html", text: html };
  return { page, html, extraction: extractPrice(answer) };
}

/** True when the outcome is as labelled. */
export function isRight({ page, extraction: { result } }: ReadPage): boolean {
  if (!("price" in result)) return page.price === null;
  const exponent = ["JPY", "KRW"].includes(result.currency) ? 0 : 2;
  return page.price?.some((label) => Math.round(Number(label) * 10 ** exponent) === result.price) ??
    false;
}

/** True when the markup of the page has the labelled price in a field for prices. */
export function isReachable({ page, html }: ReadPage): boolean {
  return page.price?.some((label) => {
    const [whole = "", cents = ""] = label.split(".");
    const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, "[., ]?");
    const number = `${digits}(?:[.,]${
      cents.padEnd(2, "0").replace(/0$/, "0?")
    }0*)?(?![\\d]|[.,]\\d)`;
    return [
      `"(?:price|lowPrice)"\\s*:\\s*"?${number}`,
      `itemprop=["'](?:price|lowPrice)["'][^<]*?(?:content=["']|>(?:<[^>]*>)*\\s*)${number}`,
      `content=["']${number}["'][^>]*itemprop=["'](?:price|lowPrice)["']`,
      `(?:og|product):(?:[a-z_]+:)?price(?::amount)?["'][^>]*content=["']${number}`,
      `content=["']${number}["'][^>]*(?:og|product):(?:[a-z_]+:)?price`,
    ].some((pattern) => new RegExp(pattern, "i").test(html));
  }) ?? true;
}

/** Counts over pages. */
export function scoreOf(pages: readonly ReadPage[]): PageScore {
  const count = (holds: (page: ReadPage) => boolean) => pages.filter(holds).length;
  const high = (page: ReadPage) =>
    "price" in page.extraction.result && page.extraction.result.confidence >= 0.9;
  const hasPrice = (page: ReadPage) => "price" in page.extraction.result;
  const labelled = pages.filter((page) => hasPrice(page) && isRight(page));
  const currencies = labelled.filter(({ page }) => CODES[page.currency_text?.[0] ?? ""]);
  const stocks = labelled.filter(({ extraction: { result } }) =>
    "price" in result && result.inStock !== null
  );
  return {
    pages: pages.length,
    reachable: count(isReachable),
    reachableRight: count((page) => isReachable(page) && isRight(page)),
    right: count(isRight),
    wrong: count((page) => hasPrice(page) && !isRight(page)),
    refused: count((page) => !hasPrice(page) && !isRight(page)),
    high: count(high),
    highWrong: count((page) => high(page) && !isRight(page)),
    currencies: currencies.length,
    currenciesRight: currencies.filter(({ page, extraction: { result } }) =>
      "price" in result &&
      (CODES[page.currency_text?.[0] ?? ""] ?? "").split(" ").includes(result.currency)
    ).length,
    stocks: stocks.length,
    stocksRight:
      stocks.filter(({ page, extraction: { result } }) =>
        "price" in result && result.inStock === (page.availability === "InStock")
      ).length,
  };
}

/** The codes that a printed currency may stand for. */
const CODES: Readonly<Record<string, string>> = {
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
