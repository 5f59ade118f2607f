/** Cells that somebody copied from a spreadsheet, as a file. */
import { htmlTableRows } from "./html_table_rows.ts";

/** What a clipboard holds, by media type; empty for what it does not hold. */
export interface PastedText {
  readonly plain: string;
  readonly html: string;
}

/** Rows of cells parted by tabs; null for what is no table. */
export function pastedTable({ plain, html }: PastedText): string | null {
  // A spreadsheet writes both: its plain text shows the values as people see them.
  if (plain.includes("\t")) return plain;
  const rows = htmlTableRows(html);
  return rows.some((row) => row.length > 1) ? rows.map(lineOf).join("") : null;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.startsWith('"') ? quoted(cell) : cell).join("\t")}\n`;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
