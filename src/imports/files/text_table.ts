/**
 * Opens a table of delimited text (such as CSV) or JSON, and reads its rows. Delimiter, quote and
 * header are detected unless the profile names them (docs/decisions/imports.md, "Tables"). A first
 * line such as `sep=;` also names the delimiter.
 */
import {
  type FileBytes,
  FileError,
  type Progress,
  type ReadPlan,
  tableEncoding,
  textSteps,
} from "./source_file.ts";
import { findHeader, namesFields } from "./columns.ts";
import {
  cellsOf,
  hasRecords,
  isTooDeep,
  type JsonCells,
  JsonSlicer,
  NdjsonSplitter,
  parseElement,
} from "./json_table.ts";
import { isBlankRow, TABLE_LIMITS, type TableRow, tableRow, type TableStep } from "./table_row.ts";
import { withoutApostrophe } from "../../base/text.ts";
import { ChunkDecoder, type Encoding } from "../../base/bytes.ts";

const DELIMITERS = [";", "\t", ",", "|"] as const;
const STRAY_COST = 0.3;
const HEADER_WORTH = 1;

const SEPARATOR = /^"?sep=([^\r\n])"?(?:\r\n|\r|\n|$)/i;

function detectDialect(
  head: string,
  isAll: boolean,
  known: Pick<ReadPlan, "delimiter" | "quote">,
) {
  const named = SEPARATOR.exec(head);
  const skip = named?.[0].length ?? 0;
  const line = skip === 0 ? 1 : 2;
  const text = head.slice(skip);
  const quote = known.quote ?? (/^'[^'\r\n]*'[;,\t|]'/.test(text) ? "'" : '"');
  const delimiter = known.delimiter ?? named?.[1];
  const delimiters = delimiter === undefined ? DELIMITERS : [delimiter];
  const tries = delimiters.map((each) => {
    const dialect = { delimiter: each, quote };
    const rows: DelimitedRow[] = [];
    const splitter = new RowSplitter(dialect, (row) => void rows.push(row), line);
    const error = refusalOf(() => {
      splitter.write(text);
      if (isAll) splitter.end();
    });
    return { dialect, skip, line, rows, error, score: scoreOf(rows) };
  });
  const best = tries.reduce((best, one) => one.score > best.score ? one : best);
  return { ...best, error: best.error ?? tries.find(({ error }) => error)?.error ?? null };
}

function refusalOf(read: () => void): FileError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

function scoreOf(rows: readonly DelimitedRow[]): number {
  if (rows.length === 0) return 0;
  const [width, { length }] = [...Map.groupBy(rows, ({ cells }) => cells.length)]
    .reduce((a, b) => b[1].length > a[1].length ? b : a);
  const evenness = length / rows.length * Math.min(1 + Math.log2(width) / 4, 2);
  const strays = rows.filter(({ hasStrayQuote }) => hasStrayQuote).length / rows.length;
  return evenness - STRAY_COST * strays + (namesFields(rows) ? HEADER_WORTH : 0);
}

export interface Dialect {
  readonly delimiter: string;
  readonly quote: '"' | "'";
}

type DelimitedRow = TableRow & { readonly hasStrayQuote: boolean };

const CELL = { start: 0, bare: 1, quoted: 2, closed: 3 } as const;
const CR = 13;
const LF = 10;

/**
 * A quote encloses text only at the start of a cell. Other quotes, such as inch signs, are part of
 * the cell.
 */
export class RowSplitter {
  readonly #delimiter: number;
  readonly #quote: string;
  readonly #listener: (row: DelimitedRow) => void;
  #cells: string[] = [];
  #cell = "";
  #state: (typeof CELL)[keyof typeof CELL] = CELL.start;
  #line: number;
  #rowLine: number;
  #quoteLine = 1;
  #rowChars = 0;
  #hasStrayQuote = false;
  #isReopened = false;
  #wasCr = false;

  constructor({ delimiter, quote }: Dialect, listener: (row: DelimitedRow) => void, line = 1) {
    this.#line = line;
    this.#rowLine = line;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quote;
    this.#listener = listener;
  }

  write(text: string): void {
    if (text.includes("\0")) throw this.#error("unknown_format", "The file is not a text file");
    const quote = this.#quote.charCodeAt(0);
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const isAfterCr = code === LF && this.#wasCr;
      this.#wasCr = code === CR;
      const isLineEnd = code === CR || (code === LF && !isAfterCr);
      if (this.#state === CELL.quoted) {
        if (isLineEnd) this.#line += 1;
        if (code !== quote) continue;
        this.#take(text.slice(from, at));
        this.#state = CELL.closed;
        from = at + 1;
      } else if (isAfterCr) from = at + 1;
      else if (isLineEnd || code === this.#delimiter) {
        this.#take(text.slice(from, at));
        from = at + 1;
        if (isLineEnd) this.#finishRow();
        else this.#finishCell();
      } else if (this.#state === CELL.closed) {
        this.#cell += this.#quote;
        this.#state = code === quote ? CELL.quoted : CELL.bare;
        from = code === quote ? at + 1 : at;
        if (code !== quote) this.#hasStrayQuote = this.#isReopened = true;
      } else if (code !== quote) this.#state = CELL.bare;
      else if (this.#state === CELL.bare) this.#hasStrayQuote = true;
      else {
        this.#state = CELL.quoted;
        this.#quoteLine = this.#line;
        from = at + 1;
      }
    }
    this.#take(text.slice(from));
  }

