/** Opens a table: detects its format and header, and reads its rows (docs/decisions/imports.md). */
import { withoutApostrophe } from "../../base/text.ts";
import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import {
  encodingGuessed,
  type FileBytes,
  type FileFault,
  type ReadEvent,
  type ReadPlan,
  textSteps,
} from "./byte_source.ts";
import { detectDialect, findHeader, tableEncoding } from "./dialect.ts";
import {
  cellsOf,
  hasRecords,
  isBlankRow,
  type JsonCells,
  parseElement,
  TABLE_LIMITS,
  type TableRow,
  type TableStep,
} from "./json_row.ts";
import { isTooDeep, JsonSlicer, NdjsonSplitter } from "./json_slicer.ts";
import { type Dialect, RowSplitter } from "./row_splitter.ts";
import type { Workbook } from "./workbook.ts";

export interface TableLayout {
  readonly kind: "delimited" | "xlsx" | "json" | "ndjson";
  readonly encoding: string | null;
  readonly dialect: Dialect | null;
  readonly sheet: string | null;
  readonly sheets: readonly string[];
  readonly list: string | null;
  readonly header: TableRow;
  readonly headerRow: number | null;
  readonly rows: readonly TableRow[];
}

const NO_LAYOUT = { encoding: null, dialect: null, sheet: null, sheets: [], list: null };

export interface OpenTable {
  readonly layout: TableLayout;
  rows(): AsyncGenerator<TableStep>;
}

const HEAD_CHARS = 65_536;
const SAMPLE_ROWS = 100;

export async function* openTextTable(
  file: FileBytes,
  plan: ReadPlan,
): AsyncGenerator<ReadEvent, OpenTable | FileFault> {
  const encoding = yield* tableEncoding({ ...file, charset: plan.encoding ?? file.charset });
  if ("code" in encoding) return encoding;
  if (encoding.guess !== null) yield encodingGuessed(file, encoding.guess);
  const { head, isAll } = await headText(file, encoding);
  const begins = head.trimStart();
  if (begins === "") return { code: "empty_file", line: null, message: "The file is empty" };
  const isJson = begins.startsWith("[") || begins.startsWith("{");
  if (!isJson) return openDelimited(file, encoding, plan, { head, isAll });
  return await openJson(file, encoding, plan, isLines(begins, isAll));
}

/**
 * True for NDJSON. Its first line is an object. Either another object follows, or the file has only
 * this line and the object contains no list of records.
 */
function isLines(begins: string, isAll: boolean): boolean {
  const end = begins.indexOf("\n");
  const first = end === -1 ? (isAll ? begins : "") : begins.slice(0, end);
  const value = isTooDeep(first) ? null : parseElement(first);
  if (value === null) return false;
  const more = end === -1 ? "" : begins.slice(end).trimStart();
  return more === "" ? !hasRecords(value) : more.startsWith("{");
}

async function headText(
  file: FileBytes,
  encoding: Encoding,
): Promise<{ head: string; isAll: boolean }> {
  const decoder = new ChunkDecoder(encoding);
  let head = "";
  for await (const chunk of file.chunks()) {
    head += decoder.text(chunk);
    if (head.length >= HEAD_CHARS) return { head: head.slice(0, HEAD_CHARS), isAll: false };
  }
  return { head: head + decoder.text(null), isAll: true };
}

function openDelimited(
  file: FileBytes,
  encoding: Encoding,
  plan: ReadPlan,
  { head, isAll }: { readonly head: string; readonly isAll: boolean },
): OpenTable | FileFault {
  const known = {
    ...(plan.delimiter === null ? {} : { delimiter: plan.delimiter }),
    ...(plan.quote === null ? {} : { quote: plan.quote }),
  };
  const { dialect, skip, rows, fault } = detectDialect(head, isAll, known);
  const linesBefore = skip === 0 ? 0 : 1;
  const counted = ({ line, cells }: TableRow): TableRow => ({
    line: line + linesBefore,
    cells: cells.map((cell) => cell === null ? null : withoutApostrophe(cell)),
  });
  const found = headerOf(rows.map(counted), plan);
  if (found === null && fault !== null) return { ...fault, line: (fault.line ?? 0) + linesBefore };
  if (found === null) return noHeader();
  return {
    layout: { ...NO_LAYOUT, kind: "delimited", encoding: encoding.label, dialect, ...found },
    async *rows() {
      let batch: TableRow[] = [];
      const splitter = new RowSplitter(dialect, (row) => {
        if (!isBlankRow(row)) batch.push(counted(row));
      });
      let toSkip = skip;
      for await (const { text, chunk } of textSteps(file, encoding)) {
        const part = text.slice(Math.min(toSkip, text.length));
        toSkip -= text.length - part.length;
        const fault = splitter.write(part);
        if (fault) return yield { fault: { ...fault, line: (fault.line ?? 0) + linesBefore } };
        yield { rows: behind(batch, found.headerRow), bytes: chunk?.length ?? 0 };
        batch = [];
      }
      const fault = splitter.end();
      if (fault) return yield { fault: { ...fault, line: (fault.line ?? 0) + linesBefore } };
      yield { rows: behind(batch, found.headerRow), bytes: 0 };
    },
  };
}

