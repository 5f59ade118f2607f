/** A table as the body of an answer, as CSV or workbook. */
import { type Language, YES_NO } from "../../base/language.ts";
import { ZoneClock } from "../../base/time.ts";
import type { Cell, OutgoingTable } from "./cell.ts";
import { csvChunks, type CsvDialect, germanDay } from "./csv_table.ts";
import { WORKBOOK_TYPE, workbookStream } from "./workbook.ts";
import { z } from "@hono/zod-openapi";

/** Workbooks show local times. CSV files show UTC unless a language was requested. */
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

/** Replaces codes and flags by words and, unless `timeZone` is null, times by local times. */
export function worded(
  table: OutgoingTable,
  language: Language | undefined,
  timeZone: string | null,
): OutgoingTable {
  if (!language || !table.headingsIn) return table;
  return { ...headed(table, language), batches: wordedBatches(table.batches, language, timeZone) };
}

/** `25.11.2026 18:03:00` or `2026-11-25 18:03:00`; spreadsheets read both as times. */
function momentText(at: string, zone: ZoneClock, language: Language): string {
  const [day = "", time = ""] = new Date(zone.localMs(at)).toISOString().split("T");
  return `${language === "de" ? germanDay(day) : day} ${time.slice(0, 8)}`;
}

/** Closes the table even if the reader stops before the first batch. */
function wordedBatches(
  batches: OutgoingTable["batches"],
  language: Language,
  timeZone: string | null,
): AsyncIterableIterator<Cell[][]> {
  const { yes, no } = YES_NO[language];
  const zone = timeZone === null ? null : new ZoneClock(timeZone);
  const wordOf = (cell: Cell): Cell => {
    if (typeof cell === "boolean") return cell ? yes : no;
    if (typeof cell !== "object" || cell === null) return cell;
    if ("plain" in cell) return cell.textIn(language);
    return "at" in cell && zone !== null ? momentText(cell.at, zone, language) : cell;
  };
  const rest = batches[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value } = await rest.next();
      if (done) return { done, value: undefined };
      return { value: value.map((row) => row.map(wordOf)) };
    },
    async return() {
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
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

/** The header that names the file (RFC 6266), with a second name in ASCII for old programs. */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/gu, "_");
  const whole = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percentOf);
  return `attachment; filename="${plain}"` + (plain === name ? "" : `; filename*=UTF-8''${whole}`);
}

function percentOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
