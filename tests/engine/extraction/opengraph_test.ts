import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { readHtml, shown } from "./reading_pages.ts";
import { type Grouped, testEach } from "../grouped.ts";

const metas = (values: Record<string, string>) =>
  Object.entries(values).map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join("");
const SALE = {
  "product:price:amount": "20",
  "product:sale_price:amount": "15",
  "product:price:currency": "EUR",
};
const PAGES: Grouped<Record<string, string>> = {
  "1299 EUR opengraph 0.9 unknown": {
    "product:price": { "product:price:amount": "12.99", "product:price:currency": "EUR" },
    "og:price": { "og:price:amount": "12,99", "og:price:currency": "EUR" },
  },
  "30000 KRW opengraph 0.9 unknown": { "a price with its currency": { "og:price": "30,000원~" } },
  "1500 EUR opengraph 0.9 unknown": {
    "the sale price": SALE,
  },
  "2000 EUR opengraph 0.9 out_of_stock": {
    "the stock": {
      "product:price:amount": "20",
      "product:price:currency": "EUR",
      "product:availability": "out of stock",
    },
  },
  "no_price": {
    "0": { "product:price:amount": "0.00", "product:price:currency": "EUR" },
    "no price": { "og:title": "Kaffee 12,99 €" },
  },
  "ambiguous_price": { "no currency": { "product:price:amount": "20" } },
};

testEach("OpenGraph", PAGES, (values) => shown(readHtml(metas(values))));

Deno.test("OpenGraph: the price before a sale is the list price", () => {
  const result = readHtml(metas(SALE));
  assertEquals("price" in result && result.listPrice, 2000);
});

Deno.test("OpenGraph: of prices in several currencies the wanted one counts", () => {
  const html =
    '<meta property="product:price:amount" content="20"><meta property="product:price:currency" content="USD">' +
    '<meta property="product:price:amount" content="18"><meta property="product:price:currency" content="EUR">';
  assertEquals(shown(readHtml(html, { currencyHint: "EUR" })), "1800 EUR opengraph 0.9 unknown");
  assertEquals(shown(readHtml(html)), "2000 USD opengraph 0.7 unknown");
});
