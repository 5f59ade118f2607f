import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  jsonLd,
  offerOf,
  price,
  readHtml,
  readJsonLd,
  shown,
  URL_OF_PAGE,
} from "./reading_pages.ts";
import { type Grouped, testEach } from "../grouped.ts";

const offer = { "@type": "Offer", price: "12.99", priceCurrency: "EUR" };
const product = (offers: unknown, more = {}) => ({ "@type": "Product", offers, ...more });

const aggregate = (more: object) => ({ "@type": "AggregateOffer", priceCurrency: "EUR", ...more });
const PRICED = { price: 12.99, priceCurrency: "EUR" };
const USED = offerOf(20, { itemCondition: "https://schema.org/UsedCondition" });

const SHAPES: Grouped<unknown> = {
  "1299 EUR": {
    "a product as main entity": { "@type": "ItemPage", mainEntity: product(offer) },
    "types with an address": product({ ...offer, "@type": "schema:Offer" }, {
      "@type": "http://schema.org/Product",
    }),
    "several types": { "@type": ["Car", "Product"], offers: offer },
    "types in small letters": { "@type": "product", offers: offer },
    "properties with a prefix": {
      "@type": "Product",
      "schema:offers": { "schema:price": 12.99, "schema:priceCurrency": "EUR" },
    },
    "offers in nested lists": product(["x", [[offer], USED]]),
    "a reference to an offer": [product({ "@id": "#o" }), { ...offer, "@id": "#o" }],
    "a currency in the specification alone": product({ price: 12.99, priceSpecification: PRICED }),
    "the price of one piece": product({
      priceCurrency: "EUR",
      priceSpecification: { price: 12.99, referenceQuantity: { value: 1, unitCode: "C62" } },
    }),
    "an offer that names its product": { ...offer, itemOffered: { "@type": "Product", name: "A" } },
    "an offer alone": offer,
    "@value": product(offerOf({ "@value": "12.99" })),
    "a monetary amount as price": product({
      price: { "@type": "MonetaryAmount", value: 12.99, currency: "EUR" },
    }),
    "AggregateOffer": product(aggregate({ lowPrice: "12.99", highPrice: "20" })),
    "AggregateOffer with a price, too": product(aggregate({ lowPrice: 12.99, price: 20 })),
    "AggregateOffer with priced offers": product(aggregate({
      lowPrice: 9,
      offers: [offerOf(10, { availability: "OutOfStock" }), { price: 12.99 }],
    })),
    "ProductGroup": { "@type": "ProductGroup", hasVariant: [product(offerOf(15)), product(offer)] },
    "a product that is reviewed": { "@type": "AggregateRating", itemReviewed: product(offer) },
  },
  "no_price": {
    "an event": { "@type": "Event", offers: offer },
    "a game": { "@type": "VideoGame", offers: offer },
    "an app": { "@type": "SoftwareApplication", offers: offer },
    "a rented product": product(
      offerOf(5, { businessFunction: "http://purl.org/goodrelations/v1#LeaseOut" }),
    ),
    "a price of 0": product(offerOf("0.00")),
    "a number in e-notation": product(offerOf(1e30)),
  },
};

testEach("JSON-LD", SHAPES, (json) => price(readJsonLd(json)));

const WRITINGS: readonly (readonly [unknown, string, string])[] = [
  ["1299", "EUR", "129900 EUR"],
  ["1,299.00", "EUR", "129900 EUR"],
  ["1.299,00", "EUR", "129900 EUR"],
  ["44,99 €", "", "4499 EUR"],
  ["1,299", "EUR", "129900 EUR"],
  ["1,299", "", "ambiguous_price"],
  [19.989999999999998, "EUR", "1999 EUR"],
  [1500, "JPY", "1500 JPY"],
  ["1.250", "KWD", "1250 KWD"],
  ["12.99", "€", "1299 EUR"],
  ["12.99", "eur", "1299 EUR"],
  ["249", "RUR", "24900 RUB"],
  ["12.99", "", "ambiguous_price"],
];

