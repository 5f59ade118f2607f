import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startBench, WITH_VAT } from "./import_bench.ts";

/** A file that contains one product with SKU 00471. Today is 2 March 2026. */
interface Case {
  readonly what: string;
  readonly header: string;
  readonly row: string;
  /** `null`: the product does not exist. */
  readonly expected: Readonly<Record<string, unknown>> | null;
  readonly codes: readonly string[];
  /** True by default. The VAT rate is 19 %. */
  readonly pricesIncludeVat?: boolean;
  readonly query?: string;
}

function readAs(
  what: string,
  file: string,
  expected: Case["expected"],
  codes: readonly string[] = [],
  more: Partial<Case> = {},
): Case {
  const [header = "", row = ""] = file.split("\n");
  return { what, header, row, expected, codes, ...more };
}

const CASES: readonly Case[] = [
  readAs(
    "a dealer's price never becomes ours, also when ours is empty",
    "Artikelnummer;Bezeichnung;VK1;VK2\n00471;Topf;;12,50",
    { ourPriceCents: null },
    ["no_current_price"],
  ),
  readAs(
    "a dealer's price never becomes ours, also when ours is 0",
    "Artikelnummer;Bezeichnung;VK1;VK2\n00471;Topf;0,00;12,50",
    { ourPriceCents: null },
    ["zero_as_empty"],
  ),
  readAs("a dealer's price alone is not ours", "Artikelnummer;Bezeichnung;VK2\n00471;Topf;12,50", {
    ourPriceCents: null,
  }, ["no_current_price"]),
  readAs(
    "a sale that is over is not the price",
    "Artikelnummer;Bezeichnung;VK;Aktionspreis;Aktion von;Aktion bis\n00471;Topf;19,99;9,99;01.06.2025;30.06.2025",
    { ourPriceCents: 1_999 },
  ),
  readAs(
    "a sale that has not begun is not the price",
    "sku;name;price;special_price;special_price_from_date;special_price_to_date\n00471;Topf;19.99;9.99;2030-01-01;2030-02-01",
    { ourPriceCents: 1_999 },
  ),
  readAs(
    "a sale that is in force is the price",
    "SKU;Name;Regular price;Sale price;Date sale price starts;Date sale price ends\n00471;Topf;19.99;9.99;2026-02-01;2026-04-01",
    { ourPriceCents: 999 },
  ),
  readAs(
    "dates beside a sale are those of the sale",
    "Artikelnummer;Bezeichnung;VK;Aktionspreis;gültig von;gültig bis\n00471;Topf;19,99;9,99;01.06.2025;30.06.2025",
    { ourPriceCents: 1_999 },
  ),
  readAs(
    "a sale without dates is in force, with a warning",
    "Artikelnummer;Bezeichnung;VK;Aktionspreis\n00471;Topf;19,99;9,99",
    { ourPriceCents: 999 },
    ["undated_sale"],
  ),
  {
    what: "texts in formulas are texts",
    header: "Artikelnummer;Bezeichnung;EAN;VK",
    row: '="00471";="Topf ""X""";="4000000001379";="19,99"',
    expected: { title: 'Topf "X"', ean: "4000000001379", ourPriceCents: 1_999 },
    codes: [],
  },
  readAs(
    "an apostrophe before digits marks a text",
    "Artikelnummer;Bezeichnung;VK\n'00471;'s Topf;19,99",
    { title: "'s Topf", ourPriceCents: 1_999 },
  ),
  readAs("Nettopreis is net", "Artikelnummer;Bezeichnung;Nettopreis\n00471;Topf;100,00", {
    ourPriceCents: 11_900,
  }),
  readAs(
    "Bruttopreis is gross",
    "Artikelnummer;Bezeichnung;Bruttopreis\n00471;Topf;119,00",
    { ourPriceCents: 10_000 },
    [],
    { pricesIncludeVat: false },
  ),
  ...["VK br.", "Std. VK Brutto"].map((name) => ({
    what: `${name} is gross`,
    header: `Artikelnummer;Bezeichnung;${name}`,
    row: "00471;Topf;119,00",
    expected: { ourPriceCents: 10_000 },
    codes: [],
    pricesIncludeVat: false,
  })),
  readAs(
    "Einst. netto is the cost",
    "Artikelnummer;Bezeichnung;Einst. netto;VK\n00471;Topf;50,00;99,00",
    { costPriceCents: 5_000, ourPriceCents: 9_900 },
  ),
  ...["0,19", "19", "19 %", "19,0"].map((rate) => ({
    what: `VAT ${rate} is 19 %`,
    header: "Artikelnummer;Bezeichnung;VK;MwSt",
    row: `00471;Topf;9,99;${rate}`,
    expected: { vatRatePct: 19 },
    codes: [],
  })),
  readAs("VAT 0,19 % is a mistake", "Artikelnummer;Bezeichnung;VK;MwSt\n00471;Topf;9,99;0,19 %", {
    vatRatePct: null,
  }, ["invalid_number"]),
  ...["$19.99", "19.99 $", "£19.99"].map((price) => ({
    what: `${price} is no price in EUR`,
    header: "Artikelnummer;Bezeichnung;VK;EK",
    row: `00471;Topf;${price};${price}`,
    expected: { ourPriceCents: null, costPriceCents: null },
    codes: ["invalid_currency", "invalid_currency"],
    query: "?allowNoPrices=true",
  })),
  ...[["Blocked", "Ja"], ["gesperrt", "1"], ["Inaktiv", "X"], ["Auslauf", "J"], ["Blocked", "All"]]
    .map(([name, value]) => ({
      what: `${name}=${value} is not sold`,
      header: `Artikelnummer;Bezeichnung;VK;${name}`,
      row: `00471;Topf;9,99;${value}`,
      expected: null,
      codes: ["inactive"],
    })),
  ...[["Blocked", "Nein"], ["gesperrt", "0"], ["Inaktiv", ""]].map(([name, value]) => ({
    what: `${name}=${value} is sold`,
    header: `Artikelnummer;Bezeichnung;VK;${name}`,
    row: `00471;Topf;9,99;${value}`,
    expected: { ourPriceCents: 999 },
    codes: [],
  })),
  ...["Artikelnummer im Shop", "Händler-Artikelnummer", "VariationNo"].map((name) => ({
    what: `${name} is the SKU`,
    header: `ItemID;${name};Name 1;Preis 1`,
    row: "9;00471;Topf;9,99",
    expected: { title: "Topf", ourPriceCents: 999 },
    codes: [],
  })),
  readAs(
    "Artikelbezeichnung 1 is the title",
    "Artikelnummer;Artikelbezeichnung 1;Artikelbezeichnung 2;Preis 1\n00471;Topf;mit Deckel;9,99",
    { title: "Topf", ourPriceCents: 999 },
  ),
];

