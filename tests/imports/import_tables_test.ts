import { createEanFinder } from "../../src/imports/upload/read_upload.ts";
import { column, valuesOf } from "../api/answers.ts";
import { zipSync } from "../zip.ts";
import {
  counts,
  IMPORT,
  type ImportBench,
  itemsXml,
  withBench,
  withVat,
  XLSX,
} from "./import_calls.ts";
import { workbookOf } from "./workbook.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { gzipSync } from "node:zlib";

const GERMAN = [
  "Artikelnummer;Bezeichnung;Hersteller;EAN;EK netto;VK brutto;UVP;MwSt",
  "10-0001;Kühlschrank weiß;Öhrle;4000000001379;212,40;1.399,00;1.449,00;19",
  '10-0002;"Truhe „Groß"";',
  'zweizeilig";Nordlicht;4000000002741;1.012,00;1.649,95;1.799,00;19',
  "10-0003;Schüssel;Nordlicht;4000000004110;4,10;12,99;14,99;7",
].join("\n") + "\n";

const SHEET = [
  ["Artikelnummer", "Bezeichnung", "Hersteller", "EAN", "EK netto", "VK brutto", "UVP", "MwSt"],
  ["10-0001", "Kühlschrank weiß", "Öhrle", "4000000001379", 212.4, 1399, 1449, 19],
  ["10-0002", 'Truhe „Groß";\nzweizeilig', "Nordlicht", "4000000002741", 1012, 1649.95, 1799, 19],
  ["10-0003", "Schüssel", "Nordlicht", "4000000004110", 4.1, 12.99, 14.99, 7],
] as const;

const OBJECTS = SHEET.slice(1).map((row) =>
  Object.fromEntries(row.map((value, at) => [SHEET[0][at], value]))
);

/** Encodes in windows-1252, in which quotation marks and € are not valid UTF-8. */
function windows1252(text: string): Uint8Array {
  const special: Readonly<Record<string, number>> = { "„": 0x84, "“": 0x93, "€": 0x80 };
  return Uint8Array.from(text, (sign) => special[sign] ?? sign.charCodeAt(0));
}

function xmlOf(): string {
  const german = (value: string | number) => String(value).replace(/^(\d+)\.(\d+)$/, "$1,$2");
  return itemsXml(
    SHEET.slice(1).map((row) => {
      const [sku, title, brand, ean, cost, price, target, vat] = row.map(german);
      const more = `<BRAND>${brand}</BRAND><EAN>${ean}</EAN><COSTPRICE>${cost}</COSTPRICE>` +
        `<TARGETPRICE>${target}</TARGETPRICE><VATRATE>${vat}</VATRATE>`;
      return { sku, title, price, more };
    }),
  );
}

const FORMS: readonly (readonly [what: string, type: string, body: () => Uint8Array | string])[] = [
  ["CSV of windows-1252", "text/csv", () => windows1252(GERMAN)],
  ["a workbook", XLSX, () => workbookOf(SHEET)],
  ["NDJSON", "application/x-ndjson", () => OBJECTS.map((one) => JSON.stringify(one)).join("\n")],
  ["JSON", "application/json", () => JSON.stringify({ meta: { page: 1 }, items: OBJECTS })],
  ["CSV in a gzip", "application/gzip", () => gzipSync(new TextEncoder().encode(GERMAN))],
  ["CSV in an archive", "application/zip", () => zipSync([["Artikel.csv", GERMAN]])],
  ["XML", "application/xml", xmlOf],
];

