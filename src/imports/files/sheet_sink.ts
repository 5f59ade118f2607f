import type { XmlSink } from "../../engine/xml/reader.ts";
import type { FileFault } from "./file_fault.ts";
import { isBlankRow, TABLE_LIMITS, type TableRow } from "./table_row.ts";
import { type CellFormat, GENERAL, shownNumber } from "./cell_format.ts";
import type { SharedTexts } from "./shared_texts.ts";
import { localName } from "./workbook_parts.ts";

/** What the cells of a sheet are read with. */
export interface SheetSetting {
  readonly formats: readonly CellFormat[];
  readonly texts: SharedTexts;
  readonly is1904: boolean;
}

/** Gathers the rows of one sheet, each cell as its format shows it. */
export class SheetSink implements XmlSink {
  /** Why the workbook is refused; nothing is read after it. */
  fault: FileFault | null = null;
  readonly #setting: SheetSetting;
  readonly #listener: (row: TableRow) => void;
  readonly #open: string[] = [];
  #row = 0;
  #column = 0;
  #cells: (string | null)[] = [];
  #type = "n";
  #style = 0;
  #value = "";
  #hasValue = false;
  #phonetic = 0;

  constructor(setting: SheetSetting, listener: (row: TableRow) => void) {
    this.#setting = setting;
    this.#listener = listener;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const part = localName(name);
    this.#open.push(part);
    if (part === "row") this.#beginRow(attributes.r);
    if (part === "c") this.#beginCell(attributes);
    if (part === "rPh") this.#phonetic += 1;
  }

  text(piece: string): void {
    const part = this.#open.at(-1);
    if (part !== "v" && (part !== "t" || this.#phonetic > 0)) return;
    this.#hasValue = true;
    if (this.#value.length <= TABLE_LIMITS.cellChars) this.#value += piece;
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "rPh") this.#phonetic -= 1;
    if (part === "c") this.#endCell();
    if (part === "row" && this.fault === null) {
      const row = { line: this.#row, cells: this.#cells };
      if (!isBlankRow(row)) this.#listener(row);
    }
  }

  #beginRow(written: string | undefined): void {
    this.#row = written === undefined ? this.#row + 1 : Number(written);
    this.#column = 0;
    this.#cells = [];
    const max = TABLE_LIMITS.sheetRows;
    if (!(this.#row >= 1 && this.#row <= max)) {
      this.#refuse("too_large", `A sheet has at most ${max} rows, this one names row ${written}`);
    }
  }

  #beginCell(attributes: Readonly<Record<string, string>>): void {
    const written = attributes.r;
    this.#column = written === undefined ? this.#column + 1 : columnOf(written);
    this.#type = attributes.t ?? "n";
    this.#style = Number(attributes.s ?? 0);
    this.#value = "";
    this.#hasValue = false;
    const max = TABLE_LIMITS.columns;
    if (!(this.#column >= 1 && this.#column <= max)) {
      const named = written === undefined ? "" : ` ("${written.slice(0, 20)}")`;
      this.#refuse("too_large", `A table has at most ${max} columns${named}`);
    }
  }

  #endCell(): void {
    if (this.fault !== null || !this.#hasValue) return;
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column - 1] = this.#shown();
    if (this.#value.length > TABLE_LIMITS.cellChars) {
      this.#refuse("too_large", `A cell has more than ${TABLE_LIMITS.cellChars} characters`);
    }
  }

  #shown(): string {
    const { texts, formats, is1904 } = this.#setting;
    switch (this.#type) {
      case "s": {
        const text = /^\d+$/.test(this.#value) ? texts.at(Number(this.#value)) : null;
        if (text === null) this.#refuse("bad_workbook", "A cell names a text that is not there");
        return text ?? "";
      }
      case "n": {
        const format = formats[this.#style] ?? GENERAL;
        return shownNumber(this.#value, format, is1904) ?? this.#value;
      }
      case "b":
        return this.#value === "1" ? "TRUE" : "FALSE";
      case "d":
        return this.#value.replace("T", " ");
      default:
        return this.#value;
    }
  }

  #refuse(code: "too_large" | "bad_workbook", message: string): void {
    this.fault ??= { code, line: this.#row > 0 ? Math.min(this.#row, 2 ** 31) : null, message };
  }
}

/** `C12` is the third; NaN for what names no column, and for one too far away to be counted. */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d/.exec(reference)?.[1];
  if (letters === undefined) return NaN;
  return letters.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
