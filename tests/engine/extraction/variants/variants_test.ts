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
  "the stream of Next": scripted((all) =>
    `self.__next_f.push([1,${
      json(`1a:["$","$L2",null,${json({ product: { name: NAME, variants: next(all) } })}]\n`)
    }])`
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
  ["capacities in French", ["256 Go", "128 Go", "512 Go"], "Telefon X 256 GB"],
  ["capacities in terabytes", ["1 To", "512 Go"], "Telefon X 1 TB"],
  ["lengths in other units", ["2 m", "1 m", "3 m"], "Kabel X 200 cm"],
  ["lengths in inches", ['55"', '65"'], "Fernseher X 139 cm"],
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

const FOREIGN: Grouped<readonly [options: readonly string[], ourTitle: string]> = {
  "1999 0.6 in_stock variant_unknown": {
    "lengths": [["1 m", "3 m"], "Kabel X 2 m"],
    "colours": [["Rot", "Blau"], "Lampe X schwarz"],
    "pairs of values": [["256 GB / Schwarz", "128 GB / Weiß"], "Telefon X 128 GB schwarz"],
  },
};

testEach(
  "extractPrice() of options that differ from our title in",
  FOREIGN,
  ([options, ourTitle]) => outcomeOf(pageOfOptions(options), { product: { title: ourTitle } }),
);

const tableOf = (...cells: string[]) =>
  pageOf([], {
    buy: `<b class=price>24,99 €</b><table>${
      cells.map((cell, n) => `<tr><td>${cell}</td><td>${24 - n},99 €</td></tr>`).join("")
    }</table>`,
  });

const LABELS = pageOf([], {
  buy: "<b class=price>19,99 €</b><input type=radio id=a checked><label for=a>20 cm</label>" +
    "<input type=radio id=b><label for=b>28 cm</label>",
});

/** `ours` follows the page's title in the title of our product. */
const OPTIONS: Grouped<readonly [html: string, ours: string]> = {
  "1999 0.8 unknown no variants": { "a selected label that is ours": [LABELS, "20 cm"] },
  "1999 0.7 unknown variant_open": { "a label that is not selected": [LABELS, "28 cm"] },
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
};

testEach(
  "extractPrice() of options",
  OPTIONS,
  ([html, ours]) => outcomeOf(html, { product: { title: `${title} ${ours}` } }),
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
  const asked = (...sizes: readonly (readonly [number, string, string])[]) => {
    const hasVariant = sizes.map(([value, unitCode, price]) => ({
      "@type": "Product",
      size: { "@type": "QuantitativeValue", value, unitCode },
      offers: { price, priceCurrency: "EUR" },
    }));
    const head = ld({ "@type": "ProductGroup", name: title, hasVariant });
    const [found] = outcomeOf(pageOf([], { head }), { product: sized("2 kg") }).split(" ");
    return found;
  };
  assertEquals(asked([500, "GRM", "5.99"], [2000, "GRM", "17.99"]), "1799");
  assertEquals(asked([2, "GRM", "0.99"], [2, "KGM", "17.99"]), "1799");
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
