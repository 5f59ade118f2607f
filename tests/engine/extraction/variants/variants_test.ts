/** Small pages with the same three variants, in the markup and data of several shop systems. */
import { euro, extract, jsonLd } from "../reading_pages.ts";
import type { ExtractOptions } from "../../../../src/engine/extraction/extract_price.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import type { WantedProduct } from "../../../../src/engine/extraction/page_product.ts";
import { type Grouped, testEach } from "../../grouped.ts";

/** Three variants; the page shows the first one. */
const SIZES = [
  { id: 48101, name: "20 cm", sku: "PF-20", gtin: "4006381333931", cents: 1999, isInStock: true },
  { id: 48102, name: "28 cm", sku: "PF-28", gtin: "4006381333948", cents: 2999, isInStock: false },
  { id: 48103, name: "32 cm", sku: "PF-32", gtin: "4006381333955", cents: 3999, isInStock: true },
];

type TestVariant = Readonly<(typeof SIZES)[number]>;

const NAME = "Talheim Bratpfanne Pro";
const PAGE = "https://www.pfannen.example/products/pfanne";

const plain = (cents: number) => (cents / 100).toFixed(2);
const json = (value: unknown) => JSON.stringify(value);
const script = (text: string, more = "") => `<script${more}>${text}</script>`;
const ld = (value: Readonly<Record<string, unknown>>) =>
  jsonLd({ "@context": "https://schema.org", ...value });

const offerOf = ({ cents, isInStock }: TestVariant, more = {}) => ({
  "@type": "Offer",
  price: plain(cents),
  priceCurrency: "EUR",
  availability: `https://schema.org/${isInStock ? "InStock" : "OutOfStock"}`,
  ...more,
});

const singleLd = ([first]: readonly TestVariant[]) =>
  ld({ "@type": "Product", name: NAME, offers: first && offerOf(first) });

function pageOf(
  variants: readonly TestVariant[],
  { head = "", buy = "", end = "", heading = NAME }: {
    readonly head?: string;
    readonly buy?: string;
    readonly end?: string;
    readonly heading?: string;
  },
): string {
  const [first] = variants;
  return `<!doctype html><html lang="de"><head><title>${heading} | Pfannen</title>${head}</head><body>
<main><h1>${heading}</h1><div class="price"><span class="price-item">${
    euro(first?.cents ?? 0)
  }</span></div>${buy}<button class="add-to-cart">In den Warenkorb</button></main>${end}</body></html>`;
}

const shopify = (variants: readonly TestVariant[]) =>
  variants.map(({ id, name, sku, gtin, cents, isInStock }) => {
    const texts = { title: name, option1: name, sku, barcode: gtin };
    return { id, ...texts, price: cents, available: isInStock };
  });

const next = (variants: readonly TestVariant[]) =>
  variants.map(({ id, name, sku, gtin, cents, isInStock }) => ({
    id: `gid://shop/Variant/${id}`,
    articleNumber: sku,
    ean: gtin,
    size: name,
    price: { amount: cents / 100, currencyCode: "EUR" },
    inStock: isInStock,
  }));

const attribute = (value: unknown) =>
  json(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Encodes the state of a Nuxt page: a flat list whose numbers are indexes of other entries. */
function flattened(value: unknown): unknown[] {
  const list: unknown[] = [];
  const put = (one: unknown): number => {
    const at = list.push(one) - 1;
    if (Array.isArray(one)) list[at] = one.map(put);
    else if (typeof one === "object" && one !== null) {
      list[at] = Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, put(inner)]));
    }
    return at;
  };
  put(value);
  return list;
}

function magento(variants: readonly TestVariant[]) {
  const byId = <T>(value: (one: TestVariant) => T) =>
    Object.fromEntries(variants.map((one) => [String(one.id), value(one)]));
  const options = variants.map(({ id, name }) => ({
    id: `5${id}`,
    label: name,
    products: [`${id}`],
  }));
  return {
    attributes: { "93": { id: "93", code: "diameter", label: "Durchmesser", options } },
    optionPrices: byId(({ cents }) => ({
      oldPrice: { amount: cents / 100 + 10 },
      basePrice: { amount: cents / 119 },
      finalPrice: { amount: cents / 100 },
    })),
    sku: byId(({ sku }) => sku),
    ean: byId(({ gtin }) => gtin),
    salable: byId(({ isInStock }) => isInStock),
  };
}

type Source = (variants: readonly TestVariant[]) => string;