withVat.test("if one catalogue is imported as CSV, workbook, JSON, NDJSON, gzip and XML, only the first file writes", async (bench) => {
  const stats = [];
  for (const [, type, body] of FORMS) {
    stats.push((await bench.send(body(), "", type)).stats);
  }
  assertEquals(stats, [counts(3, 0, 0), ...FORMS.slice(1).map(() => counts(0, 0, 3))]);
  const products = await bench.products();
  const names = ["sku", "brand", "ean", "ourPrice", "costPrice", "targetPrice", "vatRatePct"];
  assertEquals(valuesOf([...products.values()], ...names).sort(), [
    ["10-0001", "Öhrle", "4000000001379", 139_900, 21_240, 144_900, 19],
    ["10-0002", "Nordlicht", "4000000002741", 164_995, 101_200, 179_900, 19],
    ["10-0003", "Nordlicht", "4000000004110", 1_299, 410, 1_499, 7],
  ]);
  assertEquals(products.get("10-0001").title, "Kühlschrank weiß");
  match(products.get("10-0002").title, /^Truhe „Groß";\s+zweizeilig$/);
});

withVat.test("findings of a table name the product, and line and column as in the file", async (bench) => {
  const file = [
    "Artikelnummer;Bezeichnung;VK brutto (EUR)",
    'A-1;"zwei',
    'Zeilen";1,00',
    "A-2;Tasse;eins",
    ";Ohne Nummer;3,00",
    "A-4;Eimer; mit Griff;4,00",
    "A-5;Kanne;0,00",
  ].join("\n");
  const data = await bench.send(file);
  assertEquals(data.stats.inserted, 3);
  const findings = [...data.errors, ...data.warnings];
  assertEquals(valuesOf(findings, "line", "field", "code", "sku").sort(), [
    [4, "VK brutto (EUR)", "invalid_number", "A-2"],
    [5, "Artikelnummer", "missing_sku", null],
    [6, null, "ragged_row", "A-4"],
    [6, "VK brutto (EUR)", "invalid_number", "A-4"],
    [7, "VK brutto (EUR)", "zero_as_empty", "A-5"],
  ]);
});

withVat.test("inactive products count as skipped, and replace spares them", async (bench) => {
  const file = (active: string) =>
    `Artikelnummer;Bezeichnung;VK brutto;Aktiv\nA;Apfel;1,00;J\nB;Birne;2,00;${active}\n`;
  assertEquals((await bench.send(file("J"))).stats, counts(2, 0, 0));
  const data = await bench.send(file("N").replace("2,00", "9,00"), "?mode=replace&force=true");
  assertEquals([data.stats, data.removed], [counts(0, 0, 2), 0]);
  const inactive = ["inactive", 3, "B", "Aktiv", "N"];
  assertEquals(valuesOf(data.warnings, "code", "line", "sku", "field", "value"), [inactive]);
  assertEquals(data.errorCount, 0);
  assertEquals((await bench.products()).get("B").ourPrice, 200);
});

const DELETES_INACTIVE = {
  name: "Gelöschte",
  id: "deleted",
  format: "table",
  detect: { columns: ["Nummer", "Name", "Aktiv"], fileName: null },
  fields: { sku: { columns: ["Nummer"] }, title: { columns: ["Name"] } },
  active: { from: { columns: ["Aktiv"] }, yes: ["J"], else: "delete" },
};

withVat.test("a product of several rows is deleted only if all its rows are inactive", async (bench) => {
  const profile = { ...DELETES_INACTIVE, groupRows: true };
  await bench.app.owner.create("/api/import-profiles", profile);
  await bench.send("Nummer;Name;Aktiv\nA;T;J\nB;T;J\nC;T;J\n");
  await bench.send("Nummer;Name;Aktiv\nA;T;J\nA;T;N\nB;T;N\nB;T;J\nC;T;N\nC;T;N\n");
  const products = await bench.products();
  const isDeleted = (sku: string) => products.get(sku).deletedAt !== null;
  assertEquals(["A", "B", "C"].map(isDeleted), [false, false, true]);
});

withVat.test("products that a file marks as deleted count for replace_guard", async (bench) => {
  await bench.app.owner.create("/api/import-profiles", DELETES_INACTIVE);
  await bench.app.manager.create("/api/import-sources", { name: "Own", id: "own" });
  for (const [kind, query] of [["S", "?mode=replace"], ["OWN", "?source=own"]]) {
    const send = (deleted: number) => {
      const rowOf = (n: number) => `${kind}-${n};Ding ${n};${n < deleted ? "N" : "J"}\n`;
      const rows = Array.from({ length: 10 }, (_, n) => rowOf(n));
      return bench.send(`Nummer;Name;Aktiv\n${rows.join("")}`, query);
    };
    assertEquals((await send(0)).stats, counts(10, 0, 0));
    const held = await send(3);
    assertEquals([held.status, held.error?.code], ["failed", "replace_guard"]);
    assertEquals(valuesOf(held.hold.guards, "code", "count", "of")[0], ["replace_guard", 3, 10]);
    assertEquals((await send(2)).stats, counts(0, 2, 8));
  }
});

withVat.test("numbers with an ambiguous separator are refused, never guessed", async (bench) => {
  const file = "Artikelnummer;Bezeichnung;VK brutto\nA;Apfel;1.234\nB;Birne;2.500\n";
  const data = await bench.send(file);
  const codes = [...data.errors, ...data.warnings].map(({ code, field }) => [code, field]);
  assertEquals(codes, [["invalid_number", "VK brutto"], ["invalid_number", "VK brutto"]]);
  match(data.warnings[0].message, /"1\.234" could be thousands or decimals: .* export the column/);
});

withVat.test("an inactive row has only the finding that it is inactive, unless it is refused", async (bench) => {
  const file = "Artikelnummer;Bezeichnung;EAN;VK brutto;Aktiv\n" +
    "A;Apfel;123;eins;N\n;Ohne Nummer;;1,00;N\nC;Kirsche;;2,00;J\nD;Dattel;;1;2;N\n";
  const data = await bench.send(file);
  assertEquals(data.stats, counts(1, 0, 1, 2));
  const reported = [...data.errors, ...data.warnings].map(({ code, line }) => [code, line]);
  assertEquals(reported, [["missing_sku", 3], ["ragged_row", 5], ["inactive", 2]]);
});

withVat.test("a repeated header is not read as a record, and gives a warning", async (bench) => {
  const half = (sku: string) => `\ufeffArtikelnummer; Bezeichnung ;VK brutto;\n${sku};Ding;1,00\n`;
  const data = await bench.send(half("A") + half("B") + half("C"));
  assertEquals([data.status, data.stats, data.files[0].items], ["succeeded", counts(3, 0, 0), 3]);
  const reported = valuesOf(data.warnings, "code", "line", "index");
  assertEquals(reported, [["header_repeated", 3, null], ["header_repeated", 5, null]]);

  const headers = `Artikelnummer;Bezeichnung\n`.repeat(500) + "D;Dattel\n";
  const many = await bench.send(headers);
  assertEquals([many.stats.inserted, many.warningCount], [1, 21]);
  // In JSON, values that equal the keys are data, because there is no header row.
  const json = JSON.stringify([{ sku: "sku", title: "title" }]);
  assertEquals((await bench.send(json, "", "application/json")).stats.inserted, 1);
});

const BY_EAN = {
  id: "nach-ean",
  name: "Nach EAN",
  format: "table",
  detect: { columns: ["GTIN", "Neu"] },
  fields: { ean: { columns: ["GTIN"] }, title: { columns: ["Was"] } },
  prices: [{ from: { columns: ["Neu"] }, role: "own", side: "gross" }],
  matchBy: "ean",
  numberFormat: "de",
};

withVat.test("rows matched by EAN update the product and create none", async (bench) => {
  await bench.send(GERMAN);
  // Rows must match neither M, which has its EAN in the column `HAN`, nor the deleted product W.
  const more = "Artikelnummer;Bezeichnung;HAN;EAN;VK brutto\nM;Mixer;4000000001379;;5,00\n" +
    "Z-1;Zwilling;;4000000013709;5,00\nZ-2;Zwilling;;4000000013709;5,00\nW;Weg;;4000000015079;5,00\n";
  await bench.send(more);
  const gone = (await bench.products()).get("W");
  await bench.app.owner.remove(`/api/products/${gone.id}`);
  await bench.app.manager.create("/api/import-profiles", BY_EAN);

  const file = "GTIN;Was;Neu\n4000000001379;Kühlschrank;999,00\n04000000002741;Truhe;888,00\n" +
    "4000000016441;Unbekannt;1,00\n4000000013709;Zwilling;2,00\n4000000015079;Weg;3,00\n" +
    ";Ohne;4,00\n123;Falsch;5,00\n";
  const dry = await bench.send(file, "?dryRun=true");
  const data = await bench.send(file);
  assertEquals([dry.stats, data.stats], [counts(0, 2, 2, 3), counts(0, 2, 2, 3)]);
  const reported = [...data.errors, ...data.warnings].map(({ code, line }) => [code, line]);
  assertEquals(reported, [
    ["ambiguous_ean", 5],
    ["missing_sku", 7],
    ["missing_sku", 8],
    ["unknown_ean", 4],
    ["unknown_ean", 6],
    ["invalid_ean", 8],
  ]);
  const products = await bench.products();
  const prices = ["10-0001", "10-0002", "M", "Z-1"].map((sku) => products.get(sku).ourPrice);
  assertEquals(prices, [99_900, 88_800, 500, 500]);
  const { title, ean } = products.get("10-0002");
  assertEquals([title, ean, products.size], ["Truhe", "4000000002741", 7]);
  assertEquals((await bench.send(file)).stats, counts(0, 0, 4, 3));
});

withVat.test("in replace mode, rows matched by EAN keep the products that they name, even if they are inactive, refused or ambiguous", async (bench) => {
  const more = [["Z-1", "4000000013709"], ["Z-2", "4000000013709"], ["W", "4000000015079"]];
  const rows = more.map(([sku, ean]) => `${sku};Ding;;${ean};;5,00;;19\n`);
  await bench.send(GERMAN + rows.join(""));
  const active = { from: { columns: ["Aktiv"] }, yes: ["J"] };
  await bench.app.manager.create("/api/import-profiles", { ...BY_EAN, active });
  const file = "GTIN;Neu;Aktiv\n4000000001379;999,00;N\n4000000002741;888,00;J;more\n" +
    "4000000013709;2,00;J\n4000000004110;3,00;J\n";
  const data = await bench.send(file, "?mode=replace&force=true");
  assertEquals([data.stats, data.removed], [counts(0, 1, 1, 2), 1]);
  const reported = [...data.errors, ...data.warnings].map(({ code, sku }) => [code, sku]);
  const three = [["ragged_row", "10-0002"], ["ambiguous_ean", null], ["inactive", "10-0001"]];
  assertEquals(reported, three);
  const products = [...(await bench.products()).values()];
  const gone = products.filter(({ deletedAt }) => deletedAt !== null);
  assertEquals([products.length, gone.map(({ sku }) => sku)], [6, ["W"]]);
});

withVat.test("the products of an EAN are spared once, however many refused records have it", async (bench) => {
  const twin = (sku: string) => `${sku};Zwilling;;4000000013709;;5,00;;19\n`;
  await bench.send(`${GERMAN}${twin("Z-1")}${twin("Z-2")}`);
  const find = createEanFinder(bench.app);
  const record = { index: 0, line: 2, sku: null, patch: null, findings: [], refusedXml: null };
  const eans = ["4000000013709", "04000000013709", "4000000001379", "4000000016441"];
  const found = await find(eans.map((byEan) => ({ ...record, byEan })), "a.csv");
  assertEquals(found.map(({ spared }) => spared), [["Z-1", "Z-2"], [], ["10-0001"], []]);
});

withVat.test("of rows with the same SKU, a later one fills the cells that the first one leaves empty", async (bench) => {
  const head = "Artikelnummer;Bezeichnung;Hersteller;Preisgruppe;VK brutto\n";
  assertEquals((await bench.send(`${head}A;;;EVP;20,00\nA;T;Nord;B2B;15,00\n`)).stats.errors, 0);
  const { title, brand } = (await bench.products()).get("A");
  assertEquals([title, brand], ["T", "Nord"]);
});

withVat.test("an emptied sale price leaves the prices of the product", async (bench) => {
  const head = "Artikelnummer;Bezeichnung;VK brutto;Aktionspreis\n";
  const prices = async (row: string) => {
    await bench.send(head + row);
    const { ourPrice, prices } = (await bench.products()).get("A");
    return [ourPrice, ...valuesOf(prices, "tier", "amountCents")];
  };
  const both = [1_500, [null, 2_000], ["SALE", 1_500]];
  assertEquals(await prices("A;T;20,00;15,00\n"), both);
  assertEquals(await prices("A;T;;\n"), both);
  assertEquals(await prices("A;T;20,00;\n"), [2_000, [null, 2_000]]);
  assertEquals(await prices("A;T;20,00;15,00\n"), both);
  assertEquals(await prices("A;T;20,00;0,00\n"), [2_000, [null, 2_000]]);
});

withVat.test("an emptied sale price of XML leaves the prices of the product", async ({ app, send, products }) => {
  await app.owner.create("/api/import-profiles", {
    name: "Feed",
    detect: { root: "F" },
    itemPath: "F/I",
    fields: { sku: { path: "N" }, title: { path: "N" } },
    prices: { path: "P", amount: ".", current: "today" },
    sale: { amount: "S" },
    zeroIsEmpty: true,
  });
  const priceWith = async (sale: string) => {
    await send(`<F><I><N>A</N><P>20,00</P>${sale}</I></F>`, "", "application/xml");
    const { ourPrice, prices } = (await products()).get("A");
    return [ourPrice, prices.length];
  };
  for (const empty of ["<S>0,00</S>", "<S/>"]) {
    assertEquals(await priceWith("<S>15,00</S>"), [1_500, 2]);
    assertEquals(await priceWith(empty), [2_000, 1], empty);
  }
});

withVat.test("a recognised file is read as its profile says", async ({ app, send, products }) => {
  const read = { headerRow: 4 };
  await app.owner.create("/api/import-profiles", { ...DELETES_INACTIVE, read });
  const head = "Nummer;Name;Aktiv";
  await send(`${head}\nalt;Alt;J\n\n${head}\nA;T;J\n`);
  assertEquals([...(await products()).keys()], ["A"]);
});

withVat.test("fields of JSON count even if they first occur in a late record", async (bench) => {
  const items = Array.from({ length: 1_000 }, (_, n) => ({ sku: `S-${n}`, title: "T".repeat(90) }));
  const json = JSON.stringify([...items, { sku: "A", title: "T", brand: "Nord" }]);
  await bench.send(json, "", "application/json");
  const { items: [found] } = await bench.app.viewer.read("/api/products?sku=A");
  assertEquals(found.brand, "Nord");
});

withVat.test("a SKU in JSON that is a number without all of its digits is refused", async (bench) => {
  const lines = ["17", "18"].map((end) => `{"sku":9007199254740${end}00,"title":"T"}`);
  const { stats, errors } = await bench.send(`[${lines.join(",")}]`, "", "application/json");
  assertEquals(stats, counts(0, 0, 0, 2));
  assertEquals(valuesOf(errors, "code"), [["damaged_number"], ["damaged_number"]]);
});

withVat.test("a dry run with a named template is applied with that template", async (bench) => {
  const file = "sku,title,price,deliveryTime,url\nA,Apfel,1.50,1 Tag,https://shop.example/a\n";
  const dry = await bench.send(file, "?profile=idealo&dryRun=true");
  assertEquals(dry.stats, counts(1, 0, 0));
  await bench.key.act(`${IMPORT}/${dry.jobId}/apply`);
  assertEquals((await bench.products()).get("A").ourPrice, 150);
});

withVat.test("a file sets the condition that a person set for many products", async (bench) => {
  const file = "sku;title;condition\nA;T;neu\nB;T;neu\n";
  await bench.send(file);
  const bulk = { filter: {}, set: { condition: "used" } };
  assertEquals((await bench.app.manager.act("/api/products/bulk", bulk)).changed, 2);
  assertEquals((await bench.send(file)).stats, counts(0, 2, 0));
  assertEquals((await bench.products()).get("A").condition, "new");
});

withVat.test("attributes of a file that a product cannot hold are named in a warning", async (bench) => {
  const names = Array.from({ length: 50 }, (_, n) => `n${n}`);
  const attributes = Object.fromEntries(names.map((name) => [name, "1"]));
  await bench.app.owner.create("/api/products", { sku: "A", title: "T", attributes });
  const file = "sku;title;VK brutto;Merkmal n0;Merkmal neu\nA;T;1,00;2;3\n";
  assertEquals(valuesOf((await bench.send(file)).warnings, "code", "value"), [["too_long", "neu"]]);
  const { attributes: stored } = (await bench.products()).get("A");
  assertEquals([stored.n0, stored.neu], ["2", undefined]);
});

/** Sends a file and reads its refused rows; `rows` are the lines without the two error columns. */
async function sendRefused(bench: ImportBench, file: string | Uint8Array, type = "text/csv") {
  const { jobId, stats } = await bench.send(file, "", type);
  const answer = await bench.key.get(`${IMPORT}/${jobId}/errors?format=rows`);
  assertEquals(answer.status, 200);
  const text = (await answer.text()).replace("\ufeff", "");
  const lines = text.trimEnd().split("\r\n");
  const rows = lines.map((line) => line.split(";").slice(0, -2).join(";"));
  return { text, lines, rows, errors: stats.errors };
}

withVat.test("refused rows are exported unchanged with their errors, and can be sent again", async (bench) => {
  const file = [
    "Artikelnummer;Bezeichnung;VK brutto;Notiz",
    "A-1;Tasse;1,00;gut",
    ';"Eimer; ""groß""";2,00;=1+1',
    "A-3;;3,00;ohne Titel",
    "4,01E+12;Kanne;4,00;",
    "A-5;Teller; tief;5,00;gut",
  ].join("\n");
  const { text, lines, rows, errors } = await sendRefused(bench, file);
  assertEquals(errors, 4);
  const columns = '"Artikelnummer";"Bezeichnung";"VK brutto";"Notiz"';
  assertEquals(lines[0], `${columns};"Fehler in Zeile";"Fehler"`);
  assertEquals(rows.slice(1), [
    `"";"Eimer; ""groß""";"2,00";"'=1+1"`,
    '"A-3";"";"3,00";"ohne Titel"',
    '"4,01E+12";"Kanne";"4,00";""',
    '"A-5";"Teller";" tief";"5,00";"6"',
  ]);
  match(lines[1] ?? "", /has no SKU/);
  match(lines[2] ?? "", /needs a title/);
  match(lines[3] ?? "", /Artikelnummer: .*lost its digits/);

  const mended = text.replace('"";"Eimer', '"A-2";"Eimer').replace('"A-3";""', '"A-3";"Topf"')
    .replace("4,01E+12", "A-4");
  const again = await bench.send(mended);
  assertEquals([again.stats.inserted, column(again.errors, "code")], [3, ["ragged_row"]]);
  const titles = { "A-1": "Tasse", "A-2": 'Eimer; "groß"', "A-3": "Topf", "A-4": "Kanne" };
  const products = [...(await bench.products()).values()];
  assertEquals(Object.fromEntries(valuesOf(products, "sku", "title")), titles);
  const third = await sendRefused(bench, mended.replace('"A-2"', '""'));
  assertEquals(third.lines[0], lines[0], "the error columns of an earlier file are replaced");
});

withBench.test("refused rows that are sent again clear nothing", async (bench) => {
  await bench.send("Artikelnummer;Bezeichnung;Hersteller;Bestand\nA;Tasse;Nord;7\n");
  const file = "Artikelnummer;Hersteller;Bezeichnung;Bestand\n;;Topf\n";
  const { text } = await sendRefused(bench, file);
  match(text, /"Fehler"\r\n"";"";"Topf";"";"?2"?;"[^;]*"\r\n$/);
  await bench.send(text.replace('"";"";"Topf"', '"A";"";"Topf"'));
  const { title, brand, stock } = (await bench.products()).get("A");
  assertEquals([title, brand, stock], ["Topf", "Nord", 7]);
});

withVat.test("refused rows have all columns of the tables that contain them, whatever the reason and the columns' names", async (bench) => {
  const stored = { title: "Tasse", ourPrice: 1, costPrice: 0.5 };
  await bench.app.owner.create("/api/products", { ...stored, sku: "A", currency: "USD" });
  await bench.app.owner.create("/api/products", { ...stored, sku: "B" });
  const head = "Artikelnummer;Bezeichnung;VK brutto;Währung;Notiz";
  const ofCurrency = [head, "A;Tasse;2,00;EUR;gut", "B;Tasse;2,00;CHF;neu"];
  const namedAsError = ["Artikelnummer;Bezeichnung;Grund", ";Eimer;B-Ware"];
  const pairs = ["Artikelnummer;Bezeichnung;Preis;Preis", ";Eins;1,00;2,00"];
  const stock = (row: string) => ["b.csv", `Bezeichnung;Artikelnummer;Lager\n${row}\n`] as const;
  const cases = [
    [ofCurrency.join("\n"), ofCurrency],
    [namedAsError.join("\n"), namedAsError],
    [
      zipSync([["a.csv", pairs.join("\n")], stock("Zwei;;7")]),
      [`${pairs[0]};Lager`, `${pairs[1]};`, ";Zwei;;;7"],
    ],
    // `b.csv` has no refused row, so its column `Lager` is absent.
    [zipSync([["a.csv", pairs.join("\n")], stock("Zwei;B;7")]), pairs],
  ] as const;
  for (const [file, expected] of cases) {
    const { rows } = await sendRefused(bench, file, "application/octet-stream");
    assertEquals(rows.map((row) => row.replaceAll('"', "")), expected);
  }
});

withVat.test("a long refused row is exported without its long cells", async (bench) => {
  const long = "x".repeat(31_000);
  const csv = `Artikelnummer;Bezeichnung;Hersteller\n;${long};Nord\n`;
  match((await sendRefused(bench, csv)).text, /^"";"";"Nord";"?2"?;".*no SKU"/m);
  const item = `<ITEM><TITLE>${long}</TITLE><BRAND>Nord</BRAND></ITEM>`;
  const xml = `<ITEMS>${item}<ITEM><SKU>A</SKU></ITEM></ITEMS>`;
  const { text } = await sendRefused(bench, xml, "application/xml");
  match(text, /^"Nord";"";"?1"?;".*no SKU"/m);
});

withVat.test("a table may have more columns than a profile, and with any names", async ({ send, products }) => {
  const many = Array.from({ length: 101 }, (_, n) => [`Wettbewerber ${n} URL`, `VK ab ${n + 2}`]);
  const odd = ["VK ab 0", `Merkmal ${"x".repeat(600)}`, ...many.flat()];
  const file = `Artikelnummer;Bezeichnung;${odd.join(";")}\nA;Tasse;2,00;Rot${";".repeat(202)}\n`;
  assertEquals((await send(file)).status, "succeeded");
  const { ourPrice, attributes } = (await products()).get("A");
  assertEquals([ourPrice, attributes], [200, { ["x".repeat(64)]: "Rot" }]);
});

withBench.test("a table whose header is too long is refused", async ({ send }) => {
  const long = `VK brutto${" ".repeat(30_000)}`;
  const { status, error } = await send(`Artikelnummer;Bezeichnung;${long}x\nA;Tasse;2,00\n`);
  assertEquals([status, error.code], ["failed", "too_large"]);
});

withBench.test("numbers with three decimals are prices as well as texts", async (bench) => {
  const rows = [["sku", "title", "stock", "mpn"], [1.234, "Tasse", 1.125, 12.5], [2.345, "", 1, 0]];
  const { columns } = await bench.preview(workbookOf(rows), "Artikel.xlsx");
  assertEquals(valuesOf(columns, "samples")[0], [["1.234", "2.345"]]);
  const { text } = await sendRefused(bench, workbookOf(rows), XLSX);
  match(text, /^"2\.345";""/m);
  await bench.send(text.replace('""', '"Kanne"'));
  const json = '[{"sku":3.456,"title":"Topf","stock":3.125,"mpn":[1.234,2]}]';
  await bench.send(json, "", "application/json");
  assertEquals(valuesOf([...(await bench.products()).values()], "sku", "stock", "mpn"), [
    ["1.234", 1.125, "12.5"],
    ["2.345", 1, "0"],
    ["3.456", 3.125, "1.234, 2"],
  ]);
});

withVat.test("a refused variant is sent again with what it inherits from the first one", async (bench) => {
  const head = "Handle,Title,Vendor,Status,Variant SKU,Variant Price\n";
  const long = "x".repeat(129);
  const file = `${head}h,Hemd,Nord,active,S-1,10.00\nh,,,,${long},10.50\n`;
  const { text, errors } = await sendRefused(bench, file);
  const again = await bench.send(text.replace(long, "S-2"));
  assertEquals([errors, again.stats], [1, counts(1, 0, 0)]);
  const { title, brand, ourPrice } = (await bench.products()).get("S-2");
  assertEquals([title, brand, ourPrice], ["Hemd", "Nord", 1_050]);
});

withBench.test("refused records of workbooks, JSON and XML are exported as rows with their lines", async (bench) => {
  const book = workbookOf([["Artikelnummer", "Bezeichnung", "VK"], ["", "Tasse", 1.5]]);
  match((await sendRefused(bench, book, XLSX)).text, /"";"Tasse";"1\.5";"?2"?;"/);

  const json = '[{"sku":"A","title":"Kanne"},\n{"title":"Tasse","price":"1,50"}]';
  const ofJson = await sendRefused(bench, json, "application/json");
  match(ofJson.text, /"";"Tasse";"1,50";"?2"?;"sku: .*no SKU"/);

  const price = (amount: string) => `<SALESPRICE><PRICE>${amount}</PRICE></SALESPRICE>`;
  const xml = [
    "<ITEMS>\n<ITEM><SKU>A</SKU><TITLE>Kanne</TITLE></ITEM>",
    `<ITEM><TITLE>Tasse; &amp; "Topf"</TITLE>${price("1,50")}${price("1,40")}</ITEM>`,
    "<ITEM><SKU>N</SKU><BRAND>Nord</BRAND></ITEM>\n</ITEMS>",
  ].join("\n");
  const { lines, errors } = await sendRefused(bench, xml, "application/xml");
  assertEquals([errors, lines.length], [2, 3]);
  match(lines[0] ?? "", /^"TITLE";"SALESPRICE\/PRICE";"SKU";"BRAND";"Fehler in Zeile";"Fehler"$/);
  match(lines[1] ?? "", /^"Tasse; & ""Topf""";"1,50 \| 1,40";"";"";"?3"?;"SKU: .*no SKU"$/);
  match(lines[2] ?? "", /^"";"";"N";"Nord";"?4"?;".*needs a title.*"$/);
});
