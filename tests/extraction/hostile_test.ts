import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import { extractPrice } from "../../src/extraction/extract_price.ts";
import { HANG_MS } from "../patience.ts";
import { hostilePages } from "./hostile_pages.ts";
import { readHtml, shown, URL_OF_PAGE } from "./reading_pages.ts";

const MIB = 1024 * 1024;

for (const { name, html } of hostilePages()) {
  Deno.test(`extractPrice() spends linear time on ${name}`, () => {
    const text = html.repeat(4).slice(0, 4 * MIB);
    const startedAt = performance.now();
    extractPrice({ url: URL_OF_PAGE, contentType: "text/html", text });
    const tookMs = performance.now() - startedAt;
    assert(tookMs < HANG_MS, `${Math.round(tookMs)} ms`);
  });
}

const jsonLd = '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[' +
  '{"@type":"Product","@id":"#p","name":"Kaffee","sku":"A1","offers":[{"@id":"#o"},' +
  '{"@type":"AggregateOffer","lowPrice":"1.299,00","priceCurrency":"EUR"}]},' +
  '{"@type":"Offer","@id":"#o","price":12.99,"priceSpecification":[{"price":1,"priceType":"ListPrice"}],' +
  '"shippingDetails":{"shippingRate":{"value":4.95}}}]}</script>';
const page = "<!doctype html><html lang=de><head><title>Kaffee</title>" +
  '<meta property="og:price:amount" content="12.99"><link rel=canonical href="/p/1">' + jsonLd +
  '</head><body><h1>Kaffee</h1><div itemscope itemtype="https://schema.org/Product" itemref="r q">' +
  "<b itemprop=name>Kaffee</b><p itemprop=offers itemscope itemtype=http://schema.org/Offer>" +
  '<s>14,99 €</s><span itemprop=price content="12.99">12,99 €</span></p></div>' +
  '<div id=r vocab="https://schema.org/" typeof=Product><i property=offers typeof=Offer>' +
  "<u property=price>12,99 €</u></i></div></body></html>";
const extractor = { priceSelector: "span, u", stockSelector: "p > i", jsonPath: "$..price" };

/** A page with pieces of it cut, doubled, moved and spoilt. */
const mutation = fc.array(
  fc.record({
    at: fc.nat(page.length),
    length: fc.nat(60),
    text: fc.oneof(
      fc.constantFrom(
        "<",
        ">",
        '"',
        "&",
        "\0",
        "{",
        "]",
        "<script>",
        "</script>",
        "<!--",
        "itemscope ",
      ),
      fc.constantFrom("-", "e9", ",", ".", "0", "€", "\ud800", "<svg>", "<template>", "@id"),
      fc.string({ maxLength: 5 }),
      fc.nat(page.length).map((from) => page.slice(from, from + 80)),
    ),
  }),
  { minLength: 1, maxLength: 12 },
).map((edits) =>
  edits.reduce(
    (text, { at, length, text: put }) => text.slice(0, at) + put + text.slice(at + length),
    page,
  )
);

Deno.test("extractPrice() never throws on a spoilt page, and answers the same twice", () => {
  fc.assert(
    fc.property(mutation, (text) => {
      const read = () =>
        extractPrice({ url: URL_OF_PAGE, contentType: "text/html", text }, { extractor });
      const first = read();
      assertEquals(read(), first);
      const { result } = first;
      if ("errorCode" in result) return;
      assert(Number.isSafeInteger(result.price) && result.price > 0);
      assert(result.confidence > 0 && result.confidence <= 1);
    }),
    { numRuns: 500 },
  );
});

Deno.test("extractPrice() never throws on any text, address, type or JSON", () => {
  fc.assert(fc.property(
    fc.oneof(fc.string(), fc.json()),
    fc.oneof(fc.string(), fc.webUrl()),
    fc.constantFrom(null, "", "text/html", "application/json", "x"),
    (text, url, contentType) => {
      extractPrice({ url, contentType, text }, { extractor, currencyHint: "EUR" });
    },
  ));
});

Deno.test("extractPrice() never throws on any JSON-LD", () => {
  const key = fc.constantFrom(
    "@id",
    "@type",
    "@graph",
    "@value",
    "offers",
    "price",
    "priceCurrency",
    "name",
    "hasVariant",
  );
  const text = fc.constantFrom(
    "Product",
    "Offer",
    "AggregateOffer",
    "#a",
    "#b",
    "12,99 €",
    "EUR",
    "",
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.double(),
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(key, tie("node"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(fc.property(node, (json) => {
    readHtml(`<script type="application/ld+json">${JSON.stringify(json)}</script>`);
  }));
});

Deno.test("extractPrice() reads the begin of a page that nests too deep, and is not sure of it", () => {
  assertEquals(shown(readHtml(jsonLd + "<div>".repeat(600))), "1299 EUR json_ld 0.7 unknown");
});
