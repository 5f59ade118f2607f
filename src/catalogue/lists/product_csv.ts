/**
 * Products as CSV: every cell quoted, text that a spreadsheet would run made harmless
 * (docs/decisions/catalogue.md).
 */
import { stringify } from "csv-stringify/sync";
import { exponentOf } from "../../base/currency.ts";
import { formatDecimalComma, formatMajor } from "../../base/money.ts";
import type { Product } from "../products/product.ts";
import {
  FIELD_NAMES,
  type FieldName,
  majorName,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";

/** `excel` is what a German Excel opens by itself: semicolons, decimal comma, byte order mark. */
export const CSV_DIALECTS = ["excel", "rfc4180"] as const;
export type CsvDialect = (typeof CSV_DIALECTS)[number];

type Cell = string | number | boolean | null;

/** Fields with a column, in their order. */
const COLUMNS = [
  ...FIELD_NAMES.filter((name) => ["plain", "amount"].some((csv) => csv === csvOf(name))),
  ...FIELD_NAMES.filter((name) => csvOf(name) === "json"),
];

function csvOf(name: FieldName) {
  return PRODUCT_FIELDS[name].csv;
}

function cellOf(product: Product, name: FieldName): Cell | { readonly cents: number } {
  const value = product[name];
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return typeof value === "number" && csvOf(name) === "amount" ? { cents: value } : value;
}

/** The names of the columns, with the byte order mark of the dialect. */
export function csvHead(dialect: CsvDialect): string {
  const mark = dialect === "excel" ? "\uFEFF" : "";
  return mark + render([COLUMNS.map(majorName)], dialect);
}

export function csvRows(products: readonly Product[], dialect: CsvDialect): string {
  return render(
    products.map((product) =>
      COLUMNS.map((name) => textOf(cellOf(product, name), product.currency, dialect))
    ),
    dialect,
  );
}

function render(rows: readonly (readonly string[])[], dialect: CsvDialect): string {
  return stringify(rows.map((row) => [...row]), {
    delimiter: dialect === "excel" ? ";" : ",",
    quoted: true,
    quoted_empty: true,
    record_delimiter: "windows",
  });
}

function textOf(
  cell: Cell | { readonly cents: number },
  currency: string,
  dialect: CsvDialect,
): string {
  if (cell === null) return "";
  if (typeof cell === "string") return harmless(cell);
  if (typeof cell === "boolean") return String(cell);
  if (typeof cell === "number") {
    return dialect === "excel" ? String(cell).replace(".", ",") : String(cell);
  }
  const format = dialect === "excel" ? formatDecimalComma : formatMajor;
  return format(cell.cents, exponentOf(currency));
}

/** Blanks and invisible characters before it do not keep a spreadsheet from running a formula. */
const FORMULA = /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** The text with an apostrophe before it when a spreadsheet would run it. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
