import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import type { WantedProduct } from "../../../../src/engine/extraction/page_product.ts";
import { type Grouped, testEach } from "../../grouped.ts";
import { extract, jsonLd } from "../reading_pages.ts";
import { outcomeOf, PAGE, pageOf, SIZES, SOURCES } from "./variant_pages.ts";

const shopify = SOURCES["the product JSON of Shopify"]?.(SIZES) ?? "";
const group = SOURCES["hasVariant of a ProductGroup"]?.(SIZES) ?? "";
const title = "Talheim Bratpfanne Pro";

const sized = (size: string) => ({ title: `${title} ${size}` });
const THIRD = `${PAGE}?variant=48103`;

/** Expected outcome → our product, the address, and the page. */
const WAYS: Grouped<readonly [WantedProduct | null, url?: string, html?: string]> = {
  "2999 0.9 out_of_stock 28 cm by gtin": {
    "GTIN before all else": [{ ...sized("20 cm"), ean: "4006381333948", mpn: "PF-32" }, THIRD],
  },
  "3999 0.9 in_stock 32 cm by mpn": {
    "the maker's number before the shop's": [{ ...sized("20 cm"), mpn: "PF-32", shopSku: "PF-20" }],
  },
  "3999 0.9 in_stock 32 cm by sku": {
    "the shop's number before the address": [{ title, shopSku: "PF-32" }, `${PAGE}?variant=48102`],
    "our own number, if the shop has the same": [{ title, sku: "PF-32" }],
  },
  "3999 0.9 in_stock 32 cm by address": {
    "the parameter of the address": [{ title }, `${PAGE}?utm_source=x&variant=48103`],
    "the parameter of the address without a known product": [null, THIRD],
    "the fragment of the address": [{ title }, `${PAGE}#/26-groesse-32_cm`],
    "an option in the address": [{ title }, `${PAGE}?attribute_pa_groesse=32-cm`],
    "the address of an offer": [{ title }, THIRD, group],
  },
  "3999 0.7 in_stock 32 cm by address": {
    "the address with a doubt, if our title names another size": [sized("28 cm"), THIRD],
  },
  "3999 0.6 in_stock 32 cm by address": {
    "the address with little confidence, if no variant has our title's size": [
      sized("24 cm"),
      THIRD,
    ],
  },
  "3999 0.7 in_stock 32 cm by title": {
    "our title with a doubt, if all GTINs differ": [{ ...sized("32 cm"), ean: "4012345678901" }],
  },
  "1999 1 in_stock 20 cm by title": {
    "our title, which means the shown variant": [sized("20 cm")],
  },
  "1999 0.7 in_stock variant_open": {
    "no data, but parameters about the visit": [{ title }, `${PAGE}?utm_id=48103&page=2`],
    "no data": [{ title }],
  },
  "1999 0.6 in_stock variant_unknown": {
    "no data, because no variant has our title's size": [sized("24 cm")],
  },
  "3999 0.9 in_stock 32 cm by title": { "our title": [sized("32 cm")] },
};

testEach(
  "extractPrice() chooses the variant by",
  WAYS,
  ([product, url = PAGE, html = shopify]) => outcomeOf(html, { product }, url),
);

const centsOf = (at: number) => 1999 + 1000 * at;

/** Shopify's page of an article with these options. Each option costs more than the one before. */
function pageOfOptions(options: readonly string[]): string {
  const named = options.map((name, at) => (
    { ...SIZES[0]!, name, id: 500 + at, sku: `S${at}`, gtin: "", cents: centsOf(at) }
  ));
  return SOURCES["the product JSON of Shopify"]?.(named) ?? "";
}

/** Case, option names with the wanted one first, and our title. */
const TITLES: readonly (readonly [string, readonly string[], string])[] = [
  ["capacities", ["256 GB", "128 GB", "1 TB"], "Telefon X 256GB"],
  ["capacities in French", ["256 Go", "128 Go", "512 Go"], "Telefon X 256 GB"],
  ["capacities in terabytes", ["1 To", "512 Go"], "Telefon X 1 TB"],
  ["lengths in other units", ["2 m", "1 m", "3 m"], "Kabel X 200 cm"],
  ["lengths in inches", ['55"', '65"'], "Fernseher X 139 cm"],
  ["contents", ["0,5 l", "1 l"], "Flasche X 500 ml"],
  ["contents in centilitres", ["50 cl", "100 cl"], "Bouteille X 500 ml"],
  ["weights", ["2,5 kg", "5 kg"], "Futter X 2500 g"],
  ["pieces in German", ["2er-Set", "4er-Set", "1 Stück"], "Glas X 2 Stück"],
  ["pieces in French", ["Lot de 4", "Lot de 2"], "Glas X 4er-Pack"],
  ["pieces in English", ["Pack of 12", "Pack of 6"], "Kapseln X 12 Stk."],
  ["pieces with a sign", ["3x", "6x"], "Kerze X 3er Set"],
  ["colours in English", ["Black", "White"], "Lampe X schwarz"],
  ["colours in French", ["Noir", "Blanc"], "Lampe X, Schwarz"],
  ["colours in German", ["Dunkelgrau", "Weiß"], "Lamp X grey"],
  ["colours by name", ["Titan Natur", "Titan Blau"], "Telefon X Titan Natur"],
  ["sizes", ["XL", "L", "M"], "Shirt X Gr. XL"],
  ["sizes of letters", ["M", "L", "S"], "Shirt X, M"],
  ["sizes of numbers", ["42", "43", "44"], "Schuh X Größe 42"],
  ["two values", ["256 GB / Schwarz", "256 GB / Weiß", "128 GB / Schwarz"], "X black 256 GB"],
  ["memory and storage", ["8 GB / 256 GB", "8 GB / 512 GB", "16 GB / 512 GB"], "X 8GB RAM 256GB"],
  ["a lid that our title does not name", ["28 cm", "28 cm mit Deckel", "32 cm"], "Topf X 28 cm"],
  ["a lid", ["28 cm mit Deckel", "28 cm", "32 cm"], "Topf X 28 cm mit Deckel"],
  ["words", ["Links", "Rechts"], "Scharnier X links"],
];

