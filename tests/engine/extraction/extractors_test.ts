import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";
import { TooComplex } from "../../../src/base/failure.ts";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import type { ExplicitExtractor } from "../../../src/engine/extraction/page/extraction_page.ts";
import { findByPath, METHODS } from "../../../src/engine/extraction/extractors.ts";
import { extract, jsonLd, readHtml, shown, URL_OF_PAGE } from "./reading_pages.ts";
import { type Grouped, testEach } from "../grouped.ts";
import { withApp } from "../../harness.ts";
import { bandOf, CALIBRATION } from "../../../src/engine/extraction/page_status.ts";

const MARKED = jsonLd({
  "@type": "Product",
  offers: { price: 20, priceCurrency: "EUR", availability: "InStock" },
});

const SALE = "<p><del>39,99&nbsp;€</del> <ins>29,99&nbsp;€</ins></p>";
const IN_FRANCS = '<meta property="og:price" content="18 CHF">';

const SELECTORS: Grouped<
  readonly [html: string, priceSelector: string | null, more?: ExplicitExtractor]
> = {
  "129900 EUR extractor 0.9 unknown": {
    "the text": ["<b class=p>1.299,00 €</b>", ".p"],
    "content with a locale": ['<b content="1.299">', "b", { locale: "de-DE", currency: "EUR" }],
  },
  "1500 EUR extractor 0.9 unknown": {
    "the first match": ["<i>x</i><b>15 €</b><b>15 €</b>", "i, b"],
  },
  "1500 EUR extractor 0.7 unknown": { "matches that differ": ["<b>15 €</b><b>12 €</b>", "b"] },
  "2999 EUR extractor 0.9 unknown": {
    "the price next to a struck price": [SALE, "p"],
    "the current price among texts for screen readers": [
      "<p><del aria-hidden=true>39,99&nbsp;€</del> <span>Ursprünglicher Preis war: 39,99&nbsp;€</span>" +
      "<ins>29,99&nbsp;€</ins><span>Aktueller Preis ist: 29,99&nbsp;€.</span></p>",
      "p",
    ],
    "the price next to a class for old prices": [
      "<p><i class=price-old>39,99 €</i> <i class=price-new>29,99 €</i></p>",
      "p",
    ],
  },
  "3999 EUR extractor 0.9 unknown": {
    "a struck price that is the only one": ["<p><del>39,99 €</del></p>", "p"],
  },
  "3999 EUR extractor 0.7 unknown": { "a struck price that the selector means": [SALE, "del"] },
  "1590 EUR extractor 0.9 unknown": {
    "content": ['<meta name=price content="15.90">', "meta[name=price]", { currency: "EUR" }],
    "value of a field": ['<input id=p value="15.90">', "#p", { currency: "EUR" }],
  },
  "129900 USD extractor 0.9 unknown": {
    "a lone comma with a locale": ["<b>1,299</b>", "b", { locale: "en-US", currency: "USD" }],
  },
  "ambiguous_price": { "a lone comma": ["<b>1,299</b>", "b"] },
  "1500 EUR extractor 0.9 out_of_stock": {
    "a stock selector": ["<b>15 €</b><i>Ausverkauft</i>", "b", { stockSelector: "i" }],
  },
  "2000 EUR json_ld 0.9 out_of_stock": {
    "a stock selector alone": [`${MARKED}<i>Ausverkauft</i>`, null, { stockSelector: "i" }],
  },
  "2000 EUR extractor 1 in_stock": { "markup that agrees": [`${MARKED}<b>20,00 €</b>`, "b"] },
  "1500 EUR extractor 0.6 in_stock": { "markup that disagrees": [`${MARKED}<b>15,00 €</b>`, "b"] },
  "2000 EUR json_ld 0.7 in_stock": { "nothing, with markup": [MARKED, ".gone"] },
  "no_price": { "nothing": ["", ".gone"], "an invalid selector": ["<b>15 €</b>", "b["] },
  "currency_mismatch": {
    "another currency than the page's": [MARKED, null, { currency: "CHF" }],
    "a text in another currency": ["<b>15 €</b>", "b", { currency: "CHF" }],
  },
  "1800 CHF opengraph 0.6 in_stock": {
    "the currency of a later method": [MARKED + IN_FRANCS, null, { currency: "CHF" }],
  },
};

