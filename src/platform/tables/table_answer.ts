/**
 * A table as a file to download: CSV in one of two dialects, or a workbook. Rows are read while the
 * file is sent, so that a large table is never whole in memory. In CSV, every cell is quoted, and
 * no cell can run as a formula (`harmless`).
 */
import { formatDecimalComma, formatMajor } from "../../base/money.ts";
import { releasing } from "../../base/collections.ts";
import { harmless } from "../../base/text.ts";
import { TimeSlice } from "../event_loop.ts";
import type { Cell, OutgoingTable } from "./cell.ts";
import { z } from "@hono/zod-openapi";
import { stringify } from "csv-stringify/sync";
import { type Language, YES_NO } from "../../base/codes.ts";
import { ZoneClock } from "../../base/time.ts";
import { WORKBOOK_TYPE, workbookStream } from "./workbook.ts";

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
    // End the generator of the rows, because the client may disconnect after the header.
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

function germanDay(day: string): string {
  return day.split("-").toReversed().join(".");
}

/** Adds a zero to a number with three decimals, because programs may read `1,234` as 1234. */
function unmistakable(number: string): string {
  return /^-?\d{1,3}[.,]\d{3}$/.test(number) ? `${number}0` : number;
}

type TableForm =
  | { readonly format: "csv"; readonly dialect: CsvDialect }
  | { readonly format: "xlsx"; readonly timeZone: string };

export const CSV_TYPE = "text/csv; charset=utf-8";

export const CSV_CONTENT = { "text/csv": { schema: z.string() } } as const;
export const XLSX_CONTENT = {
  [WORKBOOK_TYPE]: { schema: z.string().meta({ format: "binary" }) },
} as const;

export const HeadingQuery = z.enum(["de", "en"]).optional().describe(
  "Language of the column headings and, in files of the app, of codes, flags and " +
    "the times of a CSV, which are then in the workspace's time zone; files by key contain codes",
);

export function headed(table: OutgoingTable, language: Language | undefined): OutgoingTable {
  const columns = language && table.headingsIn?.(language);
  return columns ? { ...table, columns } : table;
}

/** Writes headings, codes and flags in `language` and, with a `timeZone`, times as local times. */
export function worded(
  table: OutgoingTable,
  language: Language | undefined,
  timeZone: string | null,
): OutgoingTable {
  if (!language || !table.headingsIn) return table;
  const { batches } = table;
  // End the generator of the rows even if the client disconnects before the first row.
  const end = () => void batches[Symbol.asyncIterator]().return?.();
  const rows = releasing(wordedBatches(batches, language, timeZone), { [Symbol.dispose]: end });
  return { ...headed(table, language), batches: rows };
}

function momentText(at: string, zone: ZoneClock, language: Language): string {
  const [day = "", time = ""] = new Date(zone.localMs(at)).toISOString().split("T");
  return `${language === "de" ? germanDay(day) : day} ${time.slice(0, 8)}`;
}

async function* wordedBatches(
  batches: OutgoingTable["batches"],
  language: Language,
  timeZone: string | null,
): AsyncGenerator<Cell[][]> {
  const { yes, no } = YES_NO[language];
  const zone = timeZone === null ? null : new ZoneClock(timeZone);
  const wordOf = (cell: Cell): Cell => {
    if (typeof cell === "boolean") return cell ? yes : no;
    if (typeof cell !== "object" || cell === null) return cell;
    if ("plain" in cell) return cell.textIn(language);
    return "at" in cell && zone !== null ? momentText(cell.at, zone, language) : cell;
  };
  for await (const rows of batches) yield rows.map((row) => row.map(wordOf));
}

export function tableResponse(table: OutgoingTable, form: TableForm): Response {
  const isCsv = form.format === "csv";
  const body = isCsv
    ? ReadableStream.from(csvChunks(table, form.dialect)).pipeThrough(new TextEncoderStream())
    : workbookStream(table, form);
  return new Response(body, {
    headers: {
      "Content-Type": isCsv ? CSV_TYPE : WORKBOOK_TYPE,
      "Content-Disposition": attachmentOf(`${table.name}.${form.format}`),
    },
  });
}

/** Returns `Content-Disposition` (RFC 6266): the file name, also in ASCII for old programs. */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/gu, "_");
  const whole = encodeURIComponent(name.toWellFormed())
    .replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"` + (plain === name ? "" : `; filename*=UTF-8''${whole}`);
}
