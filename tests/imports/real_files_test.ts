import { fromKeys } from "../../src/base/collections.ts";
import { column, valuesOf } from "../api/answers.ts";
import { startBench, withVat } from "./import_calls.ts";
import { COLLECTION, dataTest, missingInCollection } from "../sample_data.ts";
import { testNeeding } from "../needing.ts";
import { partOf, readWhole, type WholeUpload } from "./upload_reading.ts";
import { currencyExponent } from "../../src/base/money.ts";
import { isGtin } from "../../src/base/codes.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** A row of a file, and the product that an import on 2 March 2026 with 19 % VAT makes of it. */
type Case = readonly [
  what: string,
  header: string,
  row: string,
  /** Null if the import must not create a product. */
  expected: Readonly<Record<string, unknown>> | null,
  codes?: readonly string[],
];

function named(
  what: string,
  columns: string,
  values: string,
  expected: Case[3],
  ...codes: string[]
): Case {
  return [what, `Artikelnummer;Bezeichnung;${columns}`, `00471;Topf;${values}`, expected, codes];
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
  [
    "a sale that has not begun is not the price",
    "sku;name;price;special_price;special_price_from_date;special_price_to_date",
    "00471;Topf;19.99;9.99;2030-01-01;2030-02-01",
    priced(1_999),
  ],
  [
    "a sale that is in force is the price",
    "SKU;Name;Regular price;Sale price;Date sale price starts;Date sale price ends",
    "00471;Topf;19.99;9.99;2026-02-01;2026-04-01",
    priced(999),
  ],
  named("dates of a sale", "VK;Aktionspreis;gültig von;gültig bis", OVER, priced(1_999)),
  named("a sale without dates", "VK;Aktionspreis", "19,99;9,99", priced(999), "undated_sale"),
  [
    "texts in formulas are texts",
    "Artikelnummer;Bezeichnung;EAN;VK",
    '="00471";="Topf ""X""";="4000000001379";="19,99"',
    { title: 'Topf "X"', ean: "4000000001379", ourPriceCents: 1_999 },
  ],
  [
    "an apostrophe before digits marks a text",
    "Artikelnummer;Bezeichnung;VK",
    "'00471;'s Topf;19,99",
    { title: "'s Topf", ourPriceCents: 1_999 },
  ],
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
    return named(`${price} is no price in EUR`, "VK;EK", `${price};${price}`, none, ...codes);
  }),
  ...["Blocked=Ja", "gesperrt=1", "Inaktiv=X", "Auslauf=J", "Blocked=All"].map((state) => {
    const [name = "", value] = state.split("=");
    return named(`${state} is not sold`, `VK;${name}`, `9,99;${value}`, null, "inactive");
  }),
  ...["Blocked=Nein", "gesperrt=0", "Inaktiv="].map((state) => {
    const [name = "", value] = state.split("=");
    return named(`${state} is sold`, `VK;${name}`, `9,99;${value}`, priced(999));
  }),
  ...["Artikelnummer im Shop", "Händler-Artikelnummer", "VariationNo"].map((name): Case => [
    `${name} is the SKU`,
    `ItemID;${name};Name 1;Preis 1`,
    "9;00471;Topf;9,99",
    { title: "Topf", ourPriceCents: 999 },
  ]),
  [
    "Artikelbezeichnung 1 is the title",
    "Artikelnummer;Artikelbezeichnung 1;Artikelbezeichnung 2;Preis 1",
    "00471;Topf;mit Deckel;9,99",
    { title: "Topf", ourPriceCents: 999 },
  ],
];
const NET = ["Bruttopreis", "VK br.", "Std. VK Brutto"]
  .map((name) => named(`${name} is gross`, name, "119,00", priced(10_000)));

