/** Rows of quoted cells as they stand in a file; the mark of the byte order is none of them. */
export function csvCells(csv: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  for (
    const [, cell = "", end] of csv.replace(/^\uFEFF/, "").matchAll(/"((?:[^"]|"")*)"(.|\r\n)/gsu)
  ) {
    rows.at(-1)!.push(cell.replaceAll('""', '"'));
    if (end !== delimiter) rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