for (const [name, [first = "", ...others], ourTitle] of TITLES) {
  Deno.test(`extractPrice() finds ${name} of our title among the options`, () => {
    // The page shows the option that comes first. The wanted option comes last.
    const html = pageOfOptions([...others, first]);
    const [amount, confidence] = outcomeOf(html, { product: { title: ourTitle } }).split(" ");
    assertEquals([amount, confidence], [String(centsOf(others.length)), "0.9"]);
  });
}

const FOREIGN: readonly (readonly [string, readonly string[], string])[] = [
  ["capacities", ["128 GB", "256 GB"], "Telefon X 512 GB"],
  ["lengths", ["1 m", "3 m"], "Kabel X 2 m"],
  ["colours", ["Rot", "Blau"], "Lampe X schwarz"],
  ["pieces", ["2er-Set", "4er-Set"], "Glas X 6er-Set"],
  ["pairs of values", ["256 GB / Schwarz", "128 GB / Weiß"], "Telefon X 128 GB schwarz"],
];

for (const [name, options, ourTitle] of FOREIGN) {
  Deno.test(`extractPrice() finds no variant with the ${name} of our title`, () => {
    const found = outcomeOf(pageOfOptions(options), { product: { title: ourTitle } });
    assertEquals(found, "1999 0.6 in_stock variant_unknown");
  });
}

/** A page that shows 19,99 €, and only names its options. */
function pageOfLabels(named: string): string {
  const offers = { price: "19.99", priceCurrency: "EUR", availability: "InStock" };
  return pageOf(SIZES.slice(0, 1), {
    head: jsonLd({ "@type": "Product", name: title + named, offers }),
    heading: title + named,
    buy: '<input type="radio" id="a" checked><label for="a">20 cm</label>' +
      '<input type="radio" id="b"><label for="b">28 cm</label>',
  });
}

const euro = (cents: number) => `${(cents / 100).toFixed(2)} €`;
const SURCHARGED = pageOf(SIZES.slice(0, 1), {
  head: '<meta property="product:price:amount" content="19.99">' +
    '<meta property="product:price:currency" content="EUR">',
  buy: "<select><option>128 GB</option><option>256 GB (+100,50 €)</option></select>",
});
const NUMBERED = pageOf(SIZES.slice(0, 1), {
  buy: `<table>${
    SIZES.map(({ sku, name, cents }) =>
      `<tr><td>${sku}</td><td>${name}</td><td>${euro(cents)}</td></tr>`
    ).join("")
  }</table>`,
});
const tableOf = (...cells: string[]) =>
  pageOf([], {
    buy: `<b class=price>24,99 €</b><table>${
      cells.map((cell, n) => `<tr><td>${cell}</td><td>${24 - n},99 €</td></tr>`).join("")
    }</table>`,
  });
const sizeRow = (size: string, each: string, price: string, stock: string) =>
  `<tr><td>${size}</td><td>${each} €/l</td><td>${price} €</td><td>${stock}</td></tr>`;
const LITRES = pageOf([], {
  buy: `<b class=price>29,90 €</b><table>${sizeRow("1,25 Liter", "23,92", "29,90", "ausverkauft")}${
    sizeRow("5 Liter", "15,98", "79,90", "auf Lager")
  }</table>`,
});
const radio = (name: string, price: string) =>
  `<label><input type=radio><i>${name}</i> <b>${price}</b></label>`;
const RADIOS = pageOf([], {
  buy: `<b class=price>19.99 €</b>${
    SIZES.map(({ cents }, n) => radio(`${n + 1} kg</i> <i>55412.5${n}`, euro(cents))).join("")
  }`,
});
const GRADES = pageOf([], {
  buy: `<b class=price>379,00 €</b>${radio("Gut", "379,00 €")}${radio("Sehr gut", "419,00 €")}` +
    radio("Hervorragend", "459,00 €"),
});
const format = (name: string, price: string, more = "") =>
  `<div><label><input type=radio ${more}> <b>${name}</b></label><i>${price} €</i></div>`;
