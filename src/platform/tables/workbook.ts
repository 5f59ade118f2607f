/** A table as a workbook (XLSX, ECMA-376 part 1), of which only one batch of rows is in memory. */
import { DAY_MS, ZoneClock } from "../../base/time.ts";
import "../zip.ts";
import { formatMajor } from "../../base/money.ts";
import { escapeXml } from "../../base/text.ts";
import { TimeSlice } from "../event_loop.ts";
import type { Cell, OutgoingTable } from "./cell.ts";
import { ZipWriter } from "@zip.js/zip.js";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const WORKBOOK_TYPE = `${TYPES}.sheet`;

const STYLE = {
  general: 0,
  head: 1,
  moment: 2,
  day: 3,
  amounts: [4, 5, 6, 7, 8],
} as const;

const CODES: readonly (readonly [id: number, code: string])[] = [
  [164, "yyyy-mm-dd hh:mm:ss"],
  [165, "yyyy-mm-dd"],
  [166, "0.0"],
  [167, "0.000"],
  [168, "0.0000"],
];

/** Ids of number formats below 164 are built in, such as 1 for `0` and 2 for `0.00`. */
const FORMATS = [0, 0, 164, 165, 1, 166, 2, 167, 168];

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${CODES.length}">` +
  CODES.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("") +
  "</numFmts>" +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${FORMATS.length}">` +
  FORMATS.map((id, style) =>
    `<xf numFmtId="${id}" fontId="${style === STYLE.head ? 1 : 0}" fillId="0" borderId="0" ` +
    `xfId="0"${id === 0 ? "" : ' applyNumberFormat="1"'}` +
    `${style === STYLE.head ? ' applyFont="1"' : ""}/>`
  ).join("") +
  "</cellXfs>" +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  "</styleSheet>";

const SHEET_HEAD = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView ` +
  'workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  "</sheetView></sheetViews><sheetData>";
const SHEET_TAIL = "</sheetData></worksheet>";

const sheetPath = (n: number) => `xl/worksheets/sheet${n}.xml`;

function partsOf(sheets: number): readonly (readonly [path: string, xml: string])[] {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (each: string[]) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
  const part = (path: string, type: string) =>
    `<Override PartName="/${path}" ContentType="${TYPES}.${type}+xml"/>`;
  return [
    ["_rels/.rels", relations([relation("r1", "officeDocument", "xl/workbook.xml")])],
    [
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      numbers.map((n) => `<sheet name="${n}" sheetId="${n}" r:id="r${n}"/>`).join("") +
      "</sheets></workbook>",
    ],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...numbers.map((n) => relation(`r${n}`, "worksheet", `worksheets/sheet${n}.xml`)),
        relation("styles", "styles", "styles.xml"),
      ]),
    ],
    [
      "[Content_Types].xml",
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.' +
      'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
      part("xl/workbook.xml", "sheet.main") + part("xl/styles.xml", "styles") +
      numbers.map((n) => part(sheetPath(n), "worksheet")).join("") + "</Types>",
    ],
  ];
}

const CELL_CHARS_MAX = 32_767;
/** Day 0 for dates from 1 March 1900 on: workbooks wrongly treat 1900 as a leap year. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const FIRST_DAY = 61;
const LAST_DAY = 2_958_465;

/** `line` counts from 1; times are local times in `zone`, because workbooks have no time zones. */
function rowXml(
  cells: readonly Cell[],
  line: number,
  { zone, isHead = false }: { readonly zone: ZoneClock; readonly isHead?: boolean },
): string {
  let xml = `<row r="${line}">`;
  for (const [at, cell] of cells.entries()) {
    if (cell === null || cell === "") continue;
    xml += cellXml(cell, `${columnName(at)}${line}`, zone, isHead ? STYLE.head : STYLE.general);
  }
  return `${xml}</row>`;
}

function cellXml(cell: Exclude<Cell, null>, place: string, zone: ZoneClock, style: number) {
  if (typeof cell === "string") return textXml(cell, place, style);
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === "number") {
    return Number.isFinite(cell) ? numberXml(String(cell), place, style) : "";
  }
  if ("plain" in cell) return textXml(cell.plain, place, style);
  if ("cents" in cell) {
    const { cents, exponent } = cell;
    return numberXml(formatMajor(cents, exponent), place, STYLE.amounts[exponent] ?? style);
  }
  const [days, dated] = "day" in cell
    ? [dayNumber(Date.parse(cell.day)), STYLE.day]
    : [dayNumber(zone.localMs(cell.at)), STYLE.moment];
  if (!(days >= FIRST_DAY && days <= LAST_DAY)) {
    return textXml("day" in cell ? cell.day : cell.at, place, style);
  }
  return numberXml(String(days), place, dated);
}

function dayNumber(localMs: number): number {
  const ms = localMs - DAY_ZERO_MS;
  return Math.floor(ms / DAY_MS) + Math.floor(ms / 1_000) % 86_400 / 86_400;
}

function numberXml(text: string, place: string, style: number): string {
  return `<c r="${place}"${style === 0 ? "" : ` s="${style}"`}><v>${text}</v></c>`;
}

function textXml(text: string, place: string, style: number): string {
  const kept = text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 1)}…` : text;
  return `<c r="${place}"${style === 0 ? "" : ` s="${style}"`} t="inlineStr"><is>` +
    `<t xml:space="preserve">${escaped(kept)}</t></is></c>`;
}