for (const [amount, currency, expected] of WRITINGS) {
  Deno.test(`JSON-LD: price ${JSON.stringify(amount)} with currency "${currency}" is ${expected}`, () => {
    assertEquals(price(readJsonLd(product({ price: amount, priceCurrency: currency }))), expected);
  });
}

Deno.test('JSON-LD: a text "1.299" is read with a decimal point, and is not sure', () => {
  assertEquals(shown(readJsonLd(product(offerOf("1.299")))), "130 EUR json_ld 0.7 unknown");
  assertEquals(shown(readJsonLd(product(offerOf(1.299)))), "130 EUR json_ld 0.9 unknown");
});

/** Prices for other quantities, some customers or the delivery; the usual price is 15.00. */
const OTHER_PRICES: Readonly<Record<string, unknown>> = {
  "of members": { price: 9, validForMemberTier: { "@id": "#gold" } },
  "of a kilogram": { price: 4, referenceQuantity: { value: 1, unitCode: "KGM" } },
  "of a kilogram in a text": { price: 4, referenceQuantity: "1 kg" },
  "of a unit that the specification names by its code": { price: 4, unitCode: "LTR" },
  "of a unit that the specification names by its text": { price: 3, unitText: "100 ml" },
  "of a dozen": { price: 4, eligibleQuantity: { minValue: 12 } },
  "of a month": { price: 4, billingDuration: "P1M" },
  "of the delivery": { "@type": "DeliveryChargeSpecification", price: 4 },
};

const notOther = ([of, other]: [string, unknown]) =>
  [`not the price ${of}`, [other, { price: 15 }]] as const;

const SPECIFICATIONS: Grouped<unknown[]> = {
  "1000 EUR, list price 1500": {
    "the price without a type": [
      { price: 10 },
      { price: 15, priceType: "https://schema.org/StrikethroughPrice" },
    ],
  },
  "1500 EUR": {
    ...Object.fromEntries(Object.entries(OTHER_PRICES).map(notOther)),
    "the price of a piece, however it is named": [
      { price: 15, referenceQuantity: "1 Stück" },
      { price: 16, referenceQuantity: { value: 1, unitText: "Stück" } },
      { price: 17, unitCode: "C62" },
      { price: 18, unitText: "Packung" },
    ],
    "the price of a metre alone": [{ price: 15, unitCode: "MTR" }],
    "one piece by its text": [{ price: 15, referenceQuantity: { value: 1, unitText: "Stück" } }],
  },
  "1190 EUR": {
    "the price with tax": [
      { price: 10, valueAddedTaxIncluded: false },
      { price: 11.9, valueAddedTaxIncluded: true },
    ],
  },
};

testEach("JSON-LD price specifications", SPECIFICATIONS, (priceSpecification) => {
  const result = readJsonLd(product({ priceCurrency: "EUR", priceSpecification }));
  const listPrice = "price" in result ? result.listPrice : null;
  return price(result) + (listPrice === null ? "" : `, list price ${listPrice}`);
});

Deno.test("JSON-LD: a list price counts only if it is above the price", () => {
  const priceSpecification = { price: 15, priceType: "ListPrice" };
  const result = readJsonLd(product(offerOf(20, { priceSpecification })));
  assertEquals("price" in result && [result.price, result.listPrice], [2000, null]);
});

const eurRate = (value: unknown) => ({ value, currency: "EUR" });
const SHIPPING: Grouped<readonly unknown[]> = {
  "500": { "without a currency is in that of the price": [eurRate(5), { value: 5 }] },
  "null": {
    "is unknown if destinations differ": [eurRate(4.95), eurRate(9.95)],
    "in another currency than the price is left out": [{ value: 7.5, currency: "GBP" }],
    "is unknown if a rate cannot be read": [{ value: "4.90" }, { value: "ab 4,90 €" }],
  },
};