const FORMATS = pageOf([], {
  buy: `<form>${format("Carton de 6 bouteilles", "102,00", "checked")}` +
    `${format("Bouteille 75 cl", "18,90")}${format("Magnum 150 cl", "39,50")}</form>`,
});

/** Expected outcome → the page, and what our title adds to the name. */
const OPTIONS: Grouped<readonly [html: string, ours: string, mpn?: string]> = {
  "1999 1 in_stock no variants": {
    "options without prices, of which the selected one is ours": [pageOfLabels(""), "20 cm"],
    "options without prices, and a heading with ours": [pageOfLabels(" 28 cm"), "28 cm"],
    "options without prices, and a title without one": [pageOfLabels(""), ""],
  },
  "1999 0.7 in_stock variant_open": {
    "options without prices, of which another one is selected": [pageOfLabels(""), "28 cm"],
  },
  "1999 0.6 in_stock variant_unknown": {
    "options without prices, of which none is ours": [pageOfLabels(""), "24 cm"],
  },
  "12049 0.9 unknown 256 GB by title": { "an option with a surcharge": [SURCHARGED, "256 GB"] },
  "1999 1 unknown 128 GB by title": { "an option without a surcharge": [SURCHARGED, "128 GB"] },
  "3999 0.9 unknown PF-32 32 cm 39.99 € by mpn": {
    "the row of a table with our number": [NUMBERED, "", "PF-32"],
  },
  "1999 0.8 unknown no variants": { "a table without our number": [NUMBERED, "", "PF-99"] },
  "2299 0.9 unknown 140 x 200 by title": {
    "the row with our two sides": [tableOf("80 x 200", "90 x 200", "140 x 200"), "140 x 200 cm"],
  },
  "2399 0.9 unknown 500 g by title": {
    "the row with our weight": [tableOf("250 g", "500 g", "1 kg"), "500 g"],
  },
  "2499 0.8 unknown no variants": {
    "a table of bare numbers": [tableOf("1", "10", "50"), "10 mm"],
    "a table of quantities": [tableOf("1 Stück", "10 Stück", "50 Stück"), "10 Stück"],
  },
  "7990 0.9 in_stock 5 Liter by title": {
    "a row with a price per litre and a stock as well": [LITRES, "5 l"],
  },
  "2999 0.9 unknown 2 kg 55412.51 by title": {
    "radio buttons with a number between the size and the price": [RADIOS, "2 kg"],
  },
  "41900 0.9 unknown Sehr gut by title": {
    "a grade whose name contains another one": [GRADES, ", Zustand Sehr gut"],
  },
  "37900 1 unknown Gut by title": {
    "a grade whose name is in another one": [GRADES, ", Zustand gut"],
  },
  "1890 0.9 unknown Bouteille 75 cl by title": {
    "radio buttons whose prices are beside their labels": [FORMATS, ", bouteille 75 cl"],
  },
};

testEach(
  "extractPrice() of options",
  OPTIONS,
  ([html, ours, mpn = null]) => outcomeOf(html, { product: { title: `${title} ${ours}`, mpn } }),
);

Deno.test("extractPrice() has no price for an article with another number of our series", () => {
  const offers = { "@type": "Offer", price: "129.90", priceCurrency: "EUR" };
  const head = jsonLd({ "@type": "Product", name: title, mpn: "06019K6000", offers });
  const outcome = (mpn: string) => {
    const { result, facts } = extract(pageOf([], { head }), { product: { title, mpn } });
    return ["price" in result ? result.price : result.errorCode, facts.pageStatus];
  };
  assertEquals(outcome("06019K6005"), ["other_product", "other_product"]);
  for (const mpn of ["06019K6000", "4711"]) assertEquals(outcome(mpn), [12990, "priced"], mpn);
});

const OPEN = /^1999 0\.[0-7] in_stock variant_open$/;

/** What is known of our product, our product, and the outcome. */
const ASKS = [
  ["our GTIN", { ean: "4006381333948" }, /^2999 (?:0\.9|1) out_of_stock 28.cm by gtin$/],
  ["the shop's number", { shopSku: "PF-32" }, /^3999 (?:0\.9|1) in_stock 32.cm by sku$/],
  ["our title", { title: `${title}, Ø 320 mm` }, /^3999 (?:0\.9|1) in_stock 32.cm by title$/],
  ["no hint", { title }, OPEN],
  ["no product", null, OPEN],
  ["another size", { title: `${title} 24 cm` }, /^1999 0\.[0-6] in_stock variant_unknown$/],
] as const;

for (const [name, page] of Object.entries(SOURCES)) {
  Deno.test(`extractPrice() chooses among variants from ${name}`, () => {
    for (const [asked, product, expected] of ASKS) {
      if (name === "var meta of Shopify" && asked === "the shop's number") continue;
      match(outcomeOf(page(SIZES), { product }), expected, asked);
    }
  });
}
