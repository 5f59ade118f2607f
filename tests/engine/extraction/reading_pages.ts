import {
  type Extraction,
  type ExtractOptions,
  extractPrice,
} from "../../../src/engine/extraction/extract_price.ts";
import { formatGerman } from "../../../src/base/money.ts";

export const URL_OF_PAGE = "https://shop.example/p/kaffeemaschine";

export function extract(text: string, options: ExtractOptions = {}, url = URL_OF_PAGE): Extraction {
  return extractPrice({ url, contentType: "text/html", text }, options);
}

export function readHtml(body: string, options: ExtractOptions = {}): Extraction["result"] {
  return extract(`<!doctype html><html><body>${body}</body></html>`, options).result;
}

export function jsonLd(json: unknown): string {
  const text = typeof json === "string" ? json : JSON.stringify(json);
  return `<script type="application/ld+json">${text}</script>`;
}

export const offerOf = (price: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  "@type": "Offer",
  price,
  priceCurrency: "EUR",
  ...more,
});

export function readJsonLd(json: unknown, options: ExtractOptions = {}): Extraction["result"] {
  return readHtml(jsonLd(json), options);
}

/** An amount as German shops write it: `1.299,00 €`. */
export const euro = (cents: number) => `${formatGerman(cents, 2)} €`;

/** Makes a paragraph of each part of `a | b`; a part that contains `price` gets `class=price`. */
export function paragraphs(text: string, price?: string): string {
  const marked = (part: string) =>
    price !== undefined && part.includes(price) ? " class=price" : "";
  return text.split(" | ").map((part) => `<p${marked(part)}>${part}</p>`).join("");
}

/** The result as a text such as `1299 EUR json_ld 0.9 in_stock`, or the error code. */
export function shown(result: Extraction["result"]): string {
  if ("errorCode" in result) return result.errorCode;
  const { price, currency, method, confidence, availability } = result;
  return `${price} ${currency} ${method} ${confidence} ${availability}`;
}

export function price(result: Extraction["result"]): string {
  return "errorCode" in result ? result.errorCode : `${result.price} ${result.currency}`;
}
