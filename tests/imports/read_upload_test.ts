import { readUpload } from "../../src/imports/upload/read_upload.ts";
import { partFrom, partOf, readWhole, SETTING, sourceOf } from "./upload_reading.ts";
import { column, valuesOf } from "../api/answers.ts";
import { zipSync } from "../zip.ts";
import { startBench, withBench } from "./import_calls.ts";
import { smallParts } from "./workbook.ts";
import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const items = (...skus: string[]) =>
  `<ITEMS>${skus.map((sku) => `<ITEM><SKU>${sku}</SKU></ITEM>`).join("")}</ITEMS>`;

Deno.test("readUpload() gives the same however the source chunks its bytes", async () => {
  const bytes = utf8(items("ä€😀", "B"));
  const whole = await readWhole([partOf("a.xml", bytes)]);
  const source = sourceOf(bytes, 1);
  assertEquals(await readWhole([partFrom("a.xml", source)]), whole);
});

Deno.test("readUpload() reads a file with one invalid byte near the end as windows-1252 from the start", async () => {
  const many = Array.from({ length: 40_000 }, (_, n) => `S-${n}`);
  const priced = "<SALESPRICE><PRICE>1,00</PRICE></SALESPRICE></ITEM></ITEMS>";
  const xml = items("\xdc", ...many, "\xe4").replace(/<\/ITEM><\/ITEMS>$/, priced);
  const { records, files, warnings } = await readWhole([partOf("a.xml", latin1(xml))]);
  assertEquals([records[0]?.sku, records.at(-1)?.sku, records.length], ["Ü", "ä", 40_002]);
  assertEquals(files[0]?.encoding, "windows-1252");
  const guessed = ["encoding_guessed", "a.xml", "warning"];
  assertEquals(warnings.map(({ code, file, severity }) => [code, file, severity]), [guessed]);
});

Deno.test("readUpload() recognises a web page named like a table, and says how to save it", async () => {
  const rows = "<tr><th>Artikelnummer<th>Preis<tr><td>A<td>1,00</table>";
  const pages = [
    "<html><body><table></table></body></html>",
    `<table>${"<tr><td>A</td></tr>"}</table>`,
    `<TABLE border=1>${rows}`,
    `<meta http-equiv="content-type" content="text/html; charset=utf-8"><table>${rows}`,
    `<!DOCTYPE html>\n<html lang=de><meta charset=utf-8><table>${rows}`,
    `\r\n<!doctype html><title>Artikel</title><table>${rows}`,
  ];
  for (const page of pages) {
    for (const name of ["artikel.xls", "artikel.XLSX"]) {
      const { refused, records } = await readWhole([partOf(name, utf8(page))]);
      assertEquals([refused?.code, refused?.file, records.length], ["unknown_format", name, 0]);
      ok(refused?.message.includes("save it as .xlsx"), page);
    }
  }
  const codes = async (name: string, text: string) =>
    (await readWhole([partOf(name, utf8(text))])).refused?.code;
  assertEquals(await codes("artikel.xml", `<TABLE border=1>${rows}`), "malformed_xml");
  assertEquals(await codes("artikel.xml", "<table></table>"), "no_items");
  assertEquals(await codes("artikel.xls", "<tables a=1>"), "malformed_xml");
});

Deno.test("readUpload() accepts a file without items next to one with items", async () => {
  const empty = partOf("empty.xml", utf8("<ITEMS/>"));
  assertEquals((await readWhole([empty])).refused?.code, "no_items");
  const both = await readWhole([empty, partOf("a.xml", utf8(items("A")))]);
  assertEquals([both.refused, both.files.map((file) => file.items)], [null, [0, 1]]);
});

Deno.test("readUpload() rethrows a failure of the source instead of blaming the file", async () => {
  const archive = zipSync([["a.xml", items("A")]]);
  for (const [bytes, goodReads] of [[utf8(items("A")), 0], [archive, 1]] as const) {
    const { size, read } = sourceOf(bytes);
    let reads = 0;
    const failing = (offset: number, length: number) =>
      reads++ < goodReads ? read(offset, length) : Promise.reject(new Error("The disk is gone"));
    await rejects(readWhole([partFrom("a.xml", { size, read: failing })]), /The disk is gone/);
  }
});

