import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  jsonLd,
  offerOf as eur,
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
const TYPE = { "@type": "Offer" };
const PRICED = { price: 12.99, priceCurrency: "EUR" };
const USED = eur(20, { itemCondition: "https://schema.org/UsedCondition" });

const SHAPES: Grouped<unknown> = {
  "1299 EUR": {
    "a product with an offer": product(offer),
    "a list of blocks": [{ "@type": "WebSite" }, product(offer)],
    "@graph": { "@graph": [{ "@type": "WebPage" }, product(offer)] },
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
    "an offer without a type": product({ price: 12.99, priceCurrency: "EUR" }),
    "offers in nested lists": product(["x", [[offer], USED]]),
    "a reference to an offer": [product({ "@id": "#o" }), { ...offer, "@id": "#o" }],
    "a reference with a type": [product({ ...TYPE, "@id": "#o" }), { ...offer, "@id": "#o" }],
    "a currency in the specification alone": product({ price: 12.99, priceSpecification: PRICED }),
    "the price of one piece": product({
      priceCurrency: "EUR",
      priceSpecification: { price: 12.99, referenceQuantity: { value: 1, unitCode: "C62" } },
    }),
    "an offer that names its product": { ...offer, itemOffered: { "@type": "Product", name: "A" } },
    "an offer alone": offer,
    "@value": product(eur({ "@value": "12.99" })),
    "a monetary amount as price": product({
      price: { "@type": "MonetaryAmount", value: 12.99, currency: "EUR" },
    }),
    "AggregateOffer": product(aggregate({ lowPrice: "12.99", highPrice: "20" })),
    "AggregateOffer with priced offers": product(aggregate({
      lowPrice: 9,
      offers: [eur(10, { availability: "OutOfStock" }), { price: 12.99 }],
    })),
    "ProductGroup": { "@type": "ProductGroup", hasVariant: [product(eur(15)), product(offer)] },
    "a price on the product itself": { ...PRICED, "@type": "Product" },
    "priceSpecification": product({ priceSpecification: PRICED }),
    "a product that is reviewed": { "@type": "AggregateRating", itemReviewed: product(offer) },
  },
  "no_price": {
    "an event": { "@type": "Event", offers: offer },
    "a game": { "@type": "VideoGame", offers: offer },
    "an app": { "@type": "SoftwareApplication", offers: offer },
    "a rented product": product(
      eur(5, { businessFunction: "http://purl.org/goodrelations/v1#LeaseOut" }),
    ),
    "a price of 0": product(eur("0.00")),
    "a negative price": product(eur(-5)),
    "a price that is a word": product(eur("auf Anfrage")),
    "a price that is no finite number": product(eur("1e999")),
    "a number in e-notation": product(eur(1e30)),
    "a product without offers": product([]),
    "a text": "x",
  },
};

testEach("JSON-LD", SHAPES, (json) => price(readJsonLd(json)));

const WRITINGS: readonly (readonly [unknown, string, string])[] = [
  [12.99, "EUR", "1299 EUR"],
  ["12.99", "EUR", "1299 EUR"],
  ["1299", "EUR", "129900 EUR"],
  ["1,299.00", "EUR", "129900 EUR"],
  ["1.299,00", "EUR", "129900 EUR"],
  ["44,99", "EUR", "4499 EUR"],
  ["44,99 €", "", "4499 EUR"],
  ["1,299", "EUR", "129900 EUR"],
  ["1,299", "", "ambiguous_price"],
  [1.299, "EUR", "130 EUR"],
  ["1.299", "EUR", "130 EUR"],
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
  assertEquals(shown(readJsonLd(product(eur("1.299")))), "130 EUR json_ld 0.7 unknown");
  assertEquals(shown(readJsonLd(product(eur(1.299)))), "130 EUR json_ld 0.9 unknown");
});

/** Prices that are not the price of one piece for everybody. A price of 15.00 is beside each. */
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
  "no_price": { "no list price alone": [{ price: 15, priceType: "ListPrice" }] },
};

testEach("JSON-LD price specifications", SPECIFICATIONS, (priceSpecification) => {
  const result = readJsonLd(product({ priceCurrency: "EUR", priceSpecification }));
  const listPrice = "price" in result ? result.listPrice : null;
  return price(result) + (listPrice === null ? "" : `, list price ${listPrice}`);
});

Deno.test("JSON-LD: a list price counts only if it is above the price", () => {
  const priceSpecification = { price: 15, priceType: "ListPrice" };
  const result = readJsonLd(product(eur(20, { priceSpecification })));
  assertEquals("price" in result && [result.price, result.listPrice], [2000, null]);
});