testEach(
  "an explicit extractor that finds",
  SELECTORS,
  ([html, priceSelector, more]) => shown(readHtml(html, { extractor: { priceSelector, ...more } })),
);

const PATHS: Grouped<readonly [json: unknown, jsonPath: string | null]> = {
  "1299 EUR extractor 0.9 unknown": {
    "a number": [{ offer: { price: 12.99 } }, "$.offer.price"],
    "a text": [{ p: "12,99 €" }, "$.p"],
  },
  "200 EUR extractor 0.9 unknown": {
    "a filter": [{ o: [{ k: "a", p: 1 }, { k: "b", p: 2 }] }, "$.o[?@.k == 'b'].p"],
  },
  "300 EUR extractor 0.7 unknown": { "several values": [{ o: [{ p: 3 }, { p: 2 }] }, "$..p"] },
  "no_price": {
    "an object": [{ o: {} }, "$.o"],
    "nothing": [{}, "$.o"],
    "no path": [{ p: 12.99 }, null],
    "an invalid path": [{ p: 12.99 }, "$["],
    "a regular expression": [{ o: [{ p: 3 }] }, "$.o[?match(@.p, '(a+)+')].p"],
  },
};

testEach("an explicit extractor whose JSON path finds", PATHS, ([json, jsonPath]) => {
  const text = JSON.stringify(json);
  const answer = { url: URL_OF_PAGE, contentType: "application/json", text };
  const { result } = extractPrice(answer, { extractor: { jsonPath, currency: "EUR" } });
  return shown(result);
});

Deno.test("an explicit extractor with a JSON path reads JSON served as HTML", () => {
  const { result } = extract('{"p":"12,99 €"}', { extractor: { jsonPath: "$.p" } });
  assertEquals(shown(result), "1299 EUR extractor 0.9 unknown");
});

Deno.test("findByPath() finds the first twenty values, in the order of RFC 9535", () => {
  const json = { list: [{ k: "a", p: 1 }, { k: "b", p: 2.5 }, 7], b: { b: { b: false } } };
  const table: readonly (readonly [string, readonly unknown[]])[] = [
    ["$..b", [{ b: { b: false } }, { b: false }, false]],
    ["$.list[?@.p >= 1 && @.k != 'b'].p", [1]],
    ["$.list[::-1]", json.list.toReversed()],
    ["$.list[-1,0].p", [1]],
    ["$.list[", []],
  ];
  for (const [path, expected] of table) assertEquals(findByPath(json, path), expected, path);
  assertEquals(findByPath(Array.from({ length: 30 }, (_, n) => n), "$[*]").length, 20);
});

Deno.test("length() of a text counts characters of Unicode", () => {
  assertEquals(findByPath(["💶", "💶💶"], "$[?length(@) == 1]"), ["💶"]);
});

Deno.test("findByPath() gives up on an answer that is too deep", () => {
  const deep: unknown = JSON.parse("[".repeat(500) + "]".repeat(500));
  throws(() => findByPath(deep, "$..a"), TooComplex);
  assertEquals(findByPath({ deep, a: 1 }, "$.a"), [1]);
});

const codes: readonly string[] = METHODS.map(({ method }) => method);

Deno.test("extraction methods have unique names in both languages and are described in docs", async () => {
  for (const language of ["de", "en"] as const) {
    const names = METHODS.map(({ name }) => name[language]);
    ok(names.every((name) => name.trim() !== ""));
    assertEquals(new Set(names).size, names.length);
  }
  const page = await Deno.readTextFile("docs/decisions/scraping.md");
  assertEquals(codes.filter((code) => !page.includes(`\`${code}\``)), []);
});

withApp.test("GET /api/scrape-methods returns the methods with their names", async (app) => {
  const { data, count } = await app.viewer.read("/api/scrape-methods");
  assertEquals(data, METHODS.map(({ method, name }) => ({ value: method, label: name })));
  assertEquals(count, codes.length);
});

Deno.test("bandOf() finds the band of every confidence by its lower bound", () => {
  ok(CALIBRATION.every(({ right, of }) => right <= of));
  const bounds = [1, 0.99, 0.9, 0.85, 0.7, 0.2].map((one) => bandOf(one)?.from);
  assertEquals(bounds, [1, 0.9, 0.9, 0.8, 0.7, 0]);
});