Deno.test("readUpload() reads only as far as it is asked", async () => {
  const block = utf8("<ITEM><SKU>A</SKU></ITEM>".repeat(10_000));
  let readTo = 0;
  const source = {
    size: block.length * 100,
    read(offset: number, length: number) {
      readTo = Math.max(readTo, offset + length);
      const start = latin1('<?xml version="1.0" encoding="latin1"?><ITEMS>');
      return Promise.resolve(offset === 0 ? start : block.slice(0, length));
    },
  };
  for await (const event of readUpload([partFrom("a.xml", source)], SETTING)) {
    if (event.kind === "records" && event.records.length > 0) break;
  }
  ok(readTo < 2 * block.length, `${readTo} bytes`);
});

Deno.test("readUpload() reports progress often enough for a heartbeat, even before the first record", async () => {
  const bytes = utf8(items(...Array.from({ length: 60_000 }, (_, n) => `S-${n}`)));
  let eventsBefore = 0;
  let bytesMax = 0;
  for await (const event of readUpload([partOf("a.xml", bytes)], SETTING)) {
    if (event.kind === "progress") eventsBefore += 1;
    if ("bytes" in event) bytesMax = Math.max(bytesMax, event.bytes);
  }
  ok(eventsBefore >= 5, `${eventsBefore} events`);
  ok(bytesMax <= 262_144, `${bytesMax} bytes at once`);
});

Deno.test("readUpload() looks for unread prices only until it has kept a megabyte of unread text", async () => {
  const long = `<TEXT>${"x".repeat(60_000)}</TEXT>`;
  const warnedWith = async (texts: number) => {
    const item = `<ITEM><SKU>A</SKU>${long.repeat(texts)}<UVP>9,00</UVP></ITEM>`;
    const { warnings } = await readWhole([partOf("a.xml", utf8(`<ITEMS>${item}</ITEMS>`))]);
    return warnings.filter(({ code }) => code === "columns_ignored").map(({ value }) => value);
  };
  assertEquals([await warnedWith(10), await warnedWith(20)], [["UVP"], []]);
});

const SPREADSHEETML = '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n' +
  '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet/></Workbook>';
const ODS = zipSync([
  ["mimetype", "application/vnd.oasis.opendocument.spreadsheet"],
  ["content.xml", "<office:document-content/>"],
  ["META-INF/manifest.xml", "<manifest:manifest/>"],
]);
const RELATIONS = (target: string) =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `<Relationship Id="r1" Type="x/officeDocument" Target="${target}"/></Relationships>`;
const XLSB = zipSync([
  ["_rels/.rels", RELATIONS("xl/workbook.bin")],
  ["xl/workbook.bin", new Uint8Array([131, 1, 0])],
]);
const DOCX = zipSync([
  ["_rels/.rels", RELATIONS("word/document.xml")],
  ["word/document.xml", "<w:document/>"],
]);
const PDF = "%PDF-1.4\nArtikelnummer Bezeichnung VK\n00471 Topf 19,99\n%%EOF\n";
const order = (root: string, namespace = "") =>
  `<${root}${namespace}><ORDER_ITEM_LIST><ORDER_ITEM><PRODUCT_ID><SUPPLIER_PID>A</SUPPLIER_PID>` +
  `</PRODUCT_ID></ORDER_ITEM></ORDER_ITEM_LIST></${root}>`;
const OPENTRANS = "http://www.opentrans.org/XMLSchema";

const SHEET = ["xl/worksheets/sheet1.xml", "<worksheet/>"] as const;
const damagedBook = (missing: string) =>
  zipSync([...smallParts([]), SHEET].filter(([name]) => name !== missing));
