import { type Grouped, testEach } from "../grouped.ts";
import { jsonLd, readHtml, shown } from "./reading_pages.ts";

const product = (name: string, amount: number | null, more = {}) => ({
  "@type": "Product",
  name,
  ...(amount === null ? {} : { offers: { price: amount, priceCurrency: "EUR" } }),
  ...more,
});
const page = (heading: string, json: unknown) => `<h1>${heading}</h1>${jsonLd(json)}`;

const KM = "Kaffeemaschine KM 300";
const TOASTER = product("Toaster TA 1", 20);
const MAIN = product("Kaffeemaschine", null, { isRelatedTo: { "@id": "#filter" } });
const FILTER = product("Filter", 5, { "@id": "#filter" });
const ITEM = { "@type": "ListItem", item: product("A", 20) };
const LIST = { "@type": "ItemList", itemListElement: [ITEM] };

const PAGES: Grouped<string> = {
  "9900 EUR json_ld 0.9 unknown": {
    "the product that has the page's heading": page(KM, [TOASTER, product(KM, 99)]),
    "the product with the page's address": page("", [
      product("A", 20, { url: "/p/toaster" }),
      product("B", 99, { url: "/p/kaffeemaschine?v=1" }),
    ]),
    "the product whose address has the page's parameter":
      '<link rel=canonical href="/shop.php?id=5">' +
      page("", [
        product("A", 20, { url: "/shop.php?id=7" }),
        product("B", 99, { url: "/shop.php?id=5&lang=de" }),
      ]),
  },
  "9900 EUR json_ld 0.7 unknown": {
    "the product with an offer, although only the entry with the rating has the page's address":
      page("Angebot", [
        product(KM, null, { url: "/p/kaffeemaschine" }),
        product(`Bosch ${KM}`, 99),
      ]),
  },
  "1900 EUR json_ld 0.9 unknown": {
    "the case, not the phone, on the page of a phone case": page("Hülle für Galaxy S50", [
      product("Galaxy S50", 899),
      product("Hülle für Galaxy S50", 19),
    ]),
  },
  "12000 EUR json_ld 0.9 unknown": {
    "the product with the EAN before the one with the heading": page("Kaffeemaschine", [
      product("Kaffeemaschine", 99),
      product("Set", 120, { gtin13: "4006381333931" }),
    ]),
  },
  no_price: {
    "no product, if only others than the page's own have a price": page(KM, [
      product(KM, null),
      TOASTER,
    ]),
    "no related product": jsonLd({ "@graph": [FILTER, MAIN] }),
    "no similar product": jsonLd({ ...MAIN, isSimilarTo: FILTER }),
  },
  "2000 EUR json_ld 0.7 unknown": {
    "the first of several indistinguishable products": jsonLd([product("A", 20), product("B", 10)]),
    "the first product of a list": jsonLd(LIST),
    "the only product, whose name shares no word with the page": page(KM, product("Toaster", 20)),
  },
  "2000 EUR json_ld 0.9 unknown": {
    "the first of several products with one price": jsonLd([product("A", 20), product("B", 20)]),
  },
  "3000 EUR json_ld 0.9 unknown": {
    "the product that is not in the list": jsonLd([LIST, product("B", 30)]),
  },
};

const read = (html: string) => shown(readHtml(html, { product: { ean: "4006381333931" } }));
testEach("extractPrice() takes", PAGES, read);
