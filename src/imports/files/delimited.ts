/**
 * Reads delimited text, such as CSV. Encoding, delimiter, quote and header are detected, unless the
 * request or the profile names them (docs/decisions/imports.md, "Tables").
 */
import { type Encoding, knownEncoding, markedEncoding, StrictCheck } from "../../base/bytes.ts";
import { type FileBytes, FileError, headOf, type ReadEvent, type ReadPlan } from "./source_file.ts";
import { readColumnName } from "./columns.ts";
import { isBlankRow, TABLE_LIMITS, type TableRow } from "./json_table.ts";

const UTF16_ZERO_SHARE_MIN = 0.3;
const UTF16_OTHER_ZERO_SHARE_MAX = 0.05;
/** The byte 0xa4 is ¤ in windows-1252 and € in ISO-8859-15. */
const EURO_OF_LATIN9 = 0xa4;

/** Throws if the declared encoding is unknown, or if the file has zero bytes but is not UTF-16. */
export async function* tableEncoding(file: FileBytes): AsyncGenerator<ReadEvent, Encoding> {
  const head = await headOf(file, 65_536);
  const marked = markedEncoding(head);
  if (marked) return marked;
  const declared = file.charset?.trim();
  if (declared) {
    const known = knownEncoding(declared, null);
    if (known) return known;
    throw unknownEncoding(declared);
  }
  const zeros = zerosOf(head);
  if (zeros === "other") throw new FileError("unknown_format", "The file is not a text file");
  if (zeros !== null) return known(zeros, `Every other byte is zero: read as ${zeros}`);
  return yield* eightBit(file);
}

export function unknownEncoding(value: string): FileError {
  const message = `The encoding "${value.slice(0, 80)}" is not known`;
  return new FileError("unknown_encoding", message, { line: 1, value });
}

function zerosOf(head: Uint8Array): "utf-16le" | "utf-16be" | "other" | null {
  const shareOf = (parity: number) =>
    2 * head.filter((byte, at) => byte === 0 && at % 2 === parity).length / head.length;
  const [even, odd] = head.includes(0) ? [shareOf(0), shareOf(1)] : [0, 0];
  if (even === 0 && odd === 0) return null;
  if (odd > UTF16_ZERO_SHARE_MIN && even < UTF16_OTHER_ZERO_SHARE_MAX) return "utf-16le";
  return even > UTF16_ZERO_SHARE_MIN && odd < UTF16_OTHER_ZERO_SHARE_MAX ? "utf-16be" : "other";
}

async function* eightBit(file: FileBytes): AsyncGenerator<ReadEvent, Encoding> {
  const check = new StrictCheck(known("utf-8", null));
  let isUtf8 = true;
  let hasEuro = false;
  let hasWindowsOnly = false;
  for await (const chunk of file.chunks()) {
    if (isUtf8 && !check.accepts(chunk)) isUtf8 = false;
    hasEuro ||= chunk.includes(EURO_OF_LATIN9);
    hasWindowsOnly ||= chunk.some((byte) => byte >= 0x80 && byte <= 0x9f);
    yield { kind: "progress", bytes: chunk.length };
  }
  if (isUtf8 && check.accepts(null)) return known("utf-8", null);
  const label = hasEuro && !hasWindowsOnly ? "iso-8859-15" : "windows-1252";
  return known(label, `The file is not UTF-8 throughout: read as ${label}`);
}

export function known(label: string, guess: string | null): Encoding {
  const encoding = knownEncoding(label, guess);
  if (!encoding) throw new Error(`The decoder does not know ${label}`);
  return encoding;
}

const HEADER_ROWS_MAX = 30;

function namedFields({ cells }: TableRow): number {
  const fields = cells.map((cell) => cell === null ? null : readColumnName(cell).field);
  return new Set(fields.filter((field) => field !== null)).size;
}

export function findHeader(rows: readonly TableRow[]): TableRow | null {
  const looked = rows.slice(0, HEADER_ROWS_MAX).filter((row) => !isBlankRow(row));
  const [best] = looked.map((row) => ({ row, named: namedFields(row) }))
    .filter(({ named }) => named >= 2)
    .sort((one, other) => other.named - one.named);
  return best?.row ?? looked.find(isFullOfWords) ?? null;
}

function isFullOfWords({ cells }: TableRow): boolean {
  const words = cells.map((cell) => cell?.trim().toLowerCase() ?? "");
  const areWords = words.every((word) => /\p{L}/u.test(word) && !/^\d/.test(word));
  return words.length > 1 && areWords && new Set(words).size === words.length;
}

const DELIMITERS = [";", "\t", ",", "|"] as const;
const STRAY_COST = 0.3;
const HEADER_WORTH = 1;

const SEPARATOR = /^"?sep=([^\r\n])"?(?:\r\n|\r|\n|$)/i;

/** In the result, `line` is the number of the first line after the `skip` characters. */
export function detectDialect(
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
  const hasHeader = rows.slice(0, HEADER_ROWS_MAX).some((row) => namedFields(row) >= 2);
  return evenness - STRAY_COST * strays + (hasHeader ? HEADER_WORTH : 0);
}

export interface Dialect {
  readonly delimiter: string;
  readonly quote: '"' | "'";
}

interface DelimitedRow extends TableRow {
  readonly hasStrayQuote: boolean;
}

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