testEach("JSON-LD shipping", SHIPPING, (rates) => {
  const shippingDetails = rates.map((shippingRate) => ({ shippingRate }));
  const result = readJsonLd(product(offerOf(20, { shippingDetails })));
  return "price" in result ? `${result.shipping}` : "failed";
});

Deno.test("JSON-LD: shipping in the price's currency counts, even if the offer names another one", () => {
  const price = { "@type": "MonetaryAmount", value: 20, currency: "CHF" };
  const shippingDetails = { shippingRate: { value: 5, currency: "CHF" } };
  const result = readJsonLd(product({ priceCurrency: "EUR", price, shippingDetails }));
  assertEquals("price" in result && [result.currency, result.shipping], ["CHF", 500]);
});

const OUT_OF_STOCK: Readonly<Record<string, unknown>> = {
  "a reference": { "@id": "https://schema.org/OutOfStock" },
  "a typed reference": { "@type": "ItemAvailability", "@id": "https://schema.org/OutOfStock" },
  "a node with a name": { "@id": "schema:OutOfStock", name: "Ausverkauft" },
  "a node of its own": [{ "@type": "ItemAvailability", "@id": "schema:OutOfStock" }],
};

testEach(
  "JSON-LD availability",
  { "2000 EUR json_ld 0.9 out_of_stock": OUT_OF_STOCK },
  (availability) => shown(readJsonLd(product(offerOf(20, { availability })))),
);

const EAN = "4012345678901";
const SOLD_OUT = offerOf(20, { availability: "OutOfStock" });
const REFERRED_USED = offerOf(20, {
  itemCondition: { "@type": "OfferItemCondition", "@id": "https://schema.org/UsedCondition" },
});

const OFFERS: Grouped<unknown[]> = {
  "3000 EUR": {
    "the lowest in stock": [SOLD_OUT, offerOf(30, { availability: "InStock" })],
    "the lowest new one, whose condition is an entity": [REFERRED_USED, offerOf(30)],
    "the one with the EAN": [
      offerOf(20, { gtin13: "4006381333931" }),
      offerOf(30, { gtin13: EAN }),
    ],
    "the one with the address": [
      offerOf(20, { url: "/p/other" }),
      offerOf(30, { url: URL_OF_PAGE }),
    ],
    "not the one for members": [
      offerOf(20, { validForMemberTier: { "@id": "#gold" } }),
      offerOf(30),
    ],
    "not the one for bulk buyers": [
      offerOf(20, { eligibleQuantity: { minValue: 10 } }),
      offerOf(30),
    ],
  },
  "2000 EUR": {
    "the lowest, if only one has an address": [offerOf(20), offerOf(30, { url: URL_OF_PAGE })],
  },
};

testEach(
  "JSON-LD of several offers",
  OFFERS,
  (offers) => price(readJsonLd(product(offers), { product: { ean: EAN } })),
);

Deno.test("JSON-LD: a variant whose number is in the address of the page counts", () => {
  const variants = ["5551", "5552"].map((sku, n) => product(offerOf(30 + n), { sku }));
  const group = { "@type": "ProductGroup", hasVariant: variants };
  const url = "https://shop.example/p/x?sku=5552";
  assertEquals(price(readJsonLd(group)), "3000 EUR");
  const link = `<link rel=canonical href="${url}">`;
  assertEquals(price(readHtml(link + jsonLd(group))), "3000 EUR");
});

const OFFERED = '{"@type":"Product","offers":{"price":12.99,"priceCurrency":"EUR"}}';

