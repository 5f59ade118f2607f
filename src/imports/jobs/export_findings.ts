/** The findings of an import as a table, and the refused records as a file that can be sent again. */
import { stringify } from "csv-stringify/sync";
import { harmless } from "../../catalogue/lists/product_csv.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Finding } from "../findings/finding.ts";
import { type FindingPlace, listFindings } from "../findings/finding_store.ts";
import { walkRefusedRecords } from "../state/import_row_store.ts";

const ROWS_PER_CHUNK = 500;
const COLUMNS = [
  "severity",
  "index",
  "file",
  "line",
  "sku",
  "field",
  "code",
  "message",
  "value",
] as const;

/** All findings, a chunk of them in memory at a time; no cell runs as a formula. */
export function streamFindingsCsv(
  ctx: Context,
  jobId: string,
  severity: Finding["severity"] | null,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(csvChunks(ctx, jobId, severity)).pipeThrough(new TextEncoderStream());
}

async function* csvChunks(
  ctx: Context,
  jobId: string,
  severity: Finding["severity"] | null,
): AsyncGenerator<string> {
  yield `\uFEFF${render([[...COLUMNS]])}`;
  for (let after: FindingPlace | null = null;;) {
    const page = { severity, after, limit: ROWS_PER_CHUNK };
    const rows: Awaited<ReturnType<typeof listFindings>> = await listFindings(ctx, jobId, page);
    if (rows.length > 0) yield render(rows.map(({ finding }) => cellsOf(finding)));
    const last = rows.at(-1);
    if (rows.length < ROWS_PER_CHUNK || !last) return;
    after = last.place;
  }
}

function cellsOf(finding: Finding): string[] {
  return COLUMNS.map((name) => {
    const value = finding[name];
    return typeof value === "string" ? harmless(value) : String(value ?? "");
  });
}

function render(rows: string[][]): string {
  return stringify(rows, { delimiter: ";", quoted: true, record_delimiter: "windows" });
}

/** In the house format, UTF-8: to be mended by hand and sent again. */
export function streamRefusedXml(ctx: Context, jobId: string): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<string> {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
    for await (const xml of walkRefusedRecords(ctx, jobId)) yield `${xml}\n`;
    yield "</ITEMS>\n";
  }
  return ReadableStream.from(chunks()).pipeThrough(new TextEncoderStream());
}
