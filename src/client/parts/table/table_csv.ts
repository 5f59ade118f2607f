import { harmless } from "../../../base/csv_text.ts";

/** Lines of cells as a German Excel opens them by a double click; nothing in them runs as a formula. */
export function tableCsv(lines: readonly (readonly string[])[]): string {
  return `\uFEFF${lines.map((line) => `${line.map(quoted).join(";")}\r\n`).join("")}`;
}

function quoted(text: string): string {
  return `"${harmless(text).replaceAll('"', '""')}"`;
}
