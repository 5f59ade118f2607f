/**
 * Sends a CSV of 500 MB and a workbook of 100 MB to a real server, whose memory must stay within a
 * limit. Short test runs skip it, because smaller tables fit into that memory anyway.
 */
import { ok } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { testNeeding } from "../needing.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { chunked } from "../bench/erp_items.ts";
import { sendImport, type SentFile, zipStream } from "../bench/send_import.ts";
import { smallParts } from "../imports/workbook.ts";
import { memoryMib } from "../processor_time.ts";
import { AS_STARTED, serverPid, SMALL_HEAP, startLiveServer } from "../program.ts";
import { IS_LONG } from "../proof.ts";

const MIB_IN_MB = 1.048_576;
const HEADER = "Artikelnummer;Bezeichnung;Hersteller;Warengruppe;EK netto;VK brutto;UVP;Bestand"
  .split(";");

const SALES_TALK = ", für Küche und Werkstatt, frei Haus";
/** Random letters in each row keep the compressed file as large as a real one. */
function rowOf(n: number, more = ""): readonly string[] {
  const drawn = (n * 2_654_435_761) % 4_294_967_296;
  const words = crypto.getRandomValues(new Uint8Array(52)).toBase64();
  return [
    `KG-${n}`,
    `Übelacker Rührgerät ${words} grün, mit Zubehör ${n % 977}${more}`,
    `Hersteller ${drawn % 399}`,
    `Küche > Kleingeräte > ${drawn % 120}`,
    `${10 + drawn % 1_990},75`,
    `${30 + drawn % 1_990},99`,
    `${40 + drawn % 1_990},49`,
    String(drawn % 97),
  ];
}

const line = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(";")}\r\n`;

function csvOf(count: number): AsyncGenerator<Uint8Array> {
  return chunked(count, line(HEADER), (n) => line(rowOf(n, SALES_TALK)), "");
}

const SHARED = 4;

/** A workbook as spreadsheets write it: cells refer to shared texts by number. */
function xlsxOf(count: number): AsyncGenerator<Uint8Array> {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll(">", "&gt;");
  const textOf = (cells: readonly string[]) =>
    cells.map((text) => `<si><t>${escaped(text)}</t></si>`).join("");
  const place = (at: number, row: number) => `r="${String.fromCharCode(65 + at)}${row}"`;
  const cellsOf = (cells: readonly string[], row: number, first: number) =>
    cells.map((text, at) =>
      at < SHARED || row === 1
        ? `<c ${place(at, row)} t="s"><v>${first + at}</v></c>`
        : `<c ${place(at, row)}><v>${text.replace(",", ".")}</v></c>`
    ).join("");
  const rowXml = (cells: readonly string[], row: number, first: number) =>
    `<row r="${row}">${cellsOf(cells, row, first)}</row>`;
  const small = smallParts([["sharedStrings", "sharedStrings.xml"]]);
  const texts = (n: number) => textOf(rowOf(n).slice(0, SHARED));
  const row = (n: number) => rowXml(rowOf(n), n + 2, HEADER.length + n * SHARED);
  const first = `<worksheet><sheetData>${rowXml(HEADER, 1, 0)}`;
  return zipStream(
    ...small.map(([name, content]) => [name, chunked(0, content, () => "", "")] as const),
    ["xl/sharedStrings.xml", chunked(count, `<sst>${textOf(HEADER)}`, texts, "</sst>")],
    ["xl/worksheets/sheet1.xml", chunked(count, first, row, "</sheetData></worksheet>")],
  );
}

/** Writes the file first, so that its length is known and its generation is not measured. */
async function written(
  path: string,
  type: string,
  content: AsyncIterable<Uint8Array>,
): Promise<SentFile> {
  await writeFile(path, content);
  return { type, bytes: (await Deno.stat(path)).size, make: () => read(path) };
}

async function* read(path: string): AsyncGenerator<Uint8Array> {
  using file = await Deno.open(path);
  yield* file.readable;
}

const TABLES = [
  {
    name: "500 MB of CSV take at most 350 MB of memory",
    type: "text/csv",
    rows: 2_000_000,
    bytesMin: 500e6,
    memoryMbMax: 350,
    make: csvOf,
  },
  {
    name: "100 MB of a workbook take at most 600 MB of memory",
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    rows: 1_048_575,
    bytesMin: 100e6,
    memoryMbMax: 600,
    make: xlsxOf,
  },
];

for (const { name, type, rows, bytesMin, memoryMbMax, make } of TABLES) {
  testNeeding(IS_LONG ? null : "only with LONG_PROOFS=1", {
    name,
    async fn() {
      await using folder = await temporaryFolder();
      await using live = await startLiveServer(folder.path, SMALL_HEAP, AS_STARTED);
      const file = await written(`${folder.path}/table`, type, make(rows));
      ok(file.bytes >= bytesMin, `${file.bytes} bytes`);
      const { inserted } = await sendImport(live, file, "?dryRun=true&allowNoPrices=true");
      ok(inserted === rows, `${inserted} of ${rows} rows`);
      const peak = await memoryMib(await serverPid(folder.path), "VmHWM");
      const peakMb = peak === null ? null : peak * MIB_IN_MB;
      ok(peakMb === null || peakMb <= memoryMbMax, `${peakMb} MB for ${file.bytes} bytes`);
    },
  });
}
