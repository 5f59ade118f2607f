/** The findings of an import as a table, and the refused records as a file that can be sent again. */
import type { Context } from "../../platform/store/context.ts";
import { pagesOf } from "../../platform/store/pages_of.ts";
import {
  type Cell,
  codeCell,
  type OutgoingTable,
  storedCodeCell,
} from "../../platform/tables/cell.ts";
import { columnHeadings } from "../../engine/wording/column_words.ts";
import type { Language } from "../../engine/wording/language.ts";
import type { Finding } from "../files/finding.ts";
import { type FindingPlace, listFindings } from "../files/finding_store.ts";
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

/** All findings, a batch of them in memory at a time. */
export function findingTable(
  ctx: Context,
  jobId: string,
  severity: Finding["severity"] | null,
): OutgoingTable {
  const batches = findingBatches(ctx, jobId, severity);
  const name = `findings-${jobId}`;
  const headingsIn = (language: Language) => columnHeadings(language, name, COLUMNS);
  return { name, columns: COLUMNS, headingsIn, batches };
}

async function* findingBatches(
  ctx: Context,
  jobId: string,
  severity: Finding["severity"] | null,
): AsyncGenerator<Cell[][]> {
  const pages = pagesOf(
    (after: FindingPlace | null, limit) => listFindings(ctx, jobId, { severity, after, limit }),
    ({ place }) => place,
    ROWS_PER_CHUNK,
  );
  for await (const rows of pages) {
    if (rows.length === 0) return;
    yield rows.map(({ finding }) => COLUMNS.map((name) => cellOf(finding, name)));
  }
}

function cellOf(finding: Finding, name: (typeof COLUMNS)[number]): Cell {
  if (name === "severity") return codeCell("findingSeverities", finding.severity);
  return name === "code" ? storedCodeCell("findings", finding.code) : finding[name];
}

/** In the house format, UTF-8: to be mended by hand and sent again. */
export function streamRefusedXml(ctx: Context, jobId: string): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<string> {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
    for await (const { xml } of walkRefusedRecords(ctx, jobId)) yield `${xml}\n`;
    yield "</ITEMS>\n";
  }
  return ReadableStream.from(chunks()).pipeThrough(new TextEncoderStream());
}
