/** Opens a workbook (ECMA-376) and reads the rows of one sheet. Ignores links to external files. */
import { decoder, encoder, markedEncoding } from "../../base/bytes.ts";
import { type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import {
  FileError,
  headOf,
  known,
  parseChunks,
  type Progress,
  type ReadPlan,
} from "./source_file.ts";
import { ArchiveError, type ArchiveFile } from "./archive.ts";
import { type CellFormat, cellFormat, serialiseNumber } from "./cell_format.ts";
import { isBlankRow, TABLE_LIMITS, type TableRow, tableRow, type TableStep } from "./table_row.ts";
import { behind, headerOf, NO_LAYOUT, type OpenTable, SAMPLE_ROWS } from "./text_table.ts";

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

interface SheetSetting {
  readonly formats: readonly CellFormat[];
  readonly texts: SharedTexts;
  readonly is1904: boolean;
}

class SheetSink implements XmlSink {
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

  constructor(setting: SheetSetting, listener: (row: TableRow) => void) {
    this.#setting = setting;
    this.#listener = listener;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const part = localName(name);
    this.#open.push(part);
    if (part === "row") this.#beginRow(attributes.r);
    if (part === "c") this.#beginCell(attributes);
  }

  text(piece: string): void {
    const part = this.#open.at(-1);
    if (part !== "v" && part !== "t") return;
    this.#hasValue = true;
    if (this.#value.length <= TABLE_LIMITS.cellChars) this.#value += piece;
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "c") this.#endCell();
    if (part !== "row") return;
    const row = tableRow(this.#row, this.#cells);
    if (!isBlankRow(row)) this.#listener(row);
  }

  #beginRow(written: string | undefined): void {
    this.#row = written === undefined ? this.#row + 1 : Number(written);
    this.#column = 0;
    this.#cells = [];
    const max = TABLE_LIMITS.sheetRows;
    if (!(this.#row >= 1 && this.#row <= max)) {
      throw this.#error(
        "too_large",
        `A sheet has at most ${max} rows, this one names row ${written}`,
      );
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
      throw this.#error("too_large", `A table has at most ${max} columns${named}`);
    }
  }

  #endCell(): void {
    if (!this.#hasValue) return;
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column - 1] = this.#shown();
    if (this.#value.length > TABLE_LIMITS.cellChars) {
      throw this.#error("too_large", `A cell has more than ${TABLE_LIMITS.cellChars} characters`);
    }
  }

  #shown(): string {
    const { texts, formats, is1904 } = this.#setting;
    switch (this.#type) {
      case "s": {
        const text = /^\d+$/.test(this.#value) ? texts.at(Number(this.#value)) : null;
        if (text === null) throw this.#error("bad_workbook", "A cell refers to a missing text");
        return text;
      }
      case "n": {
        const format = formats[this.#style] ?? null;
        return serialiseNumber(this.#value, format, is1904) ?? this.#value;
      }
      case "b":
        return this.#value === "1" ? "TRUE" : "FALSE";
      case "d":
        return this.#value.replace("T", " ");
      default:
        return this.#value;
    }
  }

  #error(code: "too_large" | "bad_workbook", message: string): FileError {
    const line = this.#row > 0 ? Math.min(this.#row, 2 ** 31) : null;
    return new FileError(code, message, { line });
  }
}

const PIECE_BYTES = 1_048_576;

/**
 * Stores the shared texts as bytes, because millions of strings would need much more memory. The
 * bytes are in pieces, because copying one array to a larger one would double the memory. A text
 * that does not fit into the last piece begins a new one.
 */
export class SharedTexts implements XmlSink {
  count = 0;
  readonly #bytesMax: number;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #filled = 0;
  #ends = new Uint32Array(1_024);
  #text = "";
  #isText = false;
  readonly #open: string[] = [];

  constructor(bytesMax: number = TABLE_LIMITS.sharedTextBytes) {
    this.#bytesMax = bytesMax;
  }

  open(name: string): void {
    const part = localName(name);
    if (part === "si") this.#text = "";
    this.#isText = part === "t";
    this.#open.push(part);
  }

  text(piece: string): void {
    if (this.#isText) this.#text = (this.#text + piece).slice(0, TABLE_LIMITS.cellChars + 1);
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "t") this.#isText = false;
    if (part === "si") this.#add(this.#text);
  }

  at(index: number): string | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return null;
    const [from = 0, end = 0] = [this.#ends[index - 1], this.#ends[index]];
    const piece = Math.floor(Math.max(from, end - 1) / PIECE_BYTES);
    const first = piece * PIECE_BYTES;
    return decoder.decode(
      this.#pieces[piece]?.subarray(Math.max(from, first) - first, end - first),
    );
  }

  #add(text: string): void {
    const { sharedTexts } = TABLE_LIMITS;
    if (this.count >= sharedTexts || this.#filled > this.#bytesMax) {
      const message = `The cells of a workbook share at most ${sharedTexts} texts of ` +
        `${this.#bytesMax} bytes together`;
      throw new FileError("too_large", message);
    }
    let last = this.#pieces.at(-1);
    let first = (this.#pieces.length - 1) * PIECE_BYTES;
    if (last === undefined || this.#filled + text.length * 3 > first + PIECE_BYTES) {
      last = new Uint8Array(PIECE_BYTES);
      first = this.#pieces.push(last) * PIECE_BYTES - PIECE_BYTES;
      this.#filled = first;
    }
    this.#filled += encoder.encodeInto(text, last.subarray(this.#filled - first)).written;
    if (this.count === this.#ends.length) {
      this.#ends = new Uint32Array(this.#ends.buffer.transfer(this.#ends.byteLength * 2));
    }
    this.#ends[this.count++] = this.#filled;
  }
}

/** Returns the number of the cell's column: 3 for `C12`. */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d/.exec(reference)?.[1];
  if (letters === undefined) return NaN;
  return letters.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

type Workbook = NonNullable<Awaited<ReturnType<typeof openWorkbook>>>;

const FORMATS_MAX = 65_536;
const ENTRIES_MAX = 1_000;

type AttributeOf = (wanted: string) => string | null;

/** Calls `read` for each element with its local name and a function that finds attributes. */
function elementSink(read: (element: string, attribute: AttributeOf) => void): XmlSink {
  return {
    open(name, attributes) {
      read(localName(name), (wanted) => {
        const found = Object.keys(attributes).find((name) => localName(name) === wanted);
        return found === undefined ? null : attributes[found] ?? null;
      });
    },
    text() {},
    close() {},
  };
}

/** Returns null if the archive is not a workbook. */
export async function openWorkbook(
  files: readonly ArchiveFile[],
  limits: XmlLimits,
) {
  const parts = new WorkbookParts(files, limits);
  const path = (await parts.relationsOf(""))?.find(({ type }) => type === "officeDocument")?.path;
  if (path === undefined) return null;
  const entries: { readonly name: string; readonly relation: string }[] = [];
  let is1904 = false;
  const list = elementSink((element, attribute) => {
    if (element === "workbookPr") is1904 = /^(?:1|true)$/.test(attribute("date1904") ?? "");
    if (element !== "sheet" || entries.length === ENTRIES_MAX) return;
    if (/hidden/i.test(attribute("state") ?? "")) return;
    entries.push({ name: attribute("name") ?? "", relation: attribute("id") ?? "" });
  });
  if (!await parts.read(path, list)) throw broken("A part of the workbook is missing");
  const relations = await parts.relationsOf(path);
  if (!relations) throw broken("The workbook does not say where its sheets are");
  const pathTo = (wanted: string) => relations.find(({ type }) => type === wanted)?.path;
  const formats: CellFormat[] = [];
  const texts = new SharedTexts();
  await parts.read(pathTo("styles"), styleSink(formats));
  await parts.read(pathTo("sharedStrings"), texts);
  return {
    sheets: entries.map(({ name }) => name),
    async *rows(wanted: string): AsyncGenerator<TableStep> {
      const sheet = entries.find(({ name }) => name === wanted);
      const target = relations.findLast(({ id }) => id === sheet?.relation);
      let rows: TableRow[] = [];
      const sink = new SheetSink({ formats, texts, is1904 }, (row) => void rows.push(row));
      const steps = parts.steps(target?.path, sink);
      if (!steps) throw broken(`The sheet "${wanted.slice(0, 80)}" is not in the file`);
      for await (const bytes of steps) {
        yield { rows, bytes };
        rows = [];
      }
      if (rows.length > 0) yield { rows, bytes: 0 };
    },
  };
}

function styleSink(formats: CellFormat[]): XmlSink {
  const codes = new Map<number, string>();
  let isInCells = false;
  return elementSink((element, attribute) => {
    if (element === "cellXfs") isInCells = true;
    if (element === "numFmt" && codes.size < FORMATS_MAX) {
      const code = attribute("formatCode") ?? "";
      codes.set(Number(attribute("numFmtId")), code.slice(0, 1_000));
    }
    if (element === "xf" && isInCells && formats.length < FORMATS_MAX) {
      formats.push(cellFormat(Number(attribute("numFmtId")), codes));
    }
    if (element === "cellStyles" || element === "dxfs") isInCells = false;
  });
}

class WorkbookParts {
  readonly #files: ReadonlyMap<string, ArchiveFile>;
  readonly #limits: XmlLimits;

  constructor(files: readonly ArchiveFile[], limits: XmlLimits) {
    this.#files = new Map(files.map((file) => [file.name, file]));
    this.#limits = limits;
  }

  /** Yields the size of each chunk in bytes. Returns null if the workbook has no file `path`. */
  steps(path: string | undefined, sink: XmlSink): AsyncGenerator<number> | null {
    const part = this.#files.get(path ?? "");
    return part ? xmlOf(part, new XmlReader(sink, this.#limits)) : null;
  }

  async read(path: string | undefined, sink: XmlSink): Promise<boolean> {
    const steps = this.steps(path, sink);
    if (steps) await Array.fromAsync(steps);
    return steps !== null;
  }

  /** Returns a file's relationships (`""` for the workbook); null if they cannot be read. */
  async relationsOf(part: string) {
    const folder = part.slice(0, part.lastIndexOf("/") + 1);
    const relations: { readonly id: string; readonly type: string; readonly path: string }[] = [];
    const sink = elementSink((element, attribute) => {
      if (element !== "Relationship" || relations.length > ENTRIES_MAX) return;
      if (attribute("TargetMode") === "External") return;
      const id = attribute("Id") ?? "";
      const type = attribute("Type")?.split("/").at(-1) ?? "";
      relations.push({ id, type, path: partPath(folder, attribute("Target") ?? "") });
    });
    try {
      const isThere = await this.read(`${folder}_rels/${part.slice(folder.length)}.rels`, sink);
      return isThere ? relations : null;
    } catch (error) {
      if (error instanceof ArchiveError || !(error instanceof FileError)) throw error;
      return null;
    }
  }
}

async function* xmlOf(part: ArchiveFile, reader: XmlReader): AsyncGenerator<number> {
  const encoding = markedEncoding(await headOf(part, 4)) ?? known("utf-8", null);
  for await (const { length } of parseChunks(part, encoding, reader)) yield length;
}

function partPath(folder: string, target: string): string {
  const steps = target.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const step of target.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}

function broken(message: string): FileError {
  return new FileError("bad_workbook", message);
}

export async function* openSheet(
  workbook: Workbook,
  plan: ReadPlan,
): AsyncGenerator<Progress, OpenTable> {
  const sheet = plan.sheet ?? workbook.sheets[0];
  if (sheet === undefined || !workbook.sheets.includes(sheet)) {
    const shown = workbook.sheets.slice(0, 20).map((name) => `"${name}"`).join(", ");
    const message = sheet === undefined
      ? "No sheet of the workbook is visible"
      : `There is no visible sheet "${sheet.slice(0, 80)}"; visible are ${shown || "none"}`;
    throw new FileError("unknown_sheet", message);
  }
  const first: TableRow[] = [];
  for await (const { rows } of workbook.rows(sheet)) {
    first.push(...rows);
    if (first.length >= SAMPLE_ROWS) break;
    yield { kind: "progress", bytes: 0 };
  }
  const found = headerOf(first, plan);
  return {
    layout: { ...NO_LAYOUT, kind: "xlsx", sheet, sheets: workbook.sheets, ...found },
    guess: null,
    async *rows() {
      for await (const { rows, bytes } of workbook.rows(sheet)) {
        yield { rows: behind(rows, found.headerRow), bytes };
      }
    },
  };
}
