import { type Extraction, extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";

export const URL_OF_PAGE = "https://shop.example/p/kaffeemaschine";

export function readHtml(body: string, options: ExtractOptions = {}): Extraction["result"] {
  const text = `<!doctype html><html><body>${body}</body></html>`;
  return extractPrice({ url: URL_OF_PAGE, contentType: "text/html", text }, options).result;
}

export function readJsonLd(json: unknown, options: ExtractOptions = {}): Extraction["result"] {
  const text = typeof json === "string" ? json : JSON.stringify(json);
  return readHtml(`<script type="application/ld+json">${text}</script>`, options);
}

/** `1299 EUR json_ld 0.9 in_stock`, or the error code. */
export function shown(result: Extraction["result"]): string {
  if ("errorCode" in result) return result.errorCode;
  const { price, currency, method, confidence, availability } = result;
  return `${price} ${currency} ${method} ${confidence} ${availability}`;
}

/** `1299 EUR`, or the error code. */
export function price(result: Extraction["result"]): string {
  return "errorCode" in result ? result.errorCode : `${result.price} ${result.currency}`;
}
