/** Declares the row of a table, whatever the format of its file, and the limits of tables. */

export interface TableRow {
  /** Line or sheet row where this row begins, from 1; 0 for a header made from JSON keys. */
  readonly line: number;
  /** A missing cell is null, and missing cells at the end of a row may be left out. */
  readonly cells: readonly (string | null)[];
  /** Indexes of cells with an added zero: `1.2340` for `1.234`, which could be read as 1234. */
  readonly lengthened?: readonly number[];
}

export interface TableStep {
  readonly rows: readonly TableRow[];
  readonly bytes: number;
}

export const TABLE_LIMITS = {
  columns: 1_000,
  /** Maximum length of a header or refused row as JSON, so that the stored row fits into 64 KiB. */
  storedChars: 30_000,
  cellChars: 65_536,
  rowChars: 4 * 1_048_576,
  sheetRows: 1_048_576,
  sharedTexts: 16_000_000,
  sharedTextBytes: 256 * 1_048_576,
  jsonDepth: 64,
} as const;

export function isBlankRow({ cells }: TableRow): boolean {
  return cells.every((cell) => cell === null || cell.trim() === "");
}

export function numberText(text: string): string {
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0\0` : text;
}

const isLengthened = (cell: string | null): cell is string =>
  cell !== null && /^-?\d{1,3}\.\d{3}0\0$/.test(cell);

export const withoutLengthening = (text: string) => isLengthened(text) ? text.slice(0, -2) : text;

/** Stores in `lengthened` the indexes of the cells to which `numberText` added a zero. */
export function tableRow(line: number, cells: TableRow["cells"]): TableRow {
  if (!cells.some(isLengthened)) return { line, cells };
  const lengthened = cells.flatMap((cell, at) => isLengthened(cell) ? [at] : []);
  return {
    line,
    cells: cells.map((cell) => isLengthened(cell) ? cell.slice(0, -1) : cell),
    lengthened,
  };
}

/** Removes the zero that `numberText` added to the cells of text columns, such as SKUs. */
export function withTextsAsWritten(row: TableRow, numbers: ReadonlySet<number>): TableRow {
  const { lengthened } = row;
  if (!lengthened) return row;
  const isText = (at: number) => lengthened.includes(at) && !numbers.has(at);
  const cells = row.cells.map((cell, at) => isText(at) ? cell?.slice(0, -1) ?? null : cell);
  return { line: row.line, cells };
}

/** A file of refused rows ends with these columns; their names depend on the file's language. */
export const FAULT_COLUMNS = {
  codes: ["Fehler in Zeile", "Fehler"],
  de: ["Zeile der Datei", "Grund"],
  en: ["Row of the file", "Reason"],
} as const;

/** Returns the positions of the `FAULT_COLUMNS` in the header of a file of refused rows. */
export function placesOfFaults({ cells }: Pick<TableRow, "cells">): number[] {
  const names = cells.map((cell) => cell?.trim() ?? "");
  return names.flatMap((name, at) => {
    const isFault = Object.values(FAULT_COLUMNS)
      .some(([line, text]) => name === line && names[at + 1] === text);
    return isFault ? [at, at + 1] : [];
  });
}

/**
 * A file of refused rows can contain rows of several files. An empty cell then counts as missing,
 * because the row's own file may lack the column.
 */
export function createAbsenceReader(header: TableRow): (row: TableRow) => TableRow {
  if (placesOfFaults(header).length === 0) return (row) => row;
  return (row) => ({ ...row, cells: row.cells.map((cell) => cell?.trim() ? cell : null) });
}