for (const { what, header, row, expected, codes, pricesIncludeVat = true, query } of CASES) {
  Deno.test(`a file of a retailer: ${what}`, async () => {
    await using bench = await startBench({ pricesIncludeVat, vatRatePct: 19 });
    // The file needs a second row, because a single value does not identify a column.
    const blank = header.split(";").map((_, at) => at === 0 ? "X-1" : at === 1 ? "Zweiter" : "");
    const hasIdFirst = header.startsWith("ItemID");
    const second = hasIdFirst ? "8;X-1;Zweiter;5,00" : blank.join(";");
    const data = await bench.send(`${header}\n${row}\n${second}\n`, query);
    const product = (await bench.products()).get("00471");
    if (expected === null) assertEquals(product, undefined, JSON.stringify(data));
    else {
      const found = Object.keys(expected).map((name) => [name, product?.[name]]);
      assertEquals(Object.fromEntries(found), expected, JSON.stringify(data));
    }
    const findings: { line: number; code: string }[] = [...data.errors, ...data.warnings];
    const own = findings.filter(({ line }) => line === 2).map(({ code }) => code);
    assertEquals(own.filter((code) => code !== "dot_decimal"), codes);
  });
}

Deno.test("Shopify's JSON gives one product per variant", async () => {
  await using bench = await startBench(WITH_VAT);
  const variant = (id: number, sku: string, title: string, price: string) => ({
    id,
    title,
    sku,
    price,
    barcode: sku === "T-1" ? "4006381333931" : null,
  });
  const body = JSON.stringify({
    products: [{
      id: 632910392,
      title: "Topf",
      vendor: "Rösle",
      product_type: "Töpfe",
      status: "active",
      variants: [variant(1, "T-1", "Rot", "19.99"), variant(2, "T-2", "Blau / 2 l", "1234.00")],
      options: [{ id: 5, name: "Farbe", values: ["Rot", "Blau / 2 l"] }],
    }, {
      id: 632910393,
      title: "Kanne",
      vendor: "Rösle",
      status: "active",
      variants: [variant(3, "K-1", "Default Title", "5.00")],
    }],
  });
  const data = await bench.send(body, "", "application/json");
  const products = [...(await bench.products()).values()];
  const read = products.map((one) => [one.sku, one.title, one.ean, one.ourPriceCents].join(";"))
    .sort();
  assertEquals(read, [
    "K-1;Kanne;;500",
    "T-1;Topf Rot;4006381333931;1999",
    "T-2;Topf Blau / 2 l;;123400",
  ], JSON.stringify(data));
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
const SHOPIFY_PRODUCT = {
  id: "gid://shopify/Product/1",
  title: "Topf",
  handle: "topf",
  vendor: "Rösle",
  productType: "Töpfe",
  status: "ACTIVE",
};

for (
  const [form, data] of [
    [
      "edges and nodes",
      { products: edges([{ ...SHOPIFY_PRODUCT, variants: edges(SHOPIFY_VARIANTS) }]) },
    ],
    ["nodes alone", {
      products: nodes([{ ...SHOPIFY_PRODUCT, variants: nodes(SHOPIFY_VARIANTS) }]),
    }],
    ["amounts with their currency", {
      products: edges([{
        ...SHOPIFY_PRODUCT,
        variants: edges(
          SHOPIFY_VARIANTS.map((one) => ({ ...one, price: money(String(one.price)) })),
        ),
      }]),
    }],
    ["variants with their product", {
      productVariants: edges(SHOPIFY_VARIANTS.map((one) => ({ ...one, product: SHOPIFY_PRODUCT }))),
    }],
  ] as const
) {
  Deno.test(`Shopify's GraphQL gives one product per variant: ${form}`, async () => {
    await using bench = await startBench(WITH_VAT);
    const job = await bench.send(JSON.stringify({ data }), "", "application/json");
    const products = [...(await bench.products()).values()];
    const names = ["sku", "title", "brand", "category", "ean", "ourPriceCents", "costPriceCents"];
    const read = products.map((one) => [...names, "stock"].map((name) => one[name]).join(";"))
      .sort();
    assertEquals([job.files[0].profile, read], ["shopify-json", [
      "T-1;Topf Rot;Rösle;Töpfe;4006381333931;1999;850;4",
      "T-2;Topf Blau / 2 l;Rösle;Töpfe;;123400;850;4",
    ]], JSON.stringify(job));
  });
}