function escaped(text: string): string {
  const valid = text.toWellFormed()
    // deno-lint-ignore no-control-regex -- exactly the characters that XML cannot contain
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD");
  return escapeXml(valid).replaceAll("\r", "&#13;");
}

function columnName(at: number): string {
  const letter = String.fromCharCode(65 + at % 26);
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

/** The time of all parts of the ZIP file, fixed so that equal tables have equal bytes. */
const PART_TIME = new Date(1980, 0, 1);

interface WorkbookSetting {
  readonly timeZone: string;
  readonly sheetRowsMax?: number;
}

export function workbookStream(
  table: Pick<OutgoingTable, "columns" | "batches">,
  setting: WorkbookSetting,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  writeWorkbook(writable, table, setting).catch((error: unknown) =>
    // `abort` fails if the stream is already closed.
    writable.abort(error).catch(() => {})
  );
  return readable;
}

async function writeWorkbook(
  writable: WritableStream<Uint8Array>,
  { columns, batches }: Pick<OutgoingTable, "columns" | "batches">,
  { timeZone, sheetRowsMax = 1_048_576 }: WorkbookSetting,
): Promise<void> {
  const zip = new ZipWriter(writable, {
    useWebWorkers: false,
    extendedTimestamp: false,
    lastModDate: PART_TIME,
  });
  const slice = new TimeSlice();
  const zone = new ZoneClock(timeZone);
  const rows = rowsOf(batches);
  let sheets = 0;
  try {
    let next = await rows.next();
    const sheetChunks = async function* () {
      yield SHEET_HEAD + rowXml(columns, 1, { zone, isHead: true });
      for (let line = 1; line < sheetRowsMax && !next.done;) {
        // Compress few rows at a time, because the compression blocks the event loop.
        const end = Math.min(line + 40, sheetRowsMax);
        let xml = "";
        for (; line < end && !next.done; next = await rows.next()) {
          xml += rowXml(next.value, ++line, { zone });
        }
        yield xml;
        await slice.yield();
      }
      yield SHEET_TAIL;
    };
    do {
      const sheet = ReadableStream.from(sheetChunks()).pipeThrough(new TextEncoderStream());
      await zip.add(sheetPath(++sheets), sheet);
    } while (!next.done);
    for (const [path, xml] of [["xl/styles.xml", STYLES] as const, ...partsOf(sheets)]) {
      await zip.add(path, new Blob([xml]).stream());
    }
    await zip.close();
  } finally {
    await rows.return(undefined);
  }
}

async function* rowsOf(batches: OutgoingTable["batches"]): AsyncGenerator<readonly Cell[]> {
  for await (const batch of batches) yield* batch;
}