/** A page with the first variant in its markup, and with all variants in a script. */
function scripted(text: Source, attributes = ""): Source {
  return (all) => pageOf(all, { head: singleLd(all), end: script(text(all), attributes) });
}

/** Each page has the ids, names, prices and stock of all variants, but in different places. */
const SOURCES: Readonly<Record<string, Source>> = {
  "hasVariant of a ProductGroup": (all) =>
    pageOf(all, {
      head: ld({
        "@type": "ProductGroup",
        name: NAME,
        hasVariant: all.map((one) => ({
          "@type": "Product",
          name: `${NAME} ${one.name}`,
          size: one.name,
          sku: one.sku,
          gtin13: one.gtin,
          offers: offerOf(one, { url: `${PAGE}?variant=${one.id}` }),
        })),
      }),
    }),
  "a list of offers": (all) =>
    pageOf(all, {
      head: ld({
        "@type": "Product",
        name: NAME,
        offers: all.map((one) => {
          const { id, name, sku, gtin: gtin13 } = one;
          return offerOf(one, { name, sku, gtin13, url: `${PAGE}?variant=${id}` });
        }),
      }),
    }),
  "data-product_variations of WooCommerce": (all) =>
    pageOf(all, {
      head: ld({
        "@type": "Product",
        name: NAME,
        offers: {
          "@type": "AggregateOffer",
          lowPrice: plain(all[0]?.cents ?? 0),
          highPrice: plain(all.at(-1)?.cents ?? 0),
          priceCurrency: "EUR",
        },
      }),
      buy: `<form class="variations_form" data-product_variations="${
        attribute(all.map(({ id, name, sku, gtin, cents, isInStock }) => ({
          attributes: { attribute_pa_groesse: name.replace(" ", "-") },
          variation_id: id,
          sku,
          global_unique_id: gtin,
          display_price: cents / 100,
          display_regular_price: cents / 100,
          is_in_stock: isInStock,
        })))
      }"></form>`,
    }),
  "the product JSON of Shopify": scripted(
    (all) => json({ id: 1, title: NAME, options: ["Größe"], variants: shopify(all) }),
    ' type="application/json" id="ProductJson-main"',
  ),
  "var meta of Shopify": scripted((all) =>
    `var meta = ${json({ product: { id: 1, type: "Pfanne", variants: shopify(all) } })};`
  ),
  "code whose keys have no quotes": scripted((all) =>
    `window.__NUXT__=(function(a){return{state:{n:a,variants:${
      json(shopify(all)).replace(/"(\w+)":/g, "$1:")
    }}}}(1));`
  ),
  "options of Magento": scripted((all) => {
    const swatches = { "Magento_Swatches/js/swatch-renderer": { jsonConfig: magento(all) } };
    return json({ "[data-role=swatch-options]": swatches });
  }, ' type="text/x-magento-init"'),
  "the state of Next": scripted(
    (all) => json({ props: { pageProps: { product: { name: NAME, variants: next(all) } } } }),
    ' type="application/json" id="__NEXT_DATA__"',
  ),
  "the stream of Next": scripted((all) =>
    `self.__next_f.push([1,${
      json(`1a:["$","$L2",null,${json({ product: { name: NAME, variants: next(all) } })}]\n`)
    }])`
  ),
  "the state of Nuxt 2": scripted((all) =>
    `window.__NUXT__=${json({ data: [{ product: { title: NAME, variants: next(all) } }] })};`
  ),
  "the state of Nuxt 3": scripted(
    (all) => json(flattened({ data: { product: { title: NAME, variants: next(all) } } })),
    ' type="application/json" id="__NUXT_DATA__"',
  ),
  "combinations of PrestaShop": scripted((all) =>
    `var combinations = ${
      json(Object.fromEntries(all.map(({ id, name, sku, gtin, cents, isInStock }) => [id, {
        id_product_attribute: id,
        attributes_values: { "1": name },
        attributes: [name],
        reference: sku,
        ean13: gtin,
        price: cents / 100,
        quantity: isInStock ? 3 : 0,
      }])))
    };`
  ),
};

/** The outcome as a text such as `2999 0.9 out_of_stock 28 cm by gtin`. */
function outcomeOf(text: string, options: ExtractOptions = {}, url = PAGE): string {
  const { result, facts } = extract(text, options, url);
  const { variant, pageStatus, availability } = facts;
  if ("errorCode" in result) return result.errorCode;
  const found = `${result.price} ${result.confidence} ${availability}`;
  if (variant === null) return `${found} no variants`;
  if (variant.state !== "chosen") return `${found} ${pageStatus}`;
  return `${found} ${variant.attributes[0]?.value ?? variant.name} by ${variant.by}`;
}