const BROKEN: Readonly<Record<string, string>> = {
  "quotes as entities": OFFERED.replaceAll('"', "&quot;"),
  "objects in a row": `{"@type":"WebSite"},${OFFERED}`,
  "a comment of HTML around it": `<!-- ${OFFERED} -->`,
  "CDATA marks": `//<![CDATA[\n${OFFERED}\n//]]>`,
  "CDATA marks on one line": `//<![CDATA[ ${OFFERED} //]]>`,
  "CDATA marks in comments": `/* <![CDATA[ */${OFFERED}/* ]]> */`,
  "commas too many": '{"@type":"Product","offers":[{"price":12.99,"priceCurrency":"EUR",},],}',
  "a value that is no JSON": OFFERED.replace("{", '{"rating":NaN,'),
  "a semicolon at the end": `${OFFERED};`,
  "line breaks within strings": OFFERED.replace("{", '{"description":"a\nb\tc",'),
  "wrong escapes": OFFERED.replace("{", String.raw`{"name":"it\'s",`),
  "comments that are not in strings": OFFERED.replace(
    "{",
    '{ // note\n"url":"https://x.example/a", /* b */',
  ),
};

for (const [name, text] of Object.entries(BROKEN)) {
  Deno.test(`JSON-LD: a block with ${name} is read`, () => {
    assertEquals(price(readJsonLd(text)), "1299 EUR");
  });
}

Deno.test("JSON-LD: an unreadable block does not affect the others", () => {
  const broken = '{"@type":"Product","offers":{"price":"1';
  assertEquals(price(readHtml(jsonLd(broken) + jsonLd(product(offer)))), "1299 EUR");
});

const item = (type: string, inner: string, more = "") =>
  `<div itemscope itemtype="https://schema.org/${type}" ${more}>${inner}</div>`;
const itemOffer = (inner: string) => item("Offer", inner, "itemprop=offers");
const currency = '<meta itemprop=priceCurrency content="EUR">';

const VALUES: Grouped<string> = {
  "1299 EUR": {
    "content of a meta element": '<meta itemprop=price content="12.99">',
    "value of a data element": '<data itemprop=price value="12.99">x</data>',
  },
  "2999 EUR": {
    "text with raised cents": "<span itemprop=price>29<sup>99</sup> €</span>",
  },
  "129995 EUR": {
    "text with cents in a class": '<b itemprop=price>1.299<i class="cents">95</i></b>',
  },
  "3999 EUR": {
    "a struck text beside a rate": "<p itemprop=price><s>39,99 €</s> 5,99 €/kg</p>",
    "a struck text beside a count": "<p itemprop=price><s>39,99 €</s> (12)</p>",
  },
  "ambiguous_price": { "split digits": "<span itemprop=price><b>29</b><b>99</b> €</span>" },
};

const markedUp = (value: string) => price(readHtml(item("Product", itemOffer(currency + value))));
testEach("microdata, a price as", VALUES, markedUp);

const priced = itemOffer(`${currency}<meta itemprop=price content="12.99">`);
const lone = `${currency}<meta itemprop=price content="5">`;
const money = `${currency}<b itemprop=price>12,99</b>`;

const ITEM_SHAPES: Grouped<string> = {
  "1299 EUR": {
    "data-vocabulary.org":
      '<p itemscope itemtype="http://data-vocabulary.org/Product"><b itemprop=offerDetails itemscope itemtype="http://data-vocabulary.org/Offer"><meta itemprop=price content=12.99><meta itemprop=currency content=EUR></b></p>',
    "itemtype without itemscope":
      '<p itemtype="https://schema.org/Product"><meta itemprop=price content=12.99><meta itemprop=priceCurrency content=EUR></p>',
    "AggregateOffer": item(
      "Product",
      item("AggregateOffer", `${currency}<b itemprop=lowPrice>12,99</b>`, "itemprop=offers"),
    ),
    "an offer that is not said to be the product's": item("Product", item("Offer", money)),
    "offers of no product beside a product": itemOffer(lone) + item("Product", priced),
  },
  "no_price": {
    "an event": item("Event", priced),
    "a template": `<template>${item("Product", priced)}</template>`,
  },
};

testEach("microdata", ITEM_SHAPES, (html) => price(readHtml(html)));

