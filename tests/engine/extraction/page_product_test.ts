import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { jsonLd, price, readHtml, readJsonLd, shown } from "./reading_pages.ts";

const product = (name: string, amount: number | null, more = {}) => ({
  "@type": "Product",
  name,
  ...(amount === null ? {} : { offers: { price: amount, priceCurrency: "EUR" } }),
  ...more,
});
const page = (heading: string, json: unknown) => `<h1>${heading}</h1>${jsonLd(json)}`;

Deno.test("extractPrice() takes the product that has the page's heading, wherever it is listed", () => {
  const json = [product("Toaster TA 1", 20), product("Kaffeemaschine KM 300", 99)];
  assertEquals(
    shown(readHtml(page("Kaffeemaschine KM 300", json))),
    "9900 EUR json_ld 0.9 unknown",
  );
});

Deno.test("extractPrice() takes the product with the page's address", () => {
  const json = [
    product("A", 20, { url: "/p/toaster" }),
    product("B", 99, { url: "/p/kaffeemaschine?v=1" }),
  ];
  assertEquals(price(readHtml(page("", json))), "9900 EUR");
});

Deno.test("extractPrice() takes the case, not the phone, on the page of a phone case", () => {
  const json = [product("Galaxy S50", 899), product("Hülle für Galaxy S50", 19)];
  assertEquals(price(readHtml(page("Hülle für Galaxy S50", json))), "1900 EUR");
});

Deno.test("extractPrice() prefers the product with the EAN to the one with the heading", () => {
  const json = [product("Kaffeemaschine", 99), product("Set", 120, { gtin13: "4006381333931" })];
  const result = readHtml(page("Kaffeemaschine", json), { product: { ean: "4006381333931" } });
  assertEquals(price(result), "12000 EUR");
});

Deno.test("extractPrice() gives no price if only other products than the page's own have one", () => {
  const json = [product("Kaffeemaschine KM 300", null), product("Toaster TA 1", 20)];
  assertEquals(price(readHtml(page("Kaffeemaschine KM 300", json))), "no_price");
});

Deno.test("extractPrice() never takes the price of a related product", () => {
  const related = product("Filter", 5, { "@id": "#filter" });
  const main = product("Kaffeemaschine", null, { isRelatedTo: { "@id": "#filter" } });
  assertEquals(price(readJsonLd({ "@graph": [related, main] })), "no_price");
  assertEquals(price(readJsonLd({ ...main, isSimilarTo: related })), "no_price");
});

Deno.test("extractPrice() is less sure of the first of several indistinguishable products", () => {
  assertEquals(
    shown(readJsonLd([product("A", 20), product("B", 10)])),
    "2000 EUR json_ld 0.7 unknown",
  );
  assertEquals(
    shown(readJsonLd([product("A", 20), product("B", 20)])),
    "2000 EUR json_ld 0.9 unknown",
  );
});

Deno.test("extractPrice() is less sure of the first product of a list", () => {
  const list = {
    "@type": "ItemList",
    itemListElement: [{ "@type": "ListItem", item: product("A", 20) }],
  };
  assertEquals(shown(readJsonLd(list)), "2000 EUR json_ld 0.7 unknown");
  assertEquals(price(readJsonLd([list, product("B", 30)])), "3000 EUR", "not of the list");
});

Deno.test("extractPrice() is less sure of the only product if its name shares no word with the page", () => {
  assertEquals(
    shown(readHtml(page("Kaffeemaschine KM 300", product("Toaster", 20)))),
    "2000 EUR json_ld 0.7 unknown",
  );
});

Deno.test("extractPrice() takes the product with an offer, although only the entry with the rating has the page's address", () => {
  const rated = product("Kaffeemaschine KM 300", null, { url: "/p/kaffeemaschine" });
  const offered = product("Bosch Kaffeemaschine KM 300", 99);
  assertEquals(price(readHtml(page("Angebot", [rated, offered]))), "9900 EUR");
});

Deno.test("extractPrice() distinguishes products whose addresses differ in a parameter", () => {
  const json = [
    product("A", 20, { url: "/shop.php?id=7" }),
    product("B", 99, { url: "/shop.php?id=5&lang=de" }),
  ];
  const canonical = '<link rel=canonical href="/shop.php?id=5">';
  assertEquals(price(readHtml(canonical + page("", json))), "9900 EUR");
});
