/** The columns that a file of refused rows has after its own columns. */
import type { TableRow } from "./table_row.ts";

export const FAULT_COLUMNS = {
  codes: ["Fehler in Zeile", "Fehler"],
  de: ["Zeile der Datei", "Grund"],
  en: ["Row of the file", "Reason"],
} as const;

/** Returns the places of the error columns of an earlier download. */
export function placesOfFaults({ cells }: Pick<TableRow, "cells">): number[] {
  const names = cells.map((cell) => cell?.trim() ?? "");
  return names.flatMap((name, at) => {
    const isFault = Object.values(FAULT_COLUMNS)
      .some(([line, text]) => name === line && names[at + 1] === text);
    return isFault ? [at, at + 1] : [];
  });
}

/**
 * An empty cell of a file of refused rows counts as absent, because another file or record may have
 * lacked the column.
 */
export function createAbsenceReader(header: TableRow): (row: TableRow) => TableRow {
  if (placesOfFaults(header).length === 0) return (row) => row;
  return (row) => ({ ...row, cells: row.cells.map((cell) => cell?.trim() ? cell : null) });
}
