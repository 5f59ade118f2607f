/** Detects the format of a text table from its beginning (docs/decisions/imports.md, "Tables"). */
import {
  type Encoding,
  knownEncoding,
  markedEncoding,
  StrictCheck,
} from "../../engine/xml/encoding.ts";
import { type FileBytes, type FileFault, headOf, type ReadEvent } from "./byte_source.ts";
import { readColumnName } from "./field_words.ts";
import { isBlankRow, type TableRow } from "./json_row.ts";
import { type DelimitedRow, type Dialect, RowSplitter } from "./row_splitter.ts";

/** In UTF-16, every other byte of a Latin text is zero. */
const ZERO_SHARE_MIN = 0.3;
const OTHER_SHARE_MAX = 0.05;
/** This byte is ¤ in windows-1252 and € in ISO-8859-15. */
const EURO_OF_LATIN9 = 0xa4;

/**
 * Tries in this order: byte order mark; charset of the request; UTF-16 if every other byte is zero;
 * UTF-8 if the whole file is valid; ISO-8859-15 if the text contains a plausible euro sign;
 * windows-1252. Refuses a file with zero bytes in other places.
 */
export async function* tableEncoding(
  file: FileBytes,
): AsyncGenerator<ReadEvent, Encoding | FileFault> {
  const head = await headOf(file, 65_536);
  const marked = markedEncoding(head);
  if (marked) return marked;
  const declared = file.charset?.trim();
  if (declared) {
    const known = knownEncoding(declared, null);
    if (known) return known;
    const message = `The encoding "${declared.slice(0, 80)}" is not known`;
    return { code: "unknown_encoding", line: 1, message, value: declared };
  }
  const zeros = zerosOf(head);
  if (zeros === "other") {
    return { code: "unknown_format", line: null, message: "The file is not a text file" };
  }
  if (zeros !== null) return known(zeros, `Every other byte is zero: read as ${zeros}`);
  return yield* eightBit(file);
}

function zerosOf(head: Uint8Array): "utf-16le" | "utf-16be" | "other" | null {
  const counts = [0, 0];
  for (const [at, byte] of head.entries()) {
    if (byte === 0) counts[at % 2] = (counts[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = counts.map((count) => count / Math.max(1, head.length / 2));
  if (even === 0 && odd === 0) return null;
  if (odd > ZERO_SHARE_MIN && even < OTHER_SHARE_MAX) return "utf-16le";
  return even > ZERO_SHARE_MIN && odd < OTHER_SHARE_MAX ? "utf-16be" : "other";
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

function known(label: string, guess: string | null): Encoding {
  const encoding = knownEncoding(label, guess);
  if (!encoding) throw new Error(`The decoder does not know ${label}`);
  return encoding;
}

const HEADER_ROWS_MAX = 30;

function namedFields({ cells }: TableRow): number {
  const fields = cells.map((cell) => cell === null ? null : readColumnName(cell).field);
  return new Set(fields.filter((field) => field !== null)).size;
}

/** Returns the row that names most fields (at least two), else the first row with only words. */
export function findHeader(rows: readonly TableRow[]): TableRow | null {
  const looked = rows.slice(0, HEADER_ROWS_MAX).filter((row) => !isBlankRow(row));
  let best: { row: TableRow; named: number } | null = null;
  for (const row of looked) {
    const named = namedFields(row);
    if (named >= 2 && named > (best?.named ?? 0)) best = { row, named };
  }
  return best?.row ?? looked.find(isFullOfWords) ?? null;
}

function isFullOfWords({ cells }: TableRow): boolean {
  const words = cells.map((cell) => cell?.trim().toLowerCase() ?? "");
  const areWords = words.every((word) => /\p{L}/u.test(word) && !/^\d/.test(word));
  return words.length > 1 && areWords && new Set(words).size === words.length;
}

const DELIMITERS = [";", "\t", ",", "|"] as const;
const STRAY_COST = 0.3;
/** Added to the score of a delimiter with which a row names at least two fields. */
const HEADER_WORTH = 1;

/** Matches the first line `sep=;`, which tells Excel the delimiter. */
const SEPARATOR = /^"?sep=([^\r\n])"?(?:\r\n|\r|\n|$)/i;

interface TextLayout {
  readonly dialect: Dialect;
  readonly skip: number;
  readonly rows: readonly DelimitedRow[];
  readonly fault: FileFault | null;
}

/** `isAll`: `head` is the whole file. */
export function detectDialect(head: string, isAll: boolean, known: Partial<Dialect>): TextLayout {
  const named = SEPARATOR.exec(head);
  const skip = named?.[0].length ?? 0;
  const text = head.slice(skip);
  const quote = known.quote ?? (/^'[^'\r\n]*'[;,\t|]'/.test(text) ? "'" : '"');
  const delimiter = known.delimiter ?? named?.[1];
  const delimiters = delimiter === undefined ? DELIMITERS : [delimiter];
  const tries = delimiters.map((each) => {
    const dialect = { delimiter: each, quote };
    const { rows, fault } = rowsOf(text, isAll, dialect);
    return { dialect, skip, rows, fault, score: scoreOf(rows) };
  });
  const best = tries.reduce((best, one) => one.score > best.score ? one : best);
  return {
    ...best,
    fault: best.fault ?? tries.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

function rowsOf(
  text: string,
  isAll: boolean,
  dialect: Dialect,
): { rows: DelimitedRow[]; fault: FileFault | null } {
  const rows: DelimitedRow[] = [];
  const splitter = new RowSplitter(dialect, (row) => void rows.push(row));
  const fault = splitter.write(text) ?? (isAll ? splitter.end() : null);
  return { rows, fault };
}

function scoreOf(rows: readonly DelimitedRow[]): number {
  if (rows.length === 0) return 0;
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [width = 1, count = 0] = [...counts].reduce((a, b) => b[1] > a[1] ? b : a);
  const evenness = count / rows.length * Math.min(1 + Math.log2(width) / 4, 2);
  const strays = rows.filter(({ hasStrayQuote }) => hasStrayQuote).length / rows.length;
  const hasHeader = rows.slice(0, HEADER_ROWS_MAX).some((row) => namedFields(row) >= 2);
  return evenness - STRAY_COST * strays + (hasHeader ? HEADER_WORTH : 0);
}
