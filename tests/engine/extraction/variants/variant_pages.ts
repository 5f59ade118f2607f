/** Small pages with the same three variants, in the markup and data of several shop systems. */

import { euro, extract, jsonLd } from "../reading_pages.ts";
import type { ExtractOptions } from "../../../../src/engine/extraction/extract_price.ts";

/** Three variants. The page shows the first one. */
export const SIZES = [
  { id: 48101, name: "20 cm", sku: "PF-20", gtin: "4006381333931", cents: 1999, isInStock: true },
  { id: 48102, name: "28 cm", sku: "PF-28", gtin: "4006381333948", cents: 2999, isInStock: false },
  { id: 48103, name: "32 cm", sku: "PF-32", gtin: "4006381333955", cents: 3999, isInStock: true },
];

type TestVariant = Readonly<(typeof SIZES)[number]>;

const NAME = "Talheim Bratpfanne Pro";
export const PAGE = "https://www.pfannen.example/products/pfanne";

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

export function pageOf(
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

/** The state of a Nuxt page: a flat list whose numbers are indexes into it. */
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

/** A page with the first variant in its markup, and all variants in a script. */
function scripted(text: Source, attributes = ""): Source {
  return (all) => pageOf(all, { head: singleLd(all), end: script(text(all), attributes) });
}

/** Pages with the variants in different sources. Each source has ids, names, prices and stock. */
export const SOURCES: Readonly<Record<string, Source>> = {
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

/**
 * Price, confidence, stock, variant, and the fact that chose the variant, as in `2999 0.9
 * out_of_stock 28 cm by gtin`.
 */
export function outcomeOf(text: string, options: ExtractOptions = {}, url = PAGE): string {
  const { result, facts } = extract(text, options, url);
  const { variant, pageStatus, availability } = facts;
  if ("errorCode" in result) return result.errorCode;
  const found = `${result.price} ${result.confidence} ${availability}`;
  if (variant === null) return `${found} no variants`;
  if (variant.state !== "chosen") return `${found} ${pageStatus}`;
  return `${found} ${variant.attributes[0]?.value ?? variant.name} by ${variant.by}`;
}
