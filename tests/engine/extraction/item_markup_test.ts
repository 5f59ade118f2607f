import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { price, readHtml, shown } from "./reading_pages.ts";
import { type Grouped, testEach } from "../grouped.ts";

const item = (type: string, inner: string, more = "") =>
  `<div itemscope itemtype="https://schema.org/${type}" ${more}>${inner}</div>`;
const offer = (inner: string) => item("Offer", inner, "itemprop=offers");
const currency = '<meta itemprop=priceCurrency content="EUR">';

const VALUES: Grouped<string> = {
  "1299 EUR": {
    "content of a meta element": '<meta itemprop=price content="12.99">',
    "content before text": '<span itemprop=price content="12.99">12 €</span>',
    "text when content is empty": '<span itemprop=price content="">12,99 €</span>',
    "value of a data element": '<data itemprop=price value="12.99">x</data>',
    "text of a link, not its address": '<a itemprop=price href="/1">12,99 €</a>',
  },
  "129900 EUR": {
    "text": "<span itemprop=price>1.299,00 €</span>",
    "text with a lone dot": "<span itemprop=price>1.299</span>",
  },
  "2999 EUR": {
    "text with raised cents": "<span itemprop=price>29<sup>99</sup> €</span>",
    "text without scripts": "<b itemprop=price><script>var p = 5</script>29,99 €</b>",
    "text beside a struck one": "<p itemprop=price><s>39,99 €</s> 29,99 €</p>",
  },
  "129995 EUR": {
    "text with cents in a class": '<b itemprop=price>1.299<i class="cents">95</i></b>',
  },
  "3999 EUR": {
    "a struck text beside a rate": "<p itemprop=price><s>39,99 €</s> 5,99 €/kg</p>",
    "a struck text beside a count": "<p itemprop=price><s>39,99 €</s> (12)</p>",
  },
  "ambiguous_price": { "split digits": "<span itemprop=price><b>29</b><b>99</b> €</span>" },
  "no_price": { "0": '<meta itemprop=price content="0">' },
};

const markedUp = (value: string) => price(readHtml(item("Product", offer(currency + value))));
testEach("microdata, a price as", VALUES, markedUp);

const priced = offer(`${currency}<meta itemprop=price content="12.99">`);
const lone = `${currency}<meta itemprop=price content="5">`;
const money = `${currency}<b itemprop=price>12,99</b>`;

const SHAPES: Grouped<string> = {
  "1299 EUR": {
    "a product with an offer": item("Product", priced),
    "data-vocabulary.org":
      '<p itemscope itemtype="http://data-vocabulary.org/Product"><b itemprop=offerDetails itemscope itemtype="http://data-vocabulary.org/Offer"><meta itemprop=price content=12.99><meta itemprop=currency content=EUR></b></p>',
    "itemtype without itemscope":
      '<p itemtype="https://schema.org/Product"><meta itemprop=price content=12.99><meta itemprop=priceCurrency content=EUR></p>',
    "an offer within an offer": item("Product", offer(priced)),
    "AggregateOffer": item(
      "Product",
      item("AggregateOffer", `${currency}<b itemprop=lowPrice>12,99</b>`, "itemprop=offers"),
    ),
    "an offer that is not said to be the product's": item("Product", item("Offer", money)),
    "a price on the product itself": item("Product", money),
    "an offer of no product": priced,
    "an offer by itemref": item("Product", "", 'itemref="o"') + `<div id=o>${priced}</div>`,
    "a price by itemref":
      item("Product", offer(currency).replace("itemscope", "itemscope itemref=p")) +
      "<b id=p itemprop=price>12,99</b>",
    "a related product by itemref": item("Product", priced, "itemref=r") +
      `<div id=r>${item("Product", offer(lone), "itemprop=isRelatedTo")}</div>`,
    "a product within a product": item("Product", item("Product", offer(lone)) + priced),
    "offers of no product beside a product": offer(lone) + item("Product", priced),
    "an item that refers to itself": item("Product", priced, "id=a itemref=a"),
  },
  "no_price": {
    "a price in no item": `<b itemprop=price>12,99 €</b>`,
    "an event": item("Event", priced),
    "a template": `<template>${item("Product", priced)}</template>`,
  },
};

testEach("microdata", SHAPES, (html) => price(readHtml(html)));

Deno.test("microdata: the stock may be a link, a meta element or a text", () => {
  const stock = (html: string) =>
    shown(readHtml(item("Product", offer(lone + html)))).split(" ").at(-1);
  assertEquals(stock('<link itemprop=availability href="https://schema.org/InStock">'), "in_stock");
  assertEquals(stock('<meta itemprop=availability content="OutOfStock">'), "out_of_stock");
  assertEquals(stock("<b itemprop=availability>Nur noch 3 Stück</b>"), "limited");
});

const paid = '<meta property="priceCurrency" content="EUR">' +
  '<span property="price" content="12.99">12,99 €</span>';
const RDFA: Grouped<string> = {
  "1299 EUR": {
    "a vocabulary":
      `<div vocab="https://schema.org/" typeof="Product"><p property="offers" typeof="Offer">${paid}</p></div>`,
    "a prefix":
      `<div prefix="schema: https://schema.org/" typeof="schema:Product"><p property="schema:offers" typeof="schema:Offer">${
        paid.replaceAll('property="', 'property="schema:')
      }</p></div>`,
    "full addresses":
      `<div typeof="https://schema.org/Product"><p property="https://schema.org/offers" typeof="https://schema.org/Offer">${paid}</p></div>`,
  },
  "129900 EUR": {
    "shown text":
      '<div vocab="https://schema.org/" typeof="Product"><p property="offers" typeof="Offer"><b property="price">1.299,00 €</b></p></div>',
  },
  "no_price": {
    "another vocabulary":
      '<div typeof="Product"><b property="http://example.com/price">12,99 €</b></div>',
    "OpenGraph inside a product":
      '<div typeof="Product"><meta property="x:price" content="5 €"></div>',
    "a product within a product": `<div typeof="Product"><p typeof="Product">${paid}</p></div>`,
    "an event": `<div typeof="Event"><p property="offers" typeof="Offer">${paid}</p></div>`,
  },
};

testEach("RDFa", RDFA, (html) => price(readHtml(html)));

const metas = (values: Record<string, string>) =>
  Object.entries(values).map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join("");
const FOR_20 = { "product:price:amount": "20", "product:price:currency": "EUR" };
const SALE = { ...FOR_20, "product:sale_price:amount": "15" };
const PAGES: Grouped<Record<string, string>> = {
  "1299 EUR opengraph 0.9 unknown": {
    "product:price": { "product:price:amount": "12.99", "product:price:currency": "EUR" },
    "og:price": { "og:price:amount": "12,99", "og:price:currency": "EUR" },
  },
  "30000 KRW opengraph 0.9 unknown": { "a price with its currency": { "og:price": "30,000원~" } },
  "1500 EUR opengraph 0.9 unknown": { "the sale price": SALE },
  "2000 EUR opengraph 0.9 out_of_stock": {
    "the stock": { ...FOR_20, "product:availability": "out of stock" },
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
  const html = metas({ ...FOR_20, "product:price:currency": "USD" }) +
    metas({ ...FOR_20, "product:price:amount": "18" });
  assertEquals(shown(readHtml(html, { currencyHint: "EUR" })), "1800 EUR opengraph 0.9 unknown");
  assertEquals(shown(readHtml(html)), "2000 USD opengraph 0.7 unknown");
});