const hiddenSheet = () =>
  smallParts([]).map(([name, xml]) =>
    [name, xml.replace("sheetId", 'state="hidden" sheetId')] as const
  );

const BROKEN_BOOKS = [
  [damagedBook("xl/workbook.xml"), "bad_workbook", "A part of the workbook is missing"],
  [
    damagedBook("xl/_rels/workbook.xml.rels"),
    "bad_workbook",
    "The workbook does not say where its sheets are",
  ],
  [damagedBook(SHEET[0]), "bad_workbook", 'The sheet "Artikel" is not in the file'],
  [zipSync([...hiddenSheet(), SHEET]), "unknown_sheet", "No sheet of the workbook is visible"],
] as const;

Deno.test("readUpload() names what a broken workbook lacks", async () => {
  for (const [bytes, ...expected] of BROKEN_BOOKS) {
    const { refused } = await readWhole([partOf("a.xlsx", bytes)]);
    assertEquals([refused?.code, refused?.message], expected);
  }
});

const itemWith = (count: number, part: (n: number) => string) =>
  `<ITEMS><ITEM><SKU>A</SKU>${
    Array.from({ length: count }, (_, n) => part(n)).join("")
  }</ITEM></ITEMS>`;

Deno.test("readUpload() leaves out links, tiers and attributes beyond the limit, with one warning", async () => {
  const read = async (text: string) => {
    const { records: [record] } = await readWhole([partOf("a.txt", utf8(text))]);
    ok(record && "patch" in record && record.patch);
    const codes = record.findings.map(({ code }) => code).filter((code) => code === "too_long");
    return { ...record.patch, codes };
  };
  const link = (n: number) => `<COMPETITOR><URL>https://a${n}.example/</URL></COMPETITOR>`;
  const linked = await read(itemWith(203, link));
  assertEquals([linked.links?.length, linked.codes], [200, ["too_long"]]);
  const price = (n: number) => `<SALESPRICE><TIER>g${n}</TIER><PRICE>1,00</PRICE></SALESPRICE>`;
  const priced = await read(itemWith(103, price));
  assertEquals([priced.prices?.rows.length, priced.codes], [100, ["too_long"]]);
  const long = await read(`sku;Merkmal: Form;Merkmal: Text\nA;eckig;${"x".repeat(1_001)}\n`);
  assertEquals([long.attributes, long.codes], [{ Form: "eckig" }, ["too_long"]]);
});

const UNREADABLE = [
  ["preise.ods", ODS, "opendocument_file"],
  ["im Archiv: preise.ods", zipSync([["preise.xlsx", ODS]]), "opendocument_file"],
  ["preise.xls", SPREADSHEETML, "spreadsheetml_file"],
  ["preise.xlsb", XLSB, "binary_workbook"],
  ["preise.docx", DOCX, "word_document"],
  ["preise.pdf", PDF, "pdf_document"],
  ["mit BOM: preise.pdf", `\ufeff\r\n${PDF}`, "pdf_document"],
  ["auftrag.xml", order("ORDER", ` xmlns="${OPENTRANS}/2.1"`), "opentrans_document"],
  ["rechnung.xml", order("ot:INVOICE", ` xmlns:ot="${OPENTRANS}/2.0"`), "opentrans_document"],
  ["auftrag-1.0.xml", order("ORDER"), "opentrans_document"],
] as const;

withBench.test("an unreadable file is named with a remedy", async (bench) => {
  for (const [name, body, code] of UNREADABLE) {
    const data = await bench.send(body, "", "application/octet-stream");
    assertEquals([name, data.status, data.error.code], [name, "failed", code]);
    match(data.error.message, /^This is (?:a|an) .*(?:\.xlsx|CSV)/);
  }
});

/** Returns the fields `names` of findings about the whole file. */
const ofFile = (findings: Parameters<typeof valuesOf>[0], ...names: string[]) =>
  valuesOf(findings.filter(({ index }) => index === null), ...names);