const shopifyPage = SOURCES["the product JSON of Shopify"]?.(SIZES) ?? "";
const group = SOURCES["hasVariant of a ProductGroup"]?.(SIZES) ?? "";
const title = "Talheim Bratpfanne Pro";

const sized = (size: string) => ({ title: `${title} ${size}` });
const THIRD = `${PAGE}?variant=48103`;

/** Our product, the page's address and its HTML, grouped by the expected outcome. */
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
  ([product, url = PAGE, html = shopifyPage]) => outcomeOf(html, { product }, url),
);

const centsOf = (at: number) => 1999 + 1000 * at;

/** A page in Shopify's format, on which each option costs more than the previous one. */
function pageOfOptions(options: readonly string[]): string {
  const named = options.map((name, at) => (
    { ...SIZES[0]!, name, id: 500 + at, sku: `S${at}`, gtin: "", cents: centsOf(at) }
  ));
  return SOURCES["the product JSON of Shopify"]?.(named) ?? "";
}

/** Each case has a name, the options of the page (the right one first), and our title. */
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
    // The wanted option comes last, because the page shows the first option by default.
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

function pageOfLabels(named: string): string {
  const offers = { price: "19.99", priceCurrency: "EUR", availability: "InStock" };
  return pageOf(SIZES.slice(0, 1), {
    head: jsonLd({ "@type": "Product", name: title + named, offers }),
    heading: title + named,
    buy: '<input type="radio" id="a" checked><label for="a">20 cm</label>' +
      '<input type="radio" id="b"><label for="b">28 cm</label>',
  });
}

const SURCHARGED = pageOf(SIZES.slice(0, 1), {
  head: '<meta property="product:price:amount" content="19.99">' +
    '<meta property="product:price:currency" content="EUR">',
  buy: "<select><option>128 GB</option><option>256 GB (+100,50 €)</option></select>",
});
const NUMBERED = pageOf(SIZES.slice(0, 1), {
  buy: `<table>${
    SIZES.map(({ sku, name, cents }) =>
      `<tr><td>${sku}</td><td>${name}</td><td>${`${plain(cents)} €`}</td></tr>`
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
    SIZES.map(({ cents }, n) => radio(`${n + 1} kg</i> <i>55412.5${n}`, `${plain(cents)} €`)).join(
      "",
    )
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

/** A page, and the words that our title adds to the page's name, by expected outcome. */
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

Deno.test("extractPrice() compares sizes of markup whose units are codes", () => {
  const food = "Kurtal Futter";
  const asked = (ours: string, ...sizes: readonly (readonly [number, string, string])[]) => {
    const hasVariant = sizes.map(([value, unitCode, price]) => ({
      "@type": "Product",
      name: food,
      size: { "@type": "QuantitativeValue", value, unitCode },
      offers: { "@type": "Offer", price, priceCurrency: "EUR" },
    }));
    const head = ld({ "@type": "ProductGroup", name: food, hasVariant });
    const page = pageOf([], { head, heading: food });
    const { result } = extract(page, { product: { title: `${food} ${ours}` } });
    return "price" in result ? result.price : result.errorCode;
  };
  assertEquals(asked("2 kg", [500, "GRM", "5.99"], [2000, "GRM", "17.99"]), 1799);
  assertEquals(asked("1,5 kg", [500, "GRM", "5.99"], [1500, "GRM", "14.99"]), 1499);
  assertEquals(asked("2 kg", [2, "GRM", "0.99"], [2, "KGM", "17.99"]), 1799);
});

Deno.test("extractPrice() finds a single article in the stream of Next", () => {
  const data = { product: { title: NAME, ean: "4006381333931", price: "54.99", currency: "EUR" } };
  const end = script(`self.__next_f.push([1,${json(`1a:["$","$L2",null,${json(data)}]\n`)}])`);
  const page = `<html lang="de"><title>${NAME}</title><main><h1>${NAME}</h1></main>${end}</html>`;
  const { result } = extract(page);
  assertEquals("price" in result ? [result.method, result.price] : result, ["data", 5499]);
});

const OPEN = /^1999 0\.[0-7] in_stock variant_open$/;

/** Name of the case, our product (null if it is unknown), and the expected outcome. */
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
