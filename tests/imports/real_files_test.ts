import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { fromKeys } from "../../src/base/collections.ts";
import { valuesOf } from "../api/answers.ts";
import { startBench, WITH_VAT } from "./import_bench.ts";

/** Today is 2 March 2026, and the VAT rate is 19 %. */
interface Case {
  readonly what: string;
  readonly header: string;
  /** The row of a product with SKU 00471. */
  readonly row: string;
  /** `null`: the product does not exist. */
  readonly expected: Readonly<Record<string, unknown>> | null;
  readonly codes?: readonly string[];
  readonly query?: string;
}

const whole = (what: string, header: string, row: string, expected: Case["expected"]): Case => ({
  what,
  header,
  row,
  expected,
});

/** A file of SKU and title with further columns, which contains the product 00471. */
function named(
  what: string,
  columns: string,
  values: string,
  expected: Case["expected"],
  ...codes: string[]
): Case {
  const header = `Artikelnummer;Bezeichnung;${columns}`;
  return { what, header, row: `00471;Topf;${values}`, expected, codes };
}

const priced = (ourPriceCents: number) => ({ ourPriceCents });
const NONE = { ourPriceCents: null };
const SALE = "VK;Aktionspreis;Aktion von;Aktion bis";
const OVER = "19,99;9,99;01.06.2025;30.06.2025";

const GROSS: readonly Case[] = [
  named("a dealer's price for an empty one", "VK1;VK2", ";12,50", NONE, "no_current_price"),
  named("a dealer's price for 0", "VK1;VK2", "0,00;12,50", NONE, "zero_as_empty"),
  named("a dealer's price alone", "VK2", "12,50", NONE, "no_current_price"),
  named("a sale that is over is not the price", SALE, OVER, priced(1_999)),
  whole(
    "a sale that has not begun is not the price",
    "sku;name;price;special_price;special_price_from_date;special_price_to_date",
    "00471;Topf;19.99;9.99;2030-01-01;2030-02-01",
    priced(1_999),
  ),
  whole(
    "a sale that is in force is the price",
    "SKU;Name;Regular price;Sale price;Date sale price starts;Date sale price ends",
    "00471;Topf;19.99;9.99;2026-02-01;2026-04-01",
    priced(999),
  ),
  named("dates of a sale", "VK;Aktionspreis;gültig von;gültig bis", OVER, priced(1_999)),
  named("a sale without dates", "VK;Aktionspreis", "19,99;9,99", priced(999), "undated_sale"),
  whole(
    "texts in formulas are texts",
    "Artikelnummer;Bezeichnung;EAN;VK",
    '="00471";="Topf ""X""";="4000000001379";="19,99"',
    { title: 'Topf "X"', ean: "4000000001379", ourPriceCents: 1_999 },
  ),
  whole(
    "an apostrophe before digits marks a text",
    "Artikelnummer;Bezeichnung;VK",
    "'00471;'s Topf;19,99",
    { title: "'s Topf", ourPriceCents: 1_999 },
  ),
  named("Nettopreis is net", "Nettopreis", "100,00", priced(11_900)),
  named("a net cost", "Einst. netto;VK", "50,00;99,00", {
    costPriceCents: 5_000,
    ...priced(9_900),
  }),
  ...["0,19", "19", "19 %", "19,0"].map((rate) =>
    named(`VAT ${rate} is 19 %`, "VK;MwSt", `9,99;${rate}`, { vatRatePct: 19 })
  ),
  named("VAT 0,19 %", "VK;MwSt", "9,99;0,19 %", { vatRatePct: null }, "invalid_number"),
  ...["$19.99", "19.99 $", "£19.99"].map((price) => {
    const codes = ["invalid_currency", "invalid_currency"];
    const none = { ...NONE, costPriceCents: null };
    const read = named(`${price} is no price in EUR`, "VK;EK", `${price};${price}`, none, ...codes);
    return { ...read, query: "?allowNoPrices=true" };
  }),
  ...["Blocked=Ja", "gesperrt=1", "Inaktiv=X", "Auslauf=J", "Blocked=All"].map((state) => {
    const [name = "", value] = state.split("=");
    return named(`${state} is not sold`, `VK;${name}`, `9,99;${value}`, null, "inactive");
  }),
  ...["Blocked=Nein", "gesperrt=0", "Inaktiv="].map((state) => {
    const [name = "", value] = state.split("=");
    return named(`${state} is sold`, `VK;${name}`, `9,99;${value}`, priced(999));
  }),
  ...["Artikelnummer im Shop", "Händler-Artikelnummer", "VariationNo"].map((name) =>
    whole(`${name} is the SKU`, `ItemID;${name};Name 1;Preis 1`, "9;00471;Topf;9,99", {
      title: "Topf",
      ourPriceCents: 999,
    })
  ),
  whole(
    "Artikelbezeichnung 1 is the title",
    "Artikelnummer;Artikelbezeichnung 1;Artikelbezeichnung 2;Preis 1",
    "00471;Topf;mit Deckel;9,99",
    { title: "Topf", ourPriceCents: 999 },
  ),
];
/** Files in workspaces whose prices are net. */
const NET = ["Bruttopreis", "VK br.", "Std. VK Brutto"]
  .map((name) => named(`${name} is gross`, name, "119,00", priced(10_000)));