withBench.test("a table reports its unread columns, and that none is our price", async (bench) => {
  const body =
    "Artikelnummer;Bezeichnung;Händlerpreis;Farbe;;Farbe;EAN;Ean \n00471;Topf;12,50;rot;;blau\n";
  const expected = [
    ["duplicate_header", 1, "Farbe", null],
    ["duplicate_header", 1, "Ean", null],
    ["no_price_column", 1, null, null],
    ["columns_ignored", 1, null, "Händlerpreis, Farbe, Farbe, Ean"],
  ];
  const names = ["code", "line", "field", "value"];
  assertEquals(ofFile((await bench.send(body)).warnings, ...names), expected);
  assertEquals(ofFile((await bench.preview(body, "a.csv")).warnings, ...names), expected);
});

const PROFILE = {
  id: "own",
  name: "Own",
  detect: { root: "LISTE" },
  itemPath: "LISTE/ARTIKEL",
  fields: { sku: { path: "@nr" }, title: { path: "NAME" } },
};
const PRICED = { path: "VK", amount: "." };
const article = (more: string) =>
  `<LISTE><KOPF><PREIS>1,00</PREIS></KOPF><ARTIKEL nr="1"><NAME>Topf</NAME>${more}</ARTIKEL></LISTE>`;

const NO_PRICE = ["no_price_column", null];
const ignored = (columns: string) => ["columns_ignored", columns];
const OTHER_PRICES =
  "<VK>12,50</VK><x:EK>8</x:EK><HAENDLERPREIS>9,00</HAENDLERPREIS><BETRAG>9 €</BETRAG>" +
  '<TIEF><UVP waehrung="EUR" listenpreis="13">14,00</UVP></TIEF>';
const NO_PRICES =
  '<VK>12,50</VK><GEWICHT>0,50</GEWICHT><FARBE a="12,50">rot</FARBE><PREISART>7</PREISART>' +
  "<PREISE><GRUPPE>1</GRUPPE></PREISE><EK></EK>";
const UNREAD = ignored("x:EK, HAENDLERPREIS, BETRAG, TIEF/UVP/@listenpreis, TIEF/UVP");

const UNREAD_PRICES: [string, typeof PRICED | null, string, ...(string | null)[][]][] = [
  ["no path of prices, and no price", null, "", NO_PRICE],
  ["no path of prices", null, "<VK>12,50</VK>", NO_PRICE, ignored("VK")],
  ["a path that leads nowhere", PRICED, "<VKPREIS>12</VKPREIS>", ignored("VKPREIS"), NO_PRICE],
  ["an element that is empty", PRICED, "<VK/>", NO_PRICE],
  ["unread prices next to ours", PRICED, OTHER_PRICES, UNREAD],
  ["nothing that looks like a price", PRICED, NO_PRICES],
];

withBench.test("an XML file reports its unread prices", async (bench) => {
  const path = "/api/import-profiles";
  await bench.app.owner.create(path, PROFILE);
  for (const [what, prices, inner, ...reported] of UNREAD_PRICES) {
    await bench.app.owner.change(`${path}/${PROFILE.id}`, { prices });
    const data = await bench.send(article(inner), "?force=true", "application/xml");
    assertEquals(data.status, "succeeded", what);
    assertEquals(ofFile(data.warnings, "code", "value"), reported, what);
    const look = await bench.preview(article(inner), "a.xml");
    assertEquals(ofFile(look.warnings, "code", "value"), reported, what);
  }
});

withBench.test("findings about a whole file come before findings about its records", async (bench) => {
  const item = (n: number) => `<ITEM><SKU>${n}</SKU><TITLE>T</TITLE><EAN>x</EAN></ITEM>`;
  const xml = `<ITEMS>${Array.from({ length: 150 }, (_, n) => item(n)).join("")}</ITEMS>`;
  const { warnings } = await bench.preview(xml, "a.xml");
  assertEquals(warnings.length, 100);
  assertEquals(column(warnings.slice(0, 2), "code"), ["no_price_column", "invalid_ean"]);
  const data = await bench.send(xml, "", "application/xml");
  assertEquals([data.warningCount, data.warnings[0].code], [151, "no_price_column"]);
});

