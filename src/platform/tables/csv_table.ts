/** Tables as CSV. Every cell is quoted, and no cell can run as a formula (`harmless`). */
import { formatDecimalComma, formatMajor } from "../../base/money.ts";
import { harmless } from "../../base/text.ts";
import { TimeSlice } from "../event_loop.ts";
import type { Cell, OutgoingTable } from "./cell.ts";
import { z } from "@hono/zod-openapi";
import { stringify } from "csv-stringify/sync";

/** `excel` is for a German Excel: semicolons, decimal comma, byte order mark. */
export const CSV_DIALECTS = ["excel", "rfc4180"] as const;
export type CsvDialect = (typeof CSV_DIALECTS)[number];

export const DialectQuery = z.enum(CSV_DIALECTS).default("excel")
  .describe("`excel`: semicolons, decimal comma, byte order mark");

export async function* csvChunks(
  { columns, batches }: Pick<OutgoingTable, "columns" | "batches">,
  dialect: CsvDialect,
): AsyncGenerator<string> {
  const rest = batches[Symbol.asyncIterator]();
  const slice = new TimeSlice();
  try {
    yield csvHead(columns, dialect);
    for (let step = await rest.next(); !step.done; step = await rest.next()) {
      yield csvRows(step.value, dialect);
      await slice.yield();
    }
  } finally {
    // Closes the table even if the reader stops after the header.
    await rest.return?.();
  }
}

export function csvHead(columns: readonly string[], dialect: CsvDialect): string {
  return (dialect === "excel" ? "\uFEFF" : "") + csvRows([columns], dialect);
}

export function csvRows(rows: readonly (readonly Cell[])[], dialect: CsvDialect): string {
  return stringify(rows.map((row) => row.map((cell) => csvText(cell, dialect))), {
    delimiter: dialect === "excel" ? ";" : ",",
    quoted: true,
    quoted_empty: true,
    record_delimiter: "windows",
  });
}

function csvText(cell: Cell, dialect: CsvDialect): string {
  if (cell === null) return "";
  if (typeof cell === "string") return harmless(cell);
  if (typeof cell === "boolean") return String(cell);
  if (typeof cell === "number") {
    return unmistakable(dialect === "excel" ? String(cell).replace(".", ",") : String(cell));
  }
  if ("plain" in cell) return harmless(cell.plain);
  if ("at" in cell) return cell.at;
  if ("day" in cell) return dialect === "excel" ? germanDay(cell.day) : cell.day;
  const format = dialect === "excel" ? formatDecimalComma : formatMajor;
  return unmistakable(format(cell.cents, cell.exponent));
}

export function germanDay(day: string): string {
  return day.split("-").toReversed().join(".");
}

/** Adds a zero to a number with three decimals, because programs could read `1,234` as 1234. */
function unmistakable(number: string): string {
  return /^-?\d{1,3}[.,]\d{3}$/.test(number) ? `${number}0` : number;
}