for (const [pricesIncludeVat, cases] of [[true, GROSS], [false, NET]] as const) {
  const side = pricesIncludeVat ? "gross" : "net";
  Deno.test(`files of retailers are read as meant in a workspace with ${side} prices`, async (test) => {
    await using bench = await startBench({ pricesIncludeVat, vatRatePct: 19 });
    for (const [n, [what, header, row, expected, codes = []]] of cases.entries()) {
      await test.step(what, async () => {
        const sku = `00${471 + n}`;
        // A column is recognised only by several values, so the file needs a second row.
        const blank = header.split(";").map((_, at) => [`X-${n}`, "Zweiter"][at] ?? "");
        const hasIdFirst = header.startsWith("ItemID");
        const second = hasIdFirst ? `8;X-${n};Zweiter;5,00` : blank.join(";");
        const file = `${header}\n${row.replace("00471", sku)}\n${second}\n`;
        // Some files have no valid price, and would otherwise be refused.
        const data = await bench.send(file, "?allowNoPrices=true");
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

withVat.test("Shopify's JSON gives one product per variant", async ({ send, products }) => {
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
  const body = {
    products: [
      { ...shop, ...pot, variants: [first, second], options },
      { ...shop, ...can, variants: [only] },
    ],
  };
  const { files } = await send(JSON.stringify(body), "", "application/json");
  assertEquals(column(files, "profile"), ["shopify-json"]);
  const names = ["sku", "title", "brand", "category", "ean", "ourPrice", "costPrice", "stock"];
  const rows = valuesOf([...(await products()).values()], ...names);
  assertEquals(rows.map((row) => row.join(";")).sort(), [
    "K-1;Kanne;Rösle;;;500;;",
    "T-1;Topf Rot;Rösle;Töpfe;4006381333931;1999;;",
    "T-2;Topf Blau / 2 l;Rösle;Töpfe;;123400;;",
  ]);
});

interface Expected {
  readonly records?: number;
  readonly refused?: number;
  readonly lines?: readonly number[];
  readonly encoding?: string;
  readonly template?: string;
  readonly profile?: string;
  readonly products?: readonly Readonly<Record<string, unknown>>[];
  readonly findings?: readonly {
    readonly line: number | null;
    readonly code: string;
    readonly severity?: string;
  }[];
  readonly fault?: string | readonly string[];
  readonly line?: number;
  readonly messageNames?: string;
}

const FOLDER = "tabular";
const EXPECTED = `${FOLDER}/expected.json`;
/** Only imports report these codes, because they depend on the stored catalogue. */
const OF_THE_PLAN = ["missing_title", "duplicate_sku"];

testNeeding(missingInCollection(EXPECTED), {
  name: "every table of the sample data is read as expected",
  async fn(test) {
    const { files } = COLLECTION.json<{ files: Record<string, Expected> }>(EXPECTED);
    for (const [name, expected] of Object.entries(files)) {
      await test.step(name, async () => {
        const bytes = COLLECTION.bytes(`${FOLDER}/${name}`);
        judge(await readWhole([partOf(name, bytes)]), expected);
      });
    }
  },
});

function judge(upload: WholeUpload, expected: Expected): void {
  const { refused } = upload;
  if (expected.fault !== undefined) {
    const codes = [expected.fault].flat();
    ok(refused && codes.includes(refused.code), `${refused?.code}: ${refused?.message}`);
    if (expected.line !== undefined) assertEquals(refused.line, expected.line);
    if (expected.messageNames) ok(refused.message.includes(expected.messageNames), refused.message);
    return;
  }
  assertEquals(refused, null);
  judgeRecords(upload, expected);
  judgeFindings(upload, expected);
  const [info] = upload.files;
  if (expected.encoding) assertEquals(info?.encoding, expected.encoding);
  const profile = expected.template ?? expected.profile;
  if (profile) assertEquals(info?.profile, profile);
}

function judgeRecords({ records }: WholeUpload, expected: Expected): void {
  if (expected.records !== undefined) assertEquals(records.length, expected.records);
  if (expected.lines) assertEquals(records.map(({ line }) => line), expected.lines);
  const isOfThePlan = (expected.findings ?? []).some(({ code }) => code === "missing_title");
  if (expected.refused !== undefined && !isOfThePlan) {
    const refused = records.filter(({ patch, isPassedOver }) => patch === null && !isPassedOver);
    assertEquals(refused.length, expected.refused, JSON.stringify(refused));
  }
  for (const product of expected.products ?? []) {
    const last = records.findLast(({ sku }) => sku === product.sku);
    ok(last, `no record of ${product.sku}: ${records.map(({ sku }) => sku)}`);
    judgeProduct(last, product);
  }
}

function judgeProduct(
  { patch, isPassedOver, sku }: WholeUpload["records"][number],
  { active, ...values }: Readonly<Record<string, unknown>>,
): void {
  if (active === false) return assertEquals(isPassedOver, true, `${sku} is not passed over`);
  const [links, currency] = [patch?.links?.length ?? 0, patch?.currency ?? "EUR"];
  const fields: Record<string, unknown> = { ...patch, links, currency };
  const rows = (patch?.prices?.rows ?? [])
    .map((row) => JSON.stringify([row.tier, row.minQty ?? 1, row.amountCents]));
  for (const [name, value] of Object.entries(values)) {
    const where = `${sku}: ${name} of ${JSON.stringify(patch)}`;
    if (value === "ABSENT") assertEquals(fields[name], undefined, where);
    else if (name !== "prices") assertEquals(fields[name] ?? null, value, where);
    else for (const row of [value].flat()) ok(rows.includes(JSON.stringify(row)), where);
  }
}

function judgeFindings({ records, warnings }: WholeUpload, expected: Expected): void {
  const found = [...warnings, ...records.flatMap(({ findings }) => findings)];
  for (const { line, code, severity } of expected.findings ?? []) {
    if (OF_THE_PLAN.includes(code)) continue;
    const fits = found.some((one) =>
      one.code === code && one.line === line && (severity ?? one.severity) === one.severity
    );
    ok(fits, `${code} in ${line} is not among ${JSON.stringify(found)}`);
  }
}

interface ExpectedPrice {
  readonly type: string;
  readonly decimal: string;
  readonly currency: string | null;
  readonly lowerBound: string | null;
  readonly validFrom: string | null;
}

type Text = "sku" | "title" | "ean" | "manufacturer" | "mpn" | "priceQuantity";

interface ExpectedFile {
  readonly wellFormed: boolean;
  readonly items: number;
  readonly records: readonly (Record<Text, string | null> & { prices: ExpectedPrice[] })[];
}

const EXPECTATIONS = "xml/expected.json";

/** Returns cents for one piece. The amounts have few digits, so floats are exact enough. */
function cents(decimal: string, quantity: string | null): number {
  return Math.round(Number(decimal) * 100 / Number(quantity ?? 1) + 1e-9);
}

dataTest("real BMEcat files are read: items, fields and prices", EXPECTATIONS, async (data) => {
  const { files } = data.json<{ files: Record<string, ExpectedFile> }>(EXPECTATIONS);
  const catalogues = Object.entries(files).filter(([name]) => name.startsWith("bmecat/"));
  assertEquals(catalogues.length, data.isOwn ? 4 : 15);
  for (const [name, expected] of catalogues) {
    const day = expected.records?.[0]?.prices[0]?.validFrom ?? "2026-11-20";
    // `allowsNoPrices` is needed for a file with prices in a withdrawn currency.
    const setting = { today: day, allowsNoPrices: true };
    const upload = await readWhole([partOf(name, data.bytes(`xml/${name}`))], setting);
    const { refused, records, files: infos } = upload;
    if (!expected.wellFormed || expected.items === 0) {
      assertEquals(refused?.code, expected.wellFormed ? "no_items" : "malformed_xml", name);
      continue;
    }
    const { profile, items } = infos[0]!;
    assertEquals([refused, profile, items], [null, "bmecat", expected.items], name);
    for (const [index, wanted] of expected.records.entries()) {
      const { patch, findings } = records[index]!;
      assertEquals([patch?.sku, patch?.title], [wanted.sku, wanted.title], name);
      const made = [patch?.brand ?? null, patch?.mpn ?? null];
      assertEquals(made, [wanted.manufacturer, wanted.mpn], name);
      if (wanted.ean && isGtin(wanted.ean)) assertEquals(patch?.ean, wanted.ean, name);
      else if (wanted.ean) ok(findings.some(({ code }) => code === "invalid_ean"), name);

      const isKnown = ({ currency }: ExpectedPrice) => currencyExponent(currency ?? "EUR") !== null;
      const known = wanted.prices.filter(isKnown).map(({ type, decimal, currency, lowerBound }) =>
        `${type} ${cents(decimal, wanted.priceQuantity)} ${currency} ${lowerBound ?? 1}`
      );
      const rows = (patch?.prices?.rows ?? [])
        .map((row) => `${row.tier} ${row.amountCents} ${row.currency} ${row.minQty}`);
      assertEquals(rows.toSorted(), known.toSorted(), name);
      const unknown = findings.filter(({ code }) => code === "invalid_currency").length;
      assertEquals(known.length + unknown, wanted.prices.length, `${name}: unknown currencies`);
    }
  }
});