withBench.test("a file that only deletes gets no warning about prices", async (bench) => {
  const profile = { ...PROFILE, mode: "@mode", prices: PRICED };
  await bench.app.owner.create("/api/import-profiles", profile);
  const xml = '<LISTE><ARTIKEL nr="1" mode="delete"/></LISTE>';
  const data = await bench.send(xml, "", "application/xml");
  assertEquals([data.status, data.warnings], ["succeeded", []]);
});

const REFUSED = [
  ["no rate of VAT", "Artikelnummer;Bezeichnung;VK netto;EK;Bestand", "12,50;8,00;4", "VK netto"],
  ["another currency", "Artikelnummer;Bezeichnung;VK;EK;Bestand", "$12.50;8,00;4", "VK"],
  ["costs in another one", "Artikelnummer;Bezeichnung;VK;EK;Bestand", "12,50;£8.00;4", "EK"],
] as const;

for (const [why, header, row, field] of REFUSED) {
  Deno.test(`an import fails if a whole column of prices is refused: ${why}`, async () => {
    await using bench = await startBench({ pricesIncludeVat: true });
    const body = `${header}\n00471;Topf;${row}\n00472;Kanne;${row}\n`;
    const data = await bench.send(body);
    assertEquals([data.status, data.error?.code, data.count], ["failed", "prices_refused", 0]);
    assertEquals([data.errors.length, data.errors[0].field, data.keepsUpload], [1, field, true]);
    match(data.error.message, /\(2 of 2\).*allowNoPrices=true/);

    const look = await bench.preview(body, "a.csv");
    assertEquals([look.error.code, look.look.rows], ["prices_refused", 2]);

    const allowed = await bench.send(body, "?allowNoPrices=true");
    assertEquals([allowed.status, allowed.stats.inserted], ["succeeded", 2]);
  });
}

Deno.test("an import that fails for two reasons counts the prices of each reason and says both remedies", async () => {
  await using bench = await startBench({ pricesIncludeVat: true });
  const columns = "Artikelnummer;Bezeichnung;VK netto;MwSt-Satz";
  const { error } = await bench.send(`${columns}
1;Topf;12,50;
2;Topf;$12.50;19
3;Topf;8;
`);
  match(
    error.message,
    /No rate of VAT .*\(2 of 3\)\. .*in another currency .*\(1 of 3\)\. .*rate of VAT.*in the currency/,
  );
});

withBench.test("a column with one usable price does not fail the import", async (bench) => {
  const body = "Artikelnummer;Bezeichnung;VK\n00471;Topf;$12.50\n00472;Kanne;12,50\n";
  const data = await bench.send(body);
  assertEquals([data.status, data.stats.inserted, data.warningCount], ["succeeded", 2, 1]);
});

Deno.test("a refused import can be applied after setting the VAT rate, or without its prices", async () => {
  await using bench = await startBench({ pricesIncludeVat: true });
  const priceOf = async (sku: string) => {
    const { data: [product] } = await bench.key.read(`/api/public/v1/products?sku=${sku}`);
    return product?.ourPrice;
  };
  const send = async (sku: string) => {
    const body = `Artikelnummer;Bezeichnung;VK netto\n${sku};Topf;100,00\n`;
    return (await bench.send(body)).jobId;
  };
  const apply = (jobId: string, query = "") =>
    bench.key.act(`/api/public/v1/products/import/${jobId}/apply${query}`);
  const first = await send("00471");
  const again = await apply(first);
  assertEquals(again.data.error.code, "prices_refused");
  await apply(again.data.jobId, "?allowNoPrices=true");
  assertEquals(await priceOf("00471"), null);

  const second = await send("00472");
  await bench.app.owner.change("/api/settings", { vatRatePct: 19 });
  await apply(second);
  assertEquals(await priceOf("00472"), 11_900);
});
