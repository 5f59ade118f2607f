import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startBench, WITH_VAT } from "./import_bench.ts";

/** Today is 2 March 2026, and the VAT rate is 19 %. */
interface Case {
  readonly what: string;
  readonly header: string;
  /** The row of a product with SKU 00471. */
  readonly row: string;
  /** `null`: the product does not exist. */
  readonly expected: Readonly<Record<string, unknown>> | null;
  readonly codes: readonly string[];
  readonly query: string;
}

/** A file of SKU and title with further columns, which contains the product 00471. */
function named(
  what: string,
  columns: string,
  values: string,
  expected: Case["expected"],
  codes: readonly string[] = [],
  query = "",
): Case {
  const header = `Artikelnummer;Bezeichnung;${columns}`;
  return { what, header, row: `00471;Topf;${values}`, expected, codes, query };
}

const priced = (ourPriceCents: number | null) => ({ ourPriceCents });
const whole = (what: string, header: string, row: string, expected: Case["expected"]): Case => ({
  ...{ what, header, row, expected },
  ...{ codes: [], query: "" },
});
const SALE = "VK;Aktionspreis;Aktion von;Aktion bis";
const OVER = "19,99;9,99;01.06.2025;30.06.2025";

const GROSS: readonly Case[] = [
  named("a dealer's price for an empty one", "VK1;VK2", ";12,50", priced(null), [
    "no_current_price",
  ]),
  named("a dealer's price for 0", "VK1;VK2", "0,00;12,50", priced(null), ["zero_as_empty"]),
  named("a dealer's price alone", "VK2", "12,50", priced(null), ["no_current_price"]),
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
  named("a sale without dates", "VK;Aktionspreis", "19,99;9,99", priced(999), ["undated_sale"]),
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
    ourPriceCents: 9_900,
  }),
  ...["0,19", "19", "19 %", "19,0"].map((rate) =>
    named(`VAT ${rate} is 19 %`, "VK;MwSt", `9,99;${rate}`, { vatRatePct: 19 })
  ),
  named("VAT 0,19 %", "VK;MwSt", "9,99;0,19 %", { vatRatePct: null }, ["invalid_number"]),
  ...["$19.99", "19.99 $", "£19.99"].map((price) =>
    named(
      `${price} is no price in EUR`,
      "VK;EK",
      `${price};${price}`,
      { ourPriceCents: null, costPriceCents: null },
      ["invalid_currency", "invalid_currency"],
      "?allowNoPrices=true",
    )
  ),
  ...["Blocked=Ja", "gesperrt=1", "Inaktiv=X", "Auslauf=J", "Blocked=All"].map((state) => {
    const [name = "", value] = state.split("=");
    return named(`${state} is not sold`, `VK;${name}`, `9,99;${value}`, null, ["inactive"]);
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
    for (const [n, { what, header, row, expected, codes, query }] of cases.entries()) {
      await test.step(what, async () => {
        const sku = `00${471 + n}`;
        // The file needs a second row, because a single value does not identify a column.
        const blank = header.split(";").map((_, at) => [`X-${n}`, "Zweiter"][at] ?? "");
        const hasIdFirst = header.startsWith("ItemID");
        const second = hasIdFirst ? `8;X-${n};Zweiter;5,00` : blank.join(";");
        const file = `${header}\n${row.replace("00471", sku)}\n${second}\n`;
        const data = await bench.send(file, query);
        const product = (await bench.products()).get(sku);
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
