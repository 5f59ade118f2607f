import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { jsonpath } from "json-p3";
import { leastCostMs } from "../../../processor_time.ts";
import { parseHtml } from "../../../../src/engine/extraction/page/html_page.ts";
import { statePrices } from "../../../../src/engine/extraction/script_data.ts";

function read(html: string) {
  return statePrices(parseHtml(html).shown.scripts, { currency: null, locale: "de" });
}

/** Each price as `place = amount codes`. */
function written(html: string): string[] {
  return read(html).map(({ statePath, decimal, codes }) =>
    `${statePath} = ${[decimal, ...codes].join(" ")}`
  );
}

/** Name → the page, and its prices. */
const CASES: Readonly<Record<string, readonly [html: string, ...expected: string[]]>> = {
  "a script of data, by its id": [
    '<script id="__NEXT_DATA__" type="application/json">{"props":{"product":{"price":39.9}}}</script>',
    "#__NEXT_DATA__ $.props.product.price = 39.9",
  ],
  "a script without an id": ['<script>{"price":"39,90 €"}</script>', "json $.price = 39.9 EUR"],
  "an id that belongs to one page": [
    '<script id="p4711" type="application/json">{"price":39.9}</script>',
    "json $.price = 39.9",
  ],
  "whole numbers may count hundredths": [
    '<script>window.__STATE__ = {"item":{"price":{"value":3990,"currency":"EUR"}}};</script>',
    "__STATE__ $.item.price.value = 3990. EUR",
    "__STATE__ $.item.price.value / 100 = 39.9 EUR",
  ],
  "a pushed value, with the currency of the object around it": [
    '<script>dataLayer.push({"ecommerce":{"currencyCode":"EUR","items":[{"price":"39.90"}]}})</script>',
    "dataLayer.push $.ecommerce.items[0].price = 39.9 EUR",
  ],
  "several data in one script, with code between them": [
    '<script>var a={"price":1.5};if(x){f({y:1})}window["app"] = [{"price":2.5}];</script>',
    "a $.price = 1.5",
    "app $[0].price = 2.5",
  ],
  "keys that belong to one page become any key": [
    '<script>s={"Product:4711":{"price":1.5},"kJxQzRt":{"price":2.5},"a-b":{"price":3.5}}</script>',
    "s $.*.price = 1.5",
    "s $.*.price = 2.5",
    "s $['a-b'].price = 3.5",
  ],
  "former, unit and other amounts, and values not called a price, do not count": [
    '<script>s={"oldPrice":1,"unitPrice":2,"price":{"was":3,"list":4},"weight":5,"totalPrice":6}</script>',
  ],
  "texts without a price, and ambiguous texts, do not count": [
    '<script>s={"price":"siehe oben","priceText":"9.234","prices":true,"price_":0,"priceId":"1e9"}</script>',
  ],
  "code that only looks like data": [
    '<script>x={"price":1,}; y = {price: 2}; z={\'price\':3}; w==={"price":4}; g({"price":5})</script>',
  ],
  "data that are cut": ['<script>s={"price":1.5, "a":"</script>'],
  "brackets and quotes in texts": [
    '<script>s={"a":"}\\"]{","price":1.5}</script>',
    "s $.price = 1.5",
  ],
  "markup is not read a second time": ['<script type="application/ld+json">{"price":1}</script>'],
};

for (const [name, [html, ...expected]] of Object.entries(CASES)) {
  Deno.test(`statePrices(): ${name}`, () => assertEquals(written(html), expected));
}

Deno.test("statePrices() names places by RFC 9535 paths that find the same value", () => {
  const key = fc.constantFrom(..."price preis product data a-b Item:12 x9 current".split(" "));
  const cents = fc.integer({ min: 1, max: 99_999 });
  const leaf = fc.oneof(cents, cents.map((one) => one / 100), fc.constant("neu"));
  const tree = fc.letrec((tie) => ({
    node: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("node"), { maxLength: 3 }), tie("object")),
    object: fc.dictionary(key, tie("node"), { maxKeys: 4, noNullPrototype: true }),
  })).object;
  fc.assert(fc.property(tree, (data) => {
    const text = JSON.stringify(data);
    for (const { statePath, decimal, text: printed } of read(`<script>s = ${text};</script>`)) {
      const [, path = "", scale] = /^s (\$.*?)( \/ 100)?$/.exec(statePath) ?? [];
      const meant = scale ? Math.round(Number(decimal) * 100) : Number(decimal);
      const same = jsonpath.query(path, JSON.parse(text)).values().filter((one) => one === meant);
      ok(same.length > 0, `${statePath} ${decimal} in ${text}`);
      ok(printed.endsWith(String(same[0])), printed);
    }
  }));
});

Deno.test("statePrices() takes bounded time, whatever the scripts contain", () => {
  const pages = [
    `<script>s=${"[".repeat(200_000)}</script>`,
    `<script>${'s={"a":'.repeat(40_000)}</script>`,
    `<script>${'{"price":1}'.repeat(20_000)}</script>`,
    `<script>${'s={"price":1};'.repeat(20_000)}</script>`,
    `<script>s={"price":[${"1,".repeat(100_000)}1]}</script>`,
    `<script>s={${
      Array.from({ length: 20_000 }, (_, n) => `"p${n}":{"price":${n}}`).join(",")
    }}</script>`,
    `<script>${"={".repeat(100_000)}</script>`,
    `<script>${'={"'.repeat(100_000)}</script>`,
    '<script>s={"price":1}</script>'.repeat(400),
    `<script>s=${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}</script>`,
  ];
  for (const [n, html] of pages.entries()) {
    const { length } = read(html);
    ok(length <= 201, `${n}: ${length}`);
    const usedMs = leastCostMs(() => read(html));
    ok(usedMs < 200, `${n}: ${usedMs} ms`);
  }
});
