/** Where the names of the columns stand (docs/decisions/imports.md, "Tables"). */
import { readColumnName } from "./field_words.ts";
import { isBlankRow, type TableRow } from "./table_row.ts";

/** Rows before the header are letterheads: so many are looked at. */
export const HEADER_ROWS_MAX = 30;
const NAMED_MIN = 2;

/** How many different fields a row names. */
export function namedFields({ cells }: TableRow): number {
  const fields = cells.map((cell) => cell === null ? null : readColumnName(cell).field);
  return new Set(fields.filter((field) => field !== null)).size;
}

/**
 * The row that names most fields, at least two; else the first full row of different words. Null where
 * none does, and for a table of one column.
 */
export function findHeader(rows: readonly TableRow[]): TableRow | null {
  const looked = rows.slice(0, HEADER_ROWS_MAX).filter((row) => !isBlankRow(row));
  let best: { row: TableRow; named: number } | null = null;
  for (const row of looked) {
    const named = namedFields(row);
    if (named >= NAMED_MIN && named > (best?.named ?? 0)) best = { row, named };
  }
  return best?.row ?? looked.find(isFullOfWords) ?? null;
}

function isFullOfWords({ cells }: TableRow): boolean {
  const words = cells.map((cell) => cell?.trim().toLowerCase() ?? "");
  const areWords = words.every((word) => /\p{L}/u.test(word) && !/^\d/.test(word));
  return words.length > 1 && areWords && new Set(words).size === words.length;
}
