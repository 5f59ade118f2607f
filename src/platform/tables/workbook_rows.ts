/** Rows of a sheet as XML: numbers as numbers, texts as texts. */
import { formatMajor } from "../../base/money.ts";
import type { Cell } from "./cell.ts";
import { STYLE } from "./workbook_parts.ts";

/** What a cell of a workbook holds at most. */
const CELL_CHARS_MAX = 32_767;
const DAY_MS = 86_400_000;
/** Day 0 of workbooks, for days behind the 29 February 1900 that they believe in. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const FIRST_DAY = 61;
const LAST_DAY = 2_958_465;

/** `line` counts from 1. Moments are on the clock of `timeZone`: workbooks know no zones. */
export function rowXml(
  cells: readonly Cell[],
  line: number,
  { timeZone, isHead = false }: { readonly timeZone: string; readonly isHead?: boolean },
): string {
  let xml = `<row r="${line}">`;
  for (const [at, cell] of cells.entries()) {
    if (cell === null || cell === "") continue;
    xml += cellXml(cell, `${columnName(at)}${line}`, timeZone, isHead ? STYLE.head : STYLE.general);
  }
  return `${xml}</row>`;
}

function cellXml(cell: Exclude<Cell, null>, place: string, timeZone: string, style: number) {
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
    ? [dayNumber(Temporal.PlainDate.from(cell.day).toPlainDateTime()), STYLE.day]
    : [dayNumber(localTime(cell.at, timeZone)), STYLE.moment];
  if (days < FIRST_DAY || days > LAST_DAY) {
    return textXml("day" in cell ? cell.day : cell.at, place, style);
  }
  return numberXml(String(days), place, dated);
}

function localTime(at: string, timeZone: string): Temporal.PlainDateTime {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDateTime();
}

function dayNumber(time: Temporal.PlainDateTime): number {
  const { year, month, day, hour, minute, second } = time;
  const days = (Date.UTC(year, month - 1, day) - DAY_ZERO_MS) / DAY_MS;
  return days + (hour * 3_600 + minute * 60 + second) / 86_400;
}

function numberXml(text: string, place: string, style: number): string {
  return `<c r="${place}"${style === 0 ? "" : ` s="${style}"`}><v>${text}</v></c>`;
}

function textXml(text: string, place: string, style: number): string {
  const kept = text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 1)}…` : text;
  return `<c r="${place}"${style === 0 ? "" : ` s="${style}"`} t="inlineStr"><is>` +
    `<t xml:space="preserve">${escaped(kept)}</t></is></c>`;
}

/** What no XML can hold gets a substitute. */
function escaped(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex -- exactly those that no XML can hold
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** `A` for 0, `AA` for 26. */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + at % 26);
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}
