/** How a table of text is written, told from its beginning (docs/decisions/imports.md, "Tables"). */
import type { FileFault } from "./file_fault.ts";
import { HEADER_ROWS_MAX, namedFields } from "./table_header.ts";
import { type DelimitedRow, type Dialect, RowSplitter } from "./row_splitter.ts";

const DELIMITERS = [";", "\t", ",", "|"] as const;
const STRAY_COST = 0.3;
/** What a header adds: decimal commas part rows as evenly as semicolons do. */
const HEADER_WORTH = 1;

/** `sep=;` in the first line, quoted or not, is Excel's word about the file and no row. */
const SEPARATOR = /^"?sep=([^\r\n])"?(?:\r\n|\r|\n|$)/i;

/** What the beginning of a text says about all of it. */
export interface TextLook {
  readonly dialect: Dialect;
  /** Characters before the first row: the line that names the delimiter. */
  readonly skip: number;
  /** Rows that are complete in `head`. */
  readonly rows: readonly DelimitedRow[];
  /** Why not all of `head` could be split, by this dialect or any. */
  readonly fault: FileFault | null;
}

/** `head` is the beginning of the file, `isAll` when it is all of it. */
export function lookAtText(head: string, isAll: boolean, known: Partial<Dialect>): TextLook {
  const named = SEPARATOR.exec(head);
  const skip = named?.[0].length ?? 0;
  const text = head.slice(skip);
  const quote = known.quote ?? quoteOf(text);
  const delimiter = known.delimiter ?? named?.[1];
  const delimiters = delimiter === undefined ? DELIMITERS : [delimiter];
  const looks = delimiters.map((each) => {
    const dialect = { delimiter: each, quote };
    const { rows, fault } = rowsOf(text, isAll, dialect);
    return { dialect, skip, rows, fault, score: scoreOf(rows) };
  });
  const best = looks.reduce((best, look) => look.score > best.score ? look : best);
  return { ...best, fault: best.fault ?? looks.find(({ fault }) => fault !== null)?.fault ?? null };
}

/** Single quotes where the first line begins and goes on with them: `'a';'b'`. */
function quoteOf(text: string): Dialect["quote"] {
  return /^'[^'\r\n]*'[;,\t|]'/.test(text) ? "'" : '"';
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