for (const [pricesIncludeVat, cases] of [[true, GROSS], [false, NET]] as const) {
  const side = pricesIncludeVat ? "gross" : "net";
  Deno.test(`files of retailers are read as meant in a workspace with ${side} prices`, async (test) => {
    await using bench = await startBench({ pricesIncludeVat, vatRatePct: 19 });
    for (const [n, { what, header, row, expected, codes = [], query }] of cases.entries()) {
      await test.step(what, async () => {
        const sku = `00${471 + n}`;
        // The file needs a second row, because a single value does not identify a column.
        const blank = header.split(";").map((_, at) => [`X-${n}`, "Zweiter"][at] ?? "");
        const hasIdFirst = header.startsWith("ItemID");
        const second = hasIdFirst ? `8;X-${n};Zweiter;5,00` : blank.join(";");
        const file = `${header}\n${row.replace("00471", sku)}\n${second}\n`;
        const data = await bench.send(file, query);
        const product = (await bench.products()).get(sku);
        const names = Object.keys(expected ?? {});
        const found = product ? fromKeys(names, (name) => product[name]) : null;
        assertEquals(found, expected, JSON.stringify(data));
        const findings: { line: number; code: string }[] = [...data.errors, ...data.warnings];
        const own = findings.filter(({ line }) => line === 2).map(({ code }) => code);
        assertEquals(own.filter((code) => code !== "dot_decimal"), codes);
      });
    }
  });
}

async function shopify(json: unknown) {
  await using bench = await startBench(WITH_VAT);
  const { files: [file] } = await bench.send(JSON.stringify(json), "", "application/json");
  const names = ["sku", "title", "brand", "category", "ean", "ourPrice", "costPrice", "stock"];
  const rows = valuesOf([...(await bench.products()).values()], ...names);
  return [file.profile, ...rows.map((row) => row.join(";")).sort()];
}

Deno.test("Shopify's JSON gives one product per variant", async () => {
  const variant = (id: number, sku: string, title: string, price: string, barcode?: string) => {
    return { id, title, sku, price, barcode: barcode ?? null };
  };
  const pot = { id: 632910392, title: "Topf", product_type: "Töpfe" };
  const first = variant(1, "T-1", "Rot", "19.99", "4006381333931");
  const second = variant(2, "T-2", "Blau / 2 l", "1234.00");
  const options = [{ id: 5, name: "Farbe", values: ["Rot", "Blau / 2 l"] }];
  const can = { id: 632910393, title: "Kanne" };
  const only = variant(3, "K-1", "Default Title", "5.00");
  const shop = { vendor: "Rösle", status: "active" };
  const products = [
    { ...shop, ...pot, variants: [first, second], options },
    { ...shop, ...can, variants: [only] },
  ];
  assertEquals(await shopify({ products }), [
    "shopify-json",
    "K-1;Kanne;Rösle;;;500;;",
    "T-1;Topf Rot;Rösle;Töpfe;4006381333931;1999;;",
    "T-2;Topf Blau / 2 l;Rösle;Töpfe;;123400;;",
  ]);
});

const edges = (nodes: readonly unknown[]) => ({
  edges: nodes.map((node) => ({ cursor: "c", node })),
  pageInfo: { hasNextPage: false },
});
const nodes = (nodes: readonly unknown[]) => ({ pageInfo: { hasNextPage: false }, nodes });
const money = (amount: string) => ({ amount, currencyCode: "EUR" });

const SHOPIFY_VARIANTS = [
  ["Rot", "T-1", "4006381333931", "19.99"],
  ["Blau / 2 l", "T-2", null, "1234.00"],
].map(([title, sku, barcode, price]) => ({
  id: `gid://shopify/ProductVariant/${sku}`,
  title,
  sku,
  barcode,
  price,
  inventoryQuantity: 4,
  inventoryItem: { unitCost: money("8.50") },
}));
const PRICED_IN_EUR = SHOPIFY_VARIANTS.map((one) => ({ ...one, price: money(String(one.price)) }));
const SHOPIFY_PRODUCT = {
  id: "gid://shopify/Product/1",
  title: "Topf",
  handle: "topf",
  vendor: "Rösle",
  productType: "Töpfe",
  status: "ACTIVE",
};
const withVariants = (variants: unknown) => ({ ...SHOPIFY_PRODUCT, variants });

const FORMS: Readonly<Record<string, unknown>> = {
  "edges and nodes": { products: edges([withVariants(edges(SHOPIFY_VARIANTS))]) },
  "nodes alone": { products: nodes([withVariants(nodes(SHOPIFY_VARIANTS))]) },
  "amounts with their currency": { products: edges([withVariants(edges(PRICED_IN_EUR))]) },
  "variants with their product": {
    productVariants: edges(SHOPIFY_VARIANTS.map((one) => ({ ...one, product: SHOPIFY_PRODUCT }))),
  },
};

for (const [form, data] of Object.entries(FORMS)) {
  Deno.test(`Shopify's GraphQL gives one product per variant: ${form}`, async () => {
    assertEquals(await shopify({ data }), [
      "shopify-json",
      "T-1;Topf Rot;Rösle;Töpfe;4006381333931;1999;850;4",
      "T-2;Topf Blau / 2 l;Rösle;Töpfe;;123400;850;4",
    ]);
  });
}
