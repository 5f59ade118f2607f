import { createUnpackedCounter, openArchive } from "../src/imports/files/archive.ts";
import { openWorkbook } from "../src/imports/files/workbook.ts";
import { XML_LIMITS } from "../src/engine/xml/reader.ts";

const BYTES_MAX = 2 ** 31;

/** Returns the rows of each sheet. A missing cell is null, or absent at the end of a row. */
export async function sheetsOf(bytes: Uint8Array): Promise<Record<string, (string | null)[][]>> {
  const read = (offset: number, length: number) =>
    Promise.resolve(bytes.subarray(offset, offset + length));
  const limits = { filesMax: 100, ratioMax: 10_000, unpackedBytesMax: BYTES_MAX };
  const files = await openArchive(
    { size: bytes.length, read },
    limits,
    createUnpackedCounter(BYTES_MAX),
  );
  const workbook = await openWorkbook(files, XML_LIMITS);
  if (workbook === null) throw new Error("There is no workbook");
  const sheets: Record<string, (string | null)[][]> = {};
  for (const name of workbook.sheets) {
    const rows: (string | null)[][] = [];
    for await (const step of workbook.rows(name)) {
      rows.push(...step.rows.map(({ cells }) => [...cells]));
    }
    sheets[name] = rows;
  }
  return sheets;
}

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

/** Converts an ISO time to German format in Berlin time; returns any other cell unchanged. */
export function germanTime(cell: string): string {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell)) return cell;
  const text = new Date(cell).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" });
  const [day = "", time] = text.split(" ");
  return `${day.split("-").toReversed().join(".")} ${time}`;
}
