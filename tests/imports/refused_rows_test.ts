import { valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { type TestApp } from "../harness.ts";
import { sheetsOf } from "../read_workbook.ts";
import { zipSync } from "../zip.ts";
import { withBench, XLSX } from "./import_bench.ts";
import { IMPORT, importFile, importXml } from "./import_calls.ts";
import { workbookOf } from "./workbook.ts";

async function refusedOf(app: TestApp, jobId: string): Promise<string> {
  const key = await app.key(["products:write"]);
  const answer = await key.get(`${IMPORT}/${jobId}/errors?format=rows`);
  assertEquals(answer.status, 200);
  return (await answer.text()).replace("\ufeff", "");
}

const withoutError = (line: string) => line.split(";").slice(0, -2).join(";");

withBench.test("refused rows are exported unchanged with their errors, and can be sent again", async ({ app, key }) => {
  await app.owner.change("/api/settings", { pricesIncludeVat: true });
  const file = [
    "Artikelnummer;Bezeichnung;VK brutto;Notiz",
    "A-1;Tasse;1,00;gut",
    ';"Eimer; ""groß""";2,00;=1+1',
    "A-3;;3,00;ohne Titel",
    "4,01E+12;Kanne;4,00;",
    "A-5;Teller;5,00;gut;zu viel",
  ].join("\n");
  const { data } = await importFile(key, file, "text/csv");
  assertEquals([data.stats.inserted, data.stats.errors], [1, 4]);
  const refused = await refusedOf(app, data.jobId);
  const lines = refused.trimEnd().split("\r\n");
  const columns = '"Artikelnummer";"Bezeichnung";"VK brutto";"Notiz"';
  assertEquals(lines[0], `${columns};"Fehler in Zeile";"Fehler"`);
  assertEquals(lines.slice(1).map(withoutError), [
    `"";"Eimer; ""groß""";"2,00";"'=1+1"`,
    '"A-3";"";"3,00";"ohne Titel"',
    '"4,01E+12";"Kanne";"4,00";""',
    '"A-5";"Teller";"5,00";"gut"',
  ]);
  match(lines[1] ?? "", /has no SKU/);
  match(lines[2] ?? "", /needs a title/);
  match(lines[3] ?? "", /Artikelnummer: .*lost its digits/);

  const mended = refused.replace('"";"Eimer', '"A-2";"Eimer').replace('"A-3";""', '"A-3";"Topf"')
    .replace("4,01E+12", "A-4");
  const again = await importFile(key, mended, "text/csv");
  assertEquals([again.data.stats.inserted, again.data.errors], [4, []]);
  const { items } = await app.viewer.read("/api/products");
  const titles = { "A-1": "Tasse", "A-2": 'Eimer; "groß"', "A-3": "Topf", "A-4": "Kanne" };
  assertEquals(Object.fromEntries(valuesOf(items, "sku", "title")), { ...titles, "A-5": "Teller" });
  const third = await importFile(key, `${mended.replace('"A-2"', '""')}`, "text/csv");
  const header = (await refusedOf(app, third.data.jobId)).split("\r\n")[0];
  assertEquals(header, lines[0], "the error columns of an earlier file are replaced");
});

withBench.test("refused rows of several tables have the columns of all tables", async ({ app, key }) => {
  const zip = zipSync([
    ["a.csv", "Artikelnummer;Bezeichnung;Preis;Preis\n;Eins;1,00;2,00\n"],
    ["b.csv", "Bezeichnung;Artikelnummer;Lager\nZwei;;7\n"],
  ]);
  const { data } = await importFile(key, zip, "application/zip");
  assertEquals(data.stats.errors, 2);
  const lines = (await refusedOf(app, data.jobId)).trimEnd().split("\r\n");
  assertEquals(lines.map(withoutError), [
    '"Artikelnummer";"Bezeichnung";"Preis";"Preis";"Lager"',
    '"";"Eins";"1,00";"2,00";""',
    '"";"Zwei";"";"";"7"',
  ]);
});

withBench.test("refused records of workbooks, JSON and XML are exported as rows with their lines", async ({ app, key }) => {
  const book = workbookOf([["Artikelnummer", "Bezeichnung", "VK"], ["", "Tasse", 1.5]]);
  const ofBook = await importFile(key, book, XLSX);
  match(await refusedOf(app, ofBook.data.jobId), /"";"Tasse";"1\.5";"?2"?;"/);

  const json = '[{"sku":"A","title":"Kanne"},\n{"title":"Tasse","price":"1,50"}]';
  const ofJson = await importFile(key, json, "application/json");
  match(await refusedOf(app, ofJson.data.jobId), /"";"Tasse";"1,50";"?2"?;"sku: .*no SKU"/);

  const price = (amount: string) => `<SALESPRICE><PRICE>${amount}</PRICE></SALESPRICE>`;
  const items = [
    "<ITEM><SKU>A</SKU><TITLE>Kanne</TITLE></ITEM>",
    `<ITEM><TITLE>Tasse; &amp; "Topf"</TITLE>${price("1,50")}${price("1,40")}</ITEM>`,
    "<ITEM><SKU>N</SKU><BRAND>Nord</BRAND></ITEM>",
  ].join("\n");
  const ofXml = await importXml(key, `<ITEMS>\n${items}\n</ITEMS>`);
  assertEquals(ofXml.data.stats.errors, 2);
  const lines = (await refusedOf(app, ofXml.data.jobId)).trimEnd().split("\r\n");
  assertEquals(lines.length, 3);
  assertEquals(lines[0], '"TITLE";"SALESPRICE/PRICE";"SKU";"BRAND";"Fehler in Zeile";"Fehler"');
  match(lines[1] ?? "", /^"Tasse; & ""Topf""";"1,50 \| 1,40";"";"";"?3"?;"SKU: .*no SKU"$/);
  match(lines[2] ?? "", /^"";"";"N";"Nord";"?4"?;".*needs a title.*"$/);
});

withBench.test("the findings of an import are available as a workbook", async ({ key }) => {
  const { data } = await importFile(key, "SKU;Titel;Preis\n;=Tasse;1,00\n", "text/csv");
  const answer = await key.get(`${IMPORT}/${data.jobId}/errors?format=xlsx`);
  assertEquals(answer.headers.get("Content-Type"), XLSX);
  const { "1": [head, row, ...more] = [] } = await sheetsOf(await answer.bytes());
  assertEquals(head?.slice(0, 5), ["severity", "index", "file", "line", "sku"]);
  assertEquals([row?.[0], row?.[1], row?.[3], row?.[6]], ["error", "0", "2", "missing_sku"]);
  assertEquals(more, []);
});
