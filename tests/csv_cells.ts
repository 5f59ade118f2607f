/** Splits a CSV file of quoted cells into rows, without its byte order mark. */
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

/**
 * A time in the German form, in the time zone Berlin of test workspaces. Other cells are unchanged.
 */
export function germanTime(cell: string): string {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell)) return cell;
  const text = new Date(cell).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" });
  const [day = "", time] = text.split(" ");
  return `${day.split("-").toReversed().join(".")} ${time}`;
}