Deno.test("microdata: the stock may be a link, a meta element or a text", () => {
  const stock = (html: string) =>
    shown(readHtml(item("Product", itemOffer(lone + html)))).split(" ").at(-1);
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
  "no_price": {
    "another vocabulary":
      '<div typeof="Product"><b property="http://example.com/price">12,99 €</b></div>',
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
const META_PAGES: Grouped<Record<string, string>> = {
  "1299 EUR opengraph 0.9 unknown": {
    "product:price": { "product:price:amount": "12.99", "product:price:currency": "EUR" },
    "og:price": { "og:price:amount": "12,99", "og:price:currency": "EUR" },
  },
  "30000 KRW opengraph 0.9 unknown": { "a price with its currency": { "og:price": "30,000원~" } },
  "1500 EUR opengraph 0.9 unknown": { "the sale price": SALE },
  "2000 EUR opengraph 0.9 out_of_stock": {
    "the stock": { ...FOR_20, "product:availability": "out of stock" },
  },
  "ambiguous_price": { "no currency": { "product:price:amount": "20" } },
};

testEach("OpenGraph", META_PAGES, (values) => shown(readHtml(metas(values))));

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

const named = (name: string, amount: number | null, more = {}) => ({
  "@type": "Product",
  name,
  ...(amount === null ? {} : { offers: { price: amount, priceCurrency: "EUR" } }),
  ...more,
});
const page = (heading: string, json: unknown) => `<h1>${heading}</h1>${jsonLd(json)}`;

const KM = "Kaffeemaschine KM 300";
const TOASTER = named("Toaster TA 1", 20);
const MAIN = named("Kaffeemaschine", null, { isRelatedTo: { "@id": "#filter" } });
const FILTER = named("Filter", 5, { "@id": "#filter" });
const ITEM = { "@type": "ListItem", item: named("A", 20) };
const LIST = { "@type": "ItemList", itemListElement: [ITEM] };

const CHOICES: Grouped<string> = {
  "9900 EUR json_ld 0.9 unknown": {
    "the product with the page's address": page("", [
      named("A", 20, { url: "/p/toaster" }),
      named("B", 99, { url: "/p/kaffeemaschine?v=1" }),
    ]),
    "the product whose address has the page's parameter":
      '<link rel=canonical href="/shop.php?id=5">' +
      page("", [
        named("A", 20, { url: "/shop.php?id=7" }),
        named("B", 99, { url: "/shop.php?id=5&lang=de" }),
      ]),
  },
  "9900 EUR json_ld 0.7 unknown": {
    "the product with an offer, although only the entry with the rating has the page's address":
      page("Angebot", [
        named(KM, null, { url: "/p/kaffeemaschine" }),
        named(`Bosch ${KM}`, 99),
      ]),
  },
  "1900 EUR json_ld 0.9 unknown": {
    "the case, not the phone, on the page of a phone case": page("Hülle für Galaxy S50", [
      named("Galaxy S50", 899),
      named("Hülle für Galaxy S50", 19),
    ]),
  },
  "12000 EUR json_ld 0.9 unknown": {
    "the product with the EAN before the one with the heading": page("Kaffeemaschine", [
      named("Kaffeemaschine", 99),
      named("Set", 120, { gtin13: "4006381333931" }),
    ]),
  },
  no_price: {
    "no product, if only others than the page's own have a price": page(KM, [
      named(KM, null),
      TOASTER,
    ]),
    "no related product": jsonLd({ "@graph": [FILTER, MAIN] }),
    "no similar product": jsonLd({ ...MAIN, isSimilarTo: FILTER }),
  },
  "2000 EUR json_ld 0.7 unknown": {
    "the first product of a list": jsonLd(LIST),
  },
  "2000 EUR json_ld 0.9 unknown": {
    "the first of several products with one price": jsonLd([named("A", 20), named("B", 20)]),
  },
  "3000 EUR json_ld 0.9 unknown": {
    "the product that is not in the list": jsonLd([LIST, named("B", 30)]),
  },
};

const read = (html: string) => shown(readHtml(html, { product: { ean: "4006381333931" } }));
testEach("extractPrice() takes", CHOICES, read);
