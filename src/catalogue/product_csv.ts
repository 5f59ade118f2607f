/** Products as CSV: every cell quoted, text that a spreadsheet would run made harmless (decisions §3). */
import { stringify } from "csv-stringify/sync";
import { exponentOf } from "../base/currency.ts";
import { formatDecimalComma, formatMajor } from "../base/money.ts";
import type { Product } from "./product.ts";

/** `excel` is what a German Excel opens by itself: semicolons, decimal comma, byte order mark. */
export const CSV_DIALECTS = ["excel", "rfc4180"] as const;
export type CsvDialect = (typeof CSV_DIALECTS)[number];

type Cell = string | number | boolean | null;

const COLUMNS: readonly (readonly [string, (product: Product) => Cell | { cents: number }])[] = [
  ["id", ({ id }) => id],
  ["sku", ({ sku }) => sku],
  ["title", ({ title }) => title],
  ["brand", ({ brand }) => brand],
  ["category", ({ category }) => category],
  ["tier", ({ tier }) => tier],
  ["ourPrice", ({ ourPriceCents }) => money(ourPriceCents)],
  ["costPrice", ({ costPriceCents }) => money(costPriceCents)],
  ["targetPrice", ({ targetPriceCents }) => money(targetPriceCents)],
  ["currency", ({ currency }) => currency],
  ["ean", ({ ean }) => ean],
  ["mpn", ({ mpn }) => mpn],
  ["url", ({ url }) => url],
  ["vatRatePct", ({ vatRatePct }) => vatRatePct],
  ["priceLocked", ({ priceLocked }) => priceLocked],
  ["scrapeEnabled", ({ scrapeEnabled }) => scrapeEnabled],
  ["scrapeIntervalHours", ({ scrapeIntervalHours }) => scrapeIntervalHours],
  ["ourPriceUpdatedAt", ({ ourPriceUpdatedAt }) => ourPriceUpdatedAt],
  ["lastScrapedAt", ({ lastScrapedAt }) => lastScrapedAt],
  ["createdAt", ({ createdAt }) => createdAt],
  ["updatedAt", ({ updatedAt }) => updatedAt],
  ["deletedAt", ({ deletedAt }) => deletedAt],
  ["attributes", ({ attributes }) => JSON.stringify(attributes)],
];

function money(cents: number | null): { cents: number } | null {
  return cents === null ? null : { cents };
}

/** The names of the columns, with the byte order mark of the dialect. */
export function csvHead(dialect: CsvDialect): string {
  const mark = dialect === "excel" ? "\uFEFF" : "";
  return mark + render([COLUMNS.map(([name]) => name)], dialect);
}

export function csvRows(products: readonly Product[], dialect: CsvDialect): string {
  return render(
    products.map((product) =>
      COLUMNS.map(([, read]) => textOf(read(product), product.currency, dialect))
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
