/** What all tables have in common, whatever kind of file they come from. */
import type { FileFault } from "./file_fault.ts";

/** A row of a table as the file has it, before anything is judged. */
export interface TableRow {
  /** Where it begins: the physical line, or the row of a sheet; from 1. */
  readonly line: number;
  /** In the order of the columns; null or missing at the end: the row does not have it. */
  readonly cells: readonly (string | null)[];
}

/** Rows that were read, or why the file is refused, which is then the last step. */
export type TableStep =
  | { readonly rows: readonly TableRow[]; readonly bytes: number }
  | { readonly fault: FileFault };

/** Bounds of tables (docs/decisions/imports.md, "Limits"). */
export const TABLE_LIMITS = {
  columns: 1_000,
  cellChars: 65_536,
  /** Of one row, or of one element of JSON. */
  rowChars: 4 * 1_048_576,
  sheetRows: 1_048_576,
  /** Of all cells of a workbook that share texts. */
  sharedTexts: 16_000_000,
  /** Of all of them together. */
  sharedTextBytes: 256 * 1_048_576,
  jsonDepth: 64,
} as const;

/** True for a row without any text, which says nothing. */
export function isBlankRow({ cells }: TableRow): boolean {
  return cells.every((cell) => cell === null || cell.trim() === "");
}
