/** Opens a table: detects its format and header, and reads its rows (docs/decisions/imports.md). */
import { withoutApostrophe } from "../../base/text.ts";
import { ChunkDecoder, type Encoding } from "../../base/bytes.ts";
import {
  encodingGuessed,
  type FileBytes,
  FileError,
  type ReadEvent,
  type ReadPlan,
  textSteps,
} from "./source_file.ts";
import {
  detectDialect,
  type Dialect,
  findHeader,
  RowSplitter,
  tableEncoding,
} from "./delimited.ts";
import {
  cellsOf,
  hasRecords,
  isBlankRow,
  isTooDeep,
  type JsonCells,
  JsonSlicer,
  NdjsonSplitter,
  parseElement,
  TABLE_LIMITS,
  type TableRow,
  type TableStep,
} from "./json_table.ts";
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
): AsyncGenerator<ReadEvent, OpenTable> {
  const encoding = yield* tableEncoding({ ...file, charset: plan.encoding ?? file.charset });
  if (encoding.guess !== null) yield encodingGuessed(file, encoding.guess);
  const { head, isAll } = await headText(file, encoding);
  const begins = head.trimStart();
  if (begins === "") throw new FileError("empty_file", "The file is empty");
  const text = { file, encoding, plan };
  const isJson = begins.startsWith("[") || begins.startsWith("{");
  return isJson ? await openJson(text, isNdjson(begins, isAll)) : openDelimited(text, head, isAll);
}

interface TextSource {
  readonly file: FileBytes;
  readonly encoding: Encoding;
  readonly plan: ReadPlan;
}

function isNdjson(begins: string, isAll: boolean): boolean {
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
  { file, encoding, plan }: TextSource,
  head: string,
  isAll: boolean,
): OpenTable {
  const { dialect, skip, line, rows, error } = detectDialect(head, isAll, plan);
  const unquoted = ({ line, cells }: TableRow): TableRow => ({
    line,
    cells: cells.map((cell) => cell === null ? null : withoutApostrophe(cell)),
  });
  const found = headerOf(rows.map(unquoted), plan, error);
  return {
    layout: { ...NO_LAYOUT, kind: "delimited", encoding: encoding.label, dialect, ...found },
    async *rows() {
      let batch: TableRow[] = [];
      const take = (row: TableRow) => {
        if (!isBlankRow(row)) batch.push(unquoted(row));
      };
      const splitter = new RowSplitter(dialect, take, line);
      let toSkip = skip;
      for await (const { text, chunk } of textSteps(file, encoding)) {
        const part = text.slice(Math.min(toSkip, text.length));
        toSkip -= text.length - part.length;
        splitter.write(part);
        if (chunk === null) splitter.end();
        yield { rows: behind(batch, found.headerRow), bytes: chunk?.length ?? 0 };
        batch = [];
      }
    },
  };
}

function behind(rows: readonly TableRow[], headerRow: number): TableRow[] {
  return rows.filter((row) => row.line > headerRow && !isBlankRow(row));
}

function headerOf(
  rows: readonly TableRow[],
  { headerRow }: Pick<ReadPlan, "headerRow">,
  error: FileError | null = null,
): { header: TableRow; headerRow: number; rows: TableRow[] } {
  const header = headerRow === null
    ? findHeader(rows)
    : rows.find(({ line }) => line === headerRow) ?? null;
  if (header === null) {
    const message = "No row names the columns: a table needs a header";
    throw error ?? new FileError("no_header", message);
  }
  const below = behind(rows, header.line).slice(0, SAMPLE_ROWS);
  return { header, headerRow: header.line, rows: below };
}

interface JsonRecord {
  readonly line: number;
  readonly cells: JsonCells;
}

async function openJson(text: TextSource, areLines: boolean): Promise<OpenTable> {
  const steps = () => jsonSteps(text, areLines);
  const samples: JsonRecord[] = [];
  let list: string | null = null;
  for await (const { records, path } of steps()) {
    list = path;
    samples.push(...records);
    if (samples.length >= SAMPLE_ROWS) break;
  }
  const names = [...new Set(samples.flatMap(({ cells }) => [...cells.keys()]))];
  if (names.length > TABLE_LIMITS.columns) {
    throw new FileError("too_large", `Records have more than ${TABLE_LIMITS.columns} fields`);
  }
  const rowOf = ({ line, cells }: JsonRecord): TableRow => ({
    line,
    cells: names.map((name) => cells.get(name) ?? null),
  });
  return {
    layout: {
      ...NO_LAYOUT,
      kind: areLines ? "ndjson" : "json",
      encoding: text.encoding.label,
      list,
      header: { line: 0, cells: names },
      headerRow: null,
      rows: samples.slice(0, SAMPLE_ROWS).map(rowOf),
    },
    async *rows() {
      for await (const { records, bytes } of steps()) yield { rows: records.map(rowOf), bytes };
    },
  };
}

async function* jsonSteps({ file, encoding, plan: { list, each } }: TextSource, areLines: boolean) {
  let records: JsonRecord[] = [];
  const take = (line: number, value: Record<string, unknown>) => {
    for (const cells of cellsOf(value, each)) records.push({ line, cells });
  };
  const splitter = areLines ? new NdjsonSplitter(take) : new JsonSlicer(list, take);
  for await (const { text, chunk } of textSteps(file, encoding)) {
    splitter.write(text);
    if (chunk === null) splitter.end();
    yield { records, bytes: chunk?.length ?? 0, path: splitter.path };
    records = [];
  }
}

export async function openSheet(workbook: Workbook, plan: ReadPlan): Promise<OpenTable> {
  const sheet = plan.sheet ?? workbook.sheets[0];
  if (sheet === undefined || !workbook.sheets.includes(sheet)) {
    const shown = workbook.sheets.slice(0, 20).map((name) => `"${name}"`).join(", ");
    const message = `There is no sheet "${(sheet ?? "").slice(0, 80)}" that can be seen: ${shown}`;
    throw new FileError("unknown_sheet", message);
  }
  const first: TableRow[] = [];
  for await (const { rows } of workbook.rows(sheet)) {
    first.push(...rows);
    if (first.length >= SAMPLE_ROWS) break;
  }
  const found = headerOf(first, plan);
  return {
    layout: { ...NO_LAYOUT, kind: "xlsx", sheet, sheets: workbook.sheets, ...found },
    async *rows() {
      for await (const { rows, bytes } of workbook.rows(sheet)) {
        yield { rows: behind(rows, found.headerRow), bytes };
      }
    },
  };
}
