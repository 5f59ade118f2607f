/**
 * The columns that a file of refused rows has after its own columns. The last column is added only
 * if a row lacks columns of the file. It names the missing columns, so that their empty cells clear
 * nothing when the file is sent again.
 */
import type { TableRow } from "./table_row.ts";

export const FAULT_COLUMNS = {
  codes: ["Fehler in Zeile", "Fehler", "Nicht in der Datei"],
  de: ["Zeile der Datei", "Grund", "Nicht in der Datei"],
  en: ["Row of the file", "Reason", "Not in the file"],
} as const;

export const BETWEEN_VALUES = " | ";

const textsOf = ({ cells }: Pick<TableRow, "cells">) => cells.map((cell) => cell?.trim() ?? "");

/** Returns the places of the error columns of an earlier download. */
export function placesOfFaults(header: Pick<TableRow, "cells">): number[] {
  const names = textsOf(header);
  return names.flatMap((name, at) => {
    const columns = Object.values(FAULT_COLUMNS)
      .find(([line, text]) => name === line && names[at + 1] === text);
    if (!columns) return [];
    return names[at + 2] === columns[2] ? [at, at + 1, at + 2] : [at, at + 1];
  });
}

export function createAbsenceReader(header: TableRow): (row: TableRow) => TableRow {
  const names = textsOf(header);
  const place = placesOfFaults(header)
    .find((at) => Object.values(FAULT_COLUMNS).some((columns) => columns[2] === names[at]));
  if (place === undefined) return (row) => row;
  return (row) => {
    const absent = new Set(row.cells[place]?.split(BETWEEN_VALUES));
    const isAbsent = (cell: string | null, at: number) =>
      !cell?.trim() && absent.has(names[at] ?? "");
    return { ...row, cells: row.cells.map((cell, at) => isAbsent(cell, at) ? null : cell) };
  };
}