function behind(rows: readonly TableRow[], headerRow: number): TableRow[] {
  return rows.filter((row) => row.line > headerRow && !isBlankRow(row));
}

function headerOf(
  rows: readonly TableRow[],
  { headerRow }: Pick<ReadPlan, "headerRow">,
): { header: TableRow; headerRow: number; rows: TableRow[] } | null {
  const header = headerRow === null
    ? findHeader(rows)
    : rows.find(({ line }) => line === headerRow) ?? null;
  if (header === null) return null;
  const below = behind(rows, header.line).slice(0, SAMPLE_ROWS);
  return { header, headerRow: header.line, rows: below };
}

function noHeader(): FileFault {
  const message = "No row names the columns: a table needs a header";
  return { code: "no_header", line: null, message };
}

interface JsonRecord {
  readonly line: number;
  readonly cells: JsonCells;
}

type JsonStep =
  | { readonly records: readonly JsonRecord[]; readonly bytes: number }
  | { readonly fault: FileFault };

async function openJson(
  file: FileBytes,
  encoding: Encoding,
  plan: ReadPlan,
  areLines: boolean,
): Promise<OpenTable | FileFault> {
  const reader = () => new JsonReading(plan, areLines);
  const samples: JsonRecord[] = [];
  const first = reader();
  for await (const step of jsonSteps(file, encoding, first)) {
    if ("fault" in step) return step.fault;
    samples.push(...step.records);
    if (samples.length >= SAMPLE_ROWS) break;
  }
  const names = [...new Set(samples.flatMap(({ cells }) => [...cells.keys()]))];
  if (names.length > TABLE_LIMITS.columns) {
    const message = `Records have more than ${TABLE_LIMITS.columns} fields`;
    return { code: "too_large", line: null, message };
  }
  const rowOf = ({ line, cells }: JsonRecord): TableRow => ({
    line,
    cells: names.map((name) => cells.get(name) ?? null),
  });
  return {
    layout: {
      ...NO_LAYOUT,
      kind: areLines ? "ndjson" : "json",
      encoding: encoding.label,
      list: first.path,
      header: { line: 0, cells: names },
      headerRow: null,
      rows: samples.slice(0, SAMPLE_ROWS).map(rowOf),
    },
    async *rows() {
      for await (const step of jsonSteps(file, encoding, reader())) {
        if ("fault" in step) return yield step;
        yield { rows: step.records.map(rowOf), bytes: step.bytes };
      }
    },
  };
}

class JsonReading {
  #records: JsonRecord[] = [];
  readonly #splitter: NdjsonSplitter | JsonSlicer;

  constructor({ list, each }: ReadPlan, areLines: boolean) {
    const take = (line: number, value: Record<string, unknown>) => {
      for (const cells of cellsOf(value, each)) this.#records.push({ line, cells });
    };
    this.#splitter = areLines ? new NdjsonSplitter(take) : new JsonSlicer(list, take);
  }

  get path(): string | null {
    return "path" in this.#splitter ? this.#splitter.path : null;
  }

  /** `text` is null at the end of the file. */
  read(text: string | null, bytes: number): JsonStep {
    const fault = text === null ? this.#splitter.end() : this.#splitter.write(text);
    if (fault) return { fault };
    const records = this.#records;
    this.#records = [];
    return { records, bytes };
  }
}

async function* jsonSteps(
  file: FileBytes,
  encoding: Encoding,
  reading: JsonReading,
): AsyncGenerator<JsonStep> {
  for await (const { text, chunk } of textSteps(file, encoding)) {
    const step = reading.read(text, chunk?.length ?? 0);
    yield step;
    if ("fault" in step) return;
  }
  yield reading.read(null, 0);
}

/** Opens the named sheet, else the first visible sheet. */
export async function openSheet(
  workbook: Workbook,
  plan: ReadPlan,
): Promise<OpenTable | FileFault> {
  const sheet = plan.sheet ?? workbook.sheets[0];
  if (sheet === undefined || !workbook.sheets.includes(sheet)) {
    const shown = workbook.sheets.slice(0, 20).map((name) => `"${name}"`).join(", ");
    const message = `There is no sheet "${(sheet ?? "").slice(0, 80)}" that can be seen: ${shown}`;
    return { code: "unknown_sheet", line: null, message };
  }
  const first: TableRow[] = [];
  for await (const step of workbook.rows(sheet)) {
    if ("fault" in step) return step.fault;
    first.push(...step.rows);
    if (first.length >= SAMPLE_ROWS) break;
  }
  const found = headerOf(first, plan);
  if (found === null) return noHeader();
  return {
    layout: { ...NO_LAYOUT, kind: "xlsx", sheet, sheets: workbook.sheets, ...found },
    async *rows() {
      for await (const step of workbook.rows(sheet)) {
        if ("fault" in step) return yield step;
        yield { rows: behind(step.rows, found.headerRow), bytes: step.bytes };
      }
    },
  };
}
