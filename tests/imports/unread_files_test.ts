import { column } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { zipSync } from "../zip.ts";
import { startBench, withBench } from "./import_bench.ts";

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
const order = (root: string, namespace?: string) =>
  `<${root}${namespace ? ` xmlns${root.startsWith("ot:") ? ":ot" : ""}="${namespace}"` : ""}>` +
  "<ORDER_ITEM_LIST><ORDER_ITEM><PRODUCT_ID><SUPPLIER_PID>A</SUPPLIER_PID></PRODUCT_ID>" +
  `</ORDER_ITEM></ORDER_ITEM_LIST></${root}>`;

withBench.test("an unreadable file is named with a remedy", async (bench) => {
  for (
    const [name, body, code] of [
      ["preise.ods", ODS, "opendocument_file"],
      ["im Archiv: preise.ods", zipSync([["preise.xlsx", ODS]]), "opendocument_file"],
      ["preise.xls", SPREADSHEETML, "spreadsheetml_file"],
      ["preise.xlsb", XLSB, "binary_workbook"],
      ["preise.docx", DOCX, "word_document"],
      ["preise.pdf", PDF, "pdf_document"],
      ["mit BOM: preise.pdf", `\ufeff\r\n${PDF}`, "pdf_document"],
      [
        "auftrag.xml",
        order("ORDER", "http://www.opentrans.org/XMLSchema/2.1"),
        "opentrans_document",
      ],
      [
        "rechnung.xml",
        order("ot:INVOICE", "http://www.opentrans.org/XMLSchema/2.0"),
        "opentrans_document",
      ],
      ["auftrag-1.0.xml", order("ORDER"), "opentrans_document"],
    ] as const
  ) {
    const data = await bench.send(body, "", "application/octet-stream");
    assertEquals([name, data.status, data.error.code], [name, "failed", code]);
    match(data.error.message, /^This is (?:a|an) .*(?:\.xlsx|CSV)/);
  }
});

withBench.test("a table reports its unread columns, and that none is our price", async (bench) => {
  const body =
    "Artikelnummer;Bezeichnung;Händlerpreis;Farbe;;Farbe;EAN;Ean \n00471;Topf;12,50;rot;;blau\n";
  const data = await bench.send(body);
  const reported = data.warnings.filter(({ index }: { index: number | null }) => index === null)
    .map(({ code, line, field, value }: Record<string, unknown>) => ({ code, line, field, value }));
  const expected = [
    { code: "duplicate_header", line: 1, field: "Farbe", value: null },
    { code: "duplicate_header", line: 1, field: "Ean", value: null },
    { code: "no_price_column", line: 1, field: null, value: null },
    { code: "columns_ignored", line: 1, field: null, value: "Händlerpreis, Farbe, Farbe, Ean" },
  ];
  assertEquals([data.status, reported], ["succeeded", expected]);
  const look = await bench.preview(body, "a.csv");
  assertEquals(column(look.warnings.slice(0, 4), "code"), [
    "duplicate_header",
    "duplicate_header",
    "no_price_column",
    "columns_ignored",
  ]);
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

withBench.test("an XML file reports its unread prices", async (bench) => {
  const path = "/api/import-profiles";
  await bench.app.owner.create(path, PROFILE);
  for (
    const [what, prices, xml, reported] of [
      ["no path of prices, and no price", null, article(""), [["no_price_column", null]]],
      ["no path of prices", null, article("<VK>12,50</VK>"), [
        ["no_price_column", null],
        ["columns_ignored", "VK"],
      ]],
      ["a path that leads nowhere", PRICED, article("<VKPREIS>12</VKPREIS>"), [
        ["columns_ignored", "VKPREIS"],
        ["no_price_column", null],
      ]],
      ["an element that is empty", PRICED, article("<VK/>"), [["no_price_column", null]]],
      [
        "unread prices next to ours",
        PRICED,
        article(
          "<VK>12,50</VK><x:EK>8</x:EK><HAENDLERPREIS>9,00</HAENDLERPREIS><BETRAG>9 €</BETRAG>" +
            '<TIEF><UVP waehrung="EUR" listenpreis="13">14,00</UVP></TIEF>',
        ),
        [["columns_ignored", "x:EK, HAENDLERPREIS, BETRAG, TIEF/UVP/@listenpreis, TIEF/UVP"]],
      ],
      [
        "nothing that looks like a price",
        PRICED,
        article(
          '<VK>12,50</VK><GEWICHT>0,50</GEWICHT><FARBE a="12,50">rot</FARBE><PREISART>7</PREISART>' +
            "<PREISE><GRUPPE>1</GRUPPE></PREISE><EK></EK>",
        ),
        [],
      ],
    ] as const
  ) {
    await bench.app.owner.change(`${path}/${PROFILE.id}`, { prices });
    const data = await bench.send(xml, "?force=true", "application/xml");
    const codes = (findings: Record<string, unknown>[]) =>
      findings.filter(({ index }) => index === null).map(({ code, value }) => [code, value]);
    assertEquals([what, data.status, codes(data.warnings)], [what, "succeeded", reported]);
    const look = await bench.preview(xml, "a.xml");
    assertEquals([what, codes(look.warnings)], [what, reported]);
  }
});

withBench.test("findings about a whole file come before findings about its records", async (bench) => {
  const item = (n: number) => `<ITEM><SKU>${n}</SKU><TITLE>T</TITLE><EAN>x</EAN></ITEM>`;
  const xml = `<ITEMS>${Array.from({ length: 150 }, (_, n) => item(n)).join("")}</ITEMS>`;
  const { warnings } = await bench.preview(xml, "a.xml");
  assertEquals([warnings.length, warnings[0].code, warnings[1].code], [
    100,
    "no_price_column",
    "invalid_ean",
  ]);
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
