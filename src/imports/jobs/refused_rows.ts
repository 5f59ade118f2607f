/** Writes the findings of an import as a table, and its refused records as a table or XML. */
import { batchesOf, mergeSorted } from "../../base/collections.ts";
import { columnHeadings } from "../../engine/wording/column_words.ts";
import type { Language } from "../../base/codes.ts";
import { TERMS } from "../../engine/wording/terms.ts";
import { XML_LIMITS, XmlReader } from "../../engine/xml/reader.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Found } from "../../platform/store/table.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import type { Cell, OutgoingTable } from "../../platform/tables/cell.ts";
import { FAULT_COLUMNS, placesOfFaults } from "../files/table_row.ts";
import type { Finding } from "../files/source_file.ts";
import {
  type RefusedRecord,
  refusedRecords,
  type TableText,
  tableTexts,
  type TextRow,
  walkFindings,
} from "../state/import_row_store.ts";

const FINDINGS_PER_CHUNK = 500;
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

export function findingTable(
  ctx: Context,
  jobId: string,
  severity: Finding["severity"] | null,
): OutgoingTable {
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const { row: { finding } } of walkFindings(ctx, jobId, severity)) {
      yield COLUMNS.map((name) => cellOf(finding, name));
    }
  }
  const name = "findings";
  const headingsIn = (language: Language) => columnHeadings(language, name, COLUMNS);
  return { name, columns: COLUMNS, headingsIn, batches: batchesOf(rows(), FINDINGS_PER_CHUNK) };
}

function cellOf(finding: Finding, name: (typeof COLUMNS)[number]): Cell {
  if (name === "severity") return codeCell("findingSeverities", finding.severity);
  return name === "code" ? storedCodeCell("findings", finding.code) : finding[name];
}

export function streamRefusedXml(ctx: Context, jobId: string): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<string> {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
    for await (const { row } of refusedRecords.walk(ctx, { within: { jobId } })) {
      yield `${row.xml}\n`;
    }
    yield "</ITEMS>\n";
  }
  return ReadableStream.from(chunks()).pipeThrough(new TextEncoderStream());
}

const ROWS_PER_CHUNK = 200;
const BETWEEN_VALUES = " | ";

export async function refusedTable(
  ctx: Context,
  jobId: string,
  language: Language | null,
): Promise<OutgoingTable> {
  const heads = await tableTexts.list(ctx, { within: { jobId, kind: "head" } });
  const keys = new Map(
    heads.flatMap(({ row }) => row.kind === "head" ? [[row.n, keysOf(row.text)] as const] : []),
  );
  const columns = new Set<string>();
  const refusing = new Set<number>();
  for await (const record of walkRefused(ctx, jobId)) {
    if ("xml" in record) { for (const key of elementsOf(record).keys()) columns.add(key); }
    else if (record.kind === "row") refusing.add(record.text[0]);
  }
  for (const file of refusing) {
    for (const key of keys.get(file) ?? []) if (key !== null) columns.add(key);
  }
  const names: string[] = [...columns].map((key) => JSON.parse(key)[0]);
  const faultsOf = await createFaultReader(ctx, jobId, language);
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const record of walkRefused(ctx, jobId)) {
      const { line, text } = await faultsOf(indexOf(record));
      for (const { values, surplus } of valuesOf(record, keys)) {
        yield [...[...columns].map((key) => values.get(key) ?? null), line, text, ...surplus];
      }
    }
  }
  return {
    name: "refused",
    columns: [...names, ...FAULT_COLUMNS[language ?? "codes"]],
    batches: batchesOf(rows(), ROWS_PER_CHUNK),
  };
}

type Refused = TableText | RefusedRecord;

const indexOf = (record: Refused) => "xml" in record ? record.index : record.n;

/** If a refused record is stored as a table row and as XML, only the table row is written. */
async function* walkRefused(ctx: Context, jobId: string): AsyncGenerator<Refused> {
  const forms: AsyncGenerator<Found<Refused>>[] = [
    tableTexts.walk(ctx, { within: { jobId, kind: "row" } }),
    refusedRecords.walk(ctx, { within: { jobId } }),
  ];
  let last: number | null = null;
  for await (const { row } of mergeSorted(forms, ({ row }) => sortedNumber(indexOf(row)))) {
    if (indexOf(row) !== last) yield row;
    last = indexOf(row);
  }
}

const sortedNumber = (number: number) => String(number).padStart(16, "0");

/** The key `["Preis",2]` means the second column with the name `Preis`. */
function keysOf(head: TextRow): (string | null)[] {
  const counts = new Map<string, number>();
  const faults = placesOfFaults({ cells: head });
  return head.map((cell, at) => {
    if (faults.includes(at)) return null;
    const name = cell?.trim() ?? "";
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return JSON.stringify([name, count]);
  });
}

function elementsOf({ xml }: RefusedRecord): Map<string, string> {
  const elements = new Map<string, string>();
  const path: string[] = [];
  let text = "";
  const reader = new XmlReader({
    open(name) {
      path.push(name);
      text = "";
    },
    text(piece) {
      text += piece;
    },
    close() {
      const key = JSON.stringify([path.slice(2).join("/"), 1]);
      const before = elements.get(key);
      const value = before === undefined ? text : before + BETWEEN_VALUES + text;
      if (text !== "") elements.set(key, value);
      path.pop();
      text = "";
    },
  }, XML_LIMITS);
  reader.write(`<ITEMS>${xml}</ITEMS>`);
  return elements;
}

interface WrittenRow {
  readonly values: ReadonlyMap<string | null, string | null>;
  /** Cells beyond the header's last column. Without them, a new upload would accept the row. */
  readonly surplus: TextRow;
}

function valuesOf(
  record: Refused,
  keys: ReadonlyMap<number, readonly (string | null)[]>,
): readonly WrittenRow[] {
  if ("xml" in record) return [{ values: elementsOf(record), surplus: [] }];
  if (record.kind === "head") return [];
  const [file, rows] = record.text;
  const own = keys.get(file);
  if (own === undefined) return [];
  return rows.map((row) => ({
    values: new Map(own.map((key, at) => [key, row[at] ?? null])),
    surplus: row.slice(own.length),
  }));
}

/** The returned function must be called for records in ascending order. */
async function createFaultReader(ctx: Context, jobId: string, language: Language | null) {
  const words = language && TERMS[language].findings;
  const textOf = ({ field, code, message }: Finding) => {
    const text = words?.[code] ?? message;
    return field === null ? text : `${field}: ${text}`;
  };
  const errors = walkFindings(ctx, jobId, "error");
  let next = await errors.next();
  return async (
    index: number,
  ): Promise<{ readonly line: number | null; readonly text: string }> => {
    const own: Finding[] = [];
    for (; !next.done && next.value.row.index <= index; next = await errors.next()) {
      if (next.value.row.index === index) own.push(next.value.row.finding);
    }
    const line = own.find((finding) => finding.line !== null)?.line ?? null;
    return { line, text: [...new Set(own.map(textOf))].join("; ") };
  };
}