const eurRate = (value: unknown) => ({ value, currency: "EUR" });
const SHIPPING: Grouped<readonly unknown[]> = {
  "495": { "counts if all destinations pay the same": [eurRate(4.95), eurRate(4.95)] },
  "0": {
    "may be free": [eurRate(0)],
    "is the same in whatever writing": [{ value: "0" }, { value: "0.00" }, { value: 0 }],
  },
  "500": { "without a currency is in that of the price": [eurRate(5), { value: 5 }] },
  "490": { "is the same with and without decimals": [{ value: "4.90" }, { value: 4.9 }] },
  "null": {
    "is unknown without rates": [],
    "is unknown if destinations differ": [eurRate(4.95), eurRate(9.95)],
    "in another currency than the price is left out": [{ value: 7.5, currency: "GBP" }],
    "is unknown for rates in two currencies": [eurRate(5), { value: 5, currency: "GBP" }],
    "is unknown if a rate cannot be read": [{ value: "4.90" }, { value: "ab 4,90 €" }],
  },
};

testEach("JSON-LD shipping", SHIPPING, (rates) => {
  const shippingDetails = rates.map((shippingRate) => ({ shippingRate }));
  const result = readJsonLd(product(eur(20, { shippingDetails })));
  return "price" in result ? `${result.shipping}` : "failed";
});

Deno.test("JSON-LD: shipping in the price's currency counts, even if the offer names another one", () => {
  const price = { "@type": "MonetaryAmount", value: 20, currency: "CHF" };
  const shippingDetails = { shippingRate: { value: 5, currency: "CHF" } };
  const result = readJsonLd(product({ priceCurrency: "EUR", price, shippingDetails }));
  assertEquals("price" in result && [result.currency, result.shipping], ["CHF", 500]);
});

const LOW_PRICES: Grouped<unknown> = {
  "2000 EUR": {
    "a lowest price of 0 gives way to the price": aggregate({ lowPrice: 0, price: 20 }),
    "an empty lowest price does, too": aggregate({ lowPrice: "-", price: 20 }),
  },
  "1500 EUR": {
    "the lowest price of an aggregate counts": aggregate({ lowPrice: 15, price: 20 }),
    "a price of 0 gives way to the lowest": eur(0, { lowPrice: 15 }),
  },
  "no_price": { "twice 0 is no price": aggregate({ lowPrice: 0, price: 0 }) },
};

testEach("JSON-LD lowest price", LOW_PRICES, (offers) => price(readJsonLd(product(offers))));

const OUT_OF_STOCK: Readonly<Record<string, unknown>> = {
  "an address": "https://schema.org/OutOfStock",
  "a reference": { "@id": "https://schema.org/OutOfStock" },
  "a typed reference": { "@type": "ItemAvailability", "@id": "https://schema.org/OutOfStock" },
  "a node with a name": { "@id": "schema:OutOfStock", name: "Ausverkauft" },
  "a node of its own": [{ "@type": "ItemAvailability", "@id": "schema:OutOfStock" }],
};

testEach(
  "JSON-LD availability",
  { "2000 EUR json_ld 0.9 out_of_stock": OUT_OF_STOCK },
  (availability) => shown(readJsonLd(product(eur(20, { availability })))),
);

const EAN = "4012345678901";
const SOLD_OUT = eur(20, { availability: "OutOfStock" });
const REFURBISHED = eur(20, { itemCondition: "RefurbishedCondition" });
const REFERRED_USED = eur(20, {
  itemCondition: { "@type": "OfferItemCondition", "@id": "https://schema.org/UsedCondition" },
});

const OFFERS: Grouped<unknown[]> = {
  "3000 EUR": {
    "the highest of those that differ in their price alone": [eur(30), eur(20)],
    "the lowest in stock": [SOLD_OUT, eur(30, { availability: "InStock" })],
    "the lowest new one": [USED, eur(30)],
    "the lowest new one, whose condition is an entity": [REFERRED_USED, eur(30)],
    "the lowest new one without stock before a used one": [REFURBISHED, { ...SOLD_OUT, price: 30 }],
    "the one with the EAN": [eur(20, { gtin13: "4006381333931" }), eur(30, { gtin13: EAN })],
    "the one with the address": [eur(20, { url: "/p/other" }), eur(30, { url: URL_OF_PAGE })],
    "not the one for members": [eur(20, { validForMemberTier: { "@id": "#gold" } }), eur(30)],
    "not the one for bulk buyers": [eur(20, { eligibleQuantity: { minValue: 10 } }), eur(30)],
    "those in the currency of the first": [eur(30), eur(20, { priceCurrency: "USD" })],
  },
  "2000 EUR": {
    "the lowest": [eur(30, { url: "/p/a" }), eur(20, { url: "/p/b" })],
    "the only one, used as it is": [USED],
    "the lowest, if only one has an address": [eur(20), eur(30, { url: URL_OF_PAGE })],
  },
};

testEach(
  "JSON-LD of several offers",
  OFFERS,
  (offers) => price(readJsonLd(product(offers), { product: { ean: EAN } })),
);

Deno.test("JSON-LD: a variant whose number is in the address of the page counts", () => {
  const variants = ["5551", "5552"].map((sku, n) => product(eur(30 + n), { sku }));
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