  end(): void {
    if (this.#state === CELL.quoted) {
      const message = `The quote that opens in line ${this.#quoteLine} is never closed`;
      throw this.#error("unclosed_quote", message);
    }
    if (this.#state !== CELL.start || this.#cells.length > 0) this.#finishRow();
  }

  #take(text: string): void {
    const { cellChars, rowChars } = TABLE_LIMITS;
    this.#cell += text;
    this.#rowChars += text.length;
    if (this.#cell.length > cellChars) {
      throw this.#error("too_large", `A cell has more than ${cellChars} characters`);
    }
    if (this.#rowChars > rowChars) {
      throw this.#error("too_large", `A row has more than ${rowChars} characters`);
    }
  }

  #finishCell(): void {
    const { columns } = TABLE_LIMITS;
    if (this.#cells.length === columns) {
      throw this.#error("too_large", `A row has more than ${columns} columns`);
    }
    const isWrapped = this.#isReopened && this.#cell.endsWith(this.#quote);
    this.#cells.push(isWrapped ? this.#cell.slice(0, -1) : this.#cell);
    this.#cell = "";
    this.#isReopened = false;
    this.#state = CELL.start;
  }

  #finishRow(): void {
    this.#finishCell();
    const cells = this.#cells;
    if (cells.length > 1 || cells[0] !== "") {
      this.#listener({ line: this.#rowLine, cells, hasStrayQuote: this.#hasStrayQuote });
    }
    this.#cells = [];
    this.#rowChars = 0;
    this.#hasStrayQuote = false;
    this.#line += 1;
    this.#rowLine = this.#line;
  }

  #error(code: "too_large" | "unknown_format" | "unclosed_quote", message: string): FileError {
    // A missing closing quote often makes a cell too long, so the error names the opening quote's
    // line.
    const line = this.#state === CELL.quoted ? this.#quoteLine : this.#rowLine;
    return new FileError(code, message, { line });
  }
}

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

export const NO_LAYOUT = { encoding: null, dialect: null, sheet: null, sheets: [], list: null };

export interface OpenTable {
  readonly layout: TableLayout;
  /** The reason why the encoding was guessed; null if it was not guessed. */
  readonly guess: string | null;
  rows(): AsyncGenerator<TableStep>;
}

const HEAD_CHARS = 65_536;
export const SAMPLE_ROWS = 100;

export async function* openTextTable(
  file: FileBytes,
  plan: ReadPlan,
): AsyncGenerator<Progress, OpenTable> {
  const encoding = yield* tableEncoding({ ...file, charset: plan.encoding ?? file.charset });
  const { head, isAll } = await headText(file, encoding);
  const begins = head.trimStart();
  if (begins === "") throw new FileError("empty_file", "The file is empty");
  const text = { file, encoding, plan };
  const isJson = begins.startsWith("[") || begins.startsWith("{");
  return isJson ? yield* openJson(text, isNdjson(begins, isAll)) : openDelimited(text, head, isAll);
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

async function headText(file: FileBytes, encoding: Encoding) {
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
    guess: encoding.guess,
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

export function behind(rows: readonly TableRow[], headerRow: number): TableRow[] {
  return rows.filter((row) => row.line > headerRow && !isBlankRow(row));
}

export function headerOf(
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

/** Reads the whole file, because even the last record may contain a new field. */
async function* openJson(
  text: TextSource,
  areLines: boolean,
): AsyncGenerator<Progress, OpenTable> {
  const steps = () => jsonSteps(text, areLines);
  const samples: JsonRecord[] = [];
  const found = new Set<string>();
  let list: string | null = null;
  for await (const { records, path } of steps()) {
    list = path;
    for (const record of records) {
      const isSample = samples.length < SAMPLE_ROWS;
      if (isSample) samples.push(record);
      for (const name of record.cells.keys()) {
        if (isSample || found.size < TABLE_LIMITS.columns) found.add(name);
      }
    }
    if (found.size > TABLE_LIMITS.columns) {
      throw new FileError("too_large", `Records have more than ${TABLE_LIMITS.columns} fields`);
    }
    yield { kind: "progress", bytes: 0 };
  }
  const names = [...found];
  const rowOf = ({ line, cells }: JsonRecord): TableRow =>
    tableRow(line, names.map((name) => cells.get(name) ?? null));
  return {
    layout: {
      ...NO_LAYOUT,
      kind: areLines ? "ndjson" : "json",
      encoding: text.encoding.label,
      list,
      header: { line: 0, cells: names },
      headerRow: null,
      rows: samples.map(rowOf),
    },
    guess: text.encoding.guess,
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
