/** Writes the refused records of an upload as a table, with the errors of each record. */
import { columnHeadings } from "../../engine/wording/column_words.ts";
import type { Language } from "../../base/language.ts";
import { termsOf } from "../../engine/wording/show.ts";
import { XML_LIMITS, XmlReader } from "../../engine/xml/reader.ts";
import type { Context } from "../../platform/store/context.ts";
import { pagesOf } from "../../platform/store/rows.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import type { Cell, OutgoingTable } from "../../platform/tables/cell.ts";
import type { Finding } from "../files/source_file.ts";
import {
  type FindingPlace,
  listFindings,
  listTableHeads,
  placeOf,
  type RefusedRecord,
  refusedRecords,
  type RefusedRows,
  type TextRow,
  walkRefusedRows,
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
  const batches = findingBatches(ctx, jobId, severity);
  const name = "findings";
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
    placeOf,
    FINDINGS_PER_CHUNK,
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
const FINDINGS_AT_ONCE = 500;

const FAULT_COLUMNS = {
  codes: ["Fehler in Zeile", "Fehler"],
  de: ["Zeile der Datei", "Grund"],
  en: ["Row of the file", "Reason"],
} as const;
const FORMER_FAULT_COLUMNS: ReadonlySet<string> = new Set(Object.values(FAULT_COLUMNS).flat());

const BETWEEN_VALUES = " | ";

export async function refusedTable(
  ctx: Context,
  jobId: string,
  language: Language | null,
): Promise<OutgoingTable> {
  const heads = await listTableHeads(ctx, jobId);
  const columns = new Map<string, number>();
  const add = (keys: Iterable<string | null>) => {
    for (const key of keys) {
      if (key !== null && !columns.has(key)) columns.set(key, columns.size);
    }
  };
  for (const head of heads.values()) add(keysOf(head));
  for await (const record of walkRefused(ctx, jobId)) {
    if ("xml" in record) add(elementsOf(record).keys());
  }
  const names = [...columns.keys()].map((key) => JSON.parse(key)[0]);
  const batches = rowBatches(createFaultReader(ctx, jobId, language), {
    ctx,
    jobId,
    heads,
    columns,
  });
  return { name: "refused", columns: [...names, ...FAULT_COLUMNS[language ?? "codes"]], batches };
}

type RefusedRow = { readonly index: number; readonly refused: RefusedRows };

async function* walkRefused(
  ctx: Context,
  jobId: string,
): AsyncGenerator<RefusedRow | RefusedRecord> {
  const tables = walkRefusedRows(ctx, jobId);
  let rows = await tables.next();
  for await (const { row: record } of refusedRecords.walk(ctx, { within: { jobId } })) {
    for (; !rows.done && rows.value.index < record.index; rows = await tables.next()) {
      yield rows.value;
    }
    if (rows.done || rows.value.index > record.index) yield record;
  }
  for (; !rows.done; rows = await tables.next()) yield rows.value;
}

/**
 * The key `["Preis",2]` means the second column with the name `Preis`. An error column from an
 * earlier download has the key null, and is left out.
 */
function keysOf(head: TextRow): (string | null)[] {
  const counts = new Map<string, number>();
  return head.map((cell) => {
    const name = cell?.trim() ?? "";
    if (FORMER_FAULT_COLUMNS.has(name)) return null;
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

interface RefusedColumns {
  readonly ctx: Context;
  readonly jobId: string;
  readonly heads: ReadonlyMap<number, TextRow>;
  readonly columns: ReadonlyMap<string, number>;
}

async function* rowBatches(
  faultsOf: ReturnType<typeof createFaultReader>,
  { ctx, jobId, heads, columns }: RefusedColumns,
): AsyncGenerator<Cell[][]> {
  const keys = new Map([...heads].map(([file, head]) => [file, keysOf(head)] as const));
  let batch: Cell[][] = [];
  for await (const record of walkRefused(ctx, jobId)) {
    const { line, text } = await faultsOf(record.index);
    for (const values of valuesOf(record, keys)) {
      const cells: Cell[] = new Array<Cell>(columns.size).fill(null);
      for (const [key, value] of values) {
        const place = key === null ? undefined : columns.get(key);
        if (place !== undefined) cells[place] = value;
      }
      batch.push([...cells, line, text]);
    }
    if (batch.length < ROWS_PER_CHUNK) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function valuesOf(
  record: RefusedRow | RefusedRecord,
  keys: ReadonlyMap<number, readonly (string | null)[]>,
): (readonly (readonly [string | null, string | null])[])[] {
  if ("xml" in record) return [[...elementsOf(record)]];
  const [file, rows] = record.refused;
  const own = keys.get(file);
  if (own === undefined) return [];
  return rows.map((row) => own.map((key, at) => [key, row[at] ?? null] as const));
}

interface Fault {
  readonly index: number;
  readonly line: number | null;
  readonly text: string;
}

/** The returned function must be called for records in ascending order. */
function createFaultReader(ctx: Context, jobId: string, language: Language | null) {
  const words = language && termsOf(language).findings;
  let found: readonly Fault[] = [];
  let after: FindingPlace | null = null;
  let isAtEnd = false;
  return async (index: number): Promise<Omit<Fault, "index">> => {
    while (!isAtEnd && (found.at(-1)?.index ?? -1) <= index) {
      const page = { severity: "error", after, limit: FINDINGS_AT_ONCE } as const;
      const rows = await listFindings(ctx, jobId, page);
      found = [
        ...found,
        ...rows.map(({ finding: { index, line, field, code, message } }) => {
          const text = words?.[code] ?? message;
          return { index: index ?? -1, line, text: field === null ? text : `${field}: ${text}` };
        }),
      ];
      after = rows.at(-1) ?? after;
      isAtEnd = rows.length < FINDINGS_AT_ONCE;
    }
    const own = found.filter((one) => one.index === index);
    found = found.filter((one) => one.index > index);
    const text = [...new Set(own.map(({ text }) => text))].join("; ");
    return { line: own.find(({ line }) => line !== null)?.line ?? null, text };
  };
}
