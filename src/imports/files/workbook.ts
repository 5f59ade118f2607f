/** Opens a workbook and the rows of one sheet (ECMA-376). External references are ignored. */
import { knownEncoding, markedEncoding } from "../../engine/xml/encoding.ts";
import { type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import { ArchiveError, type ArchiveFile } from "./archive.ts";
import { type FileFault, headOf, parseChunks } from "./byte_source.ts";
import { isBlankRow, TABLE_LIMITS, type TableRow, type TableStep } from "./json_row.ts";
import {
  type CellFormat,
  GENERAL,
  localName,
  partPath,
  RelationSink,
  serialiseNumber,
  SharedTexts,
  StyleSink,
  WorkbookSink,
} from "./workbook_parts.ts";

interface SheetSetting {
  readonly formats: readonly CellFormat[];
  readonly texts: SharedTexts;
  readonly is1904: boolean;
}

class SheetSink implements XmlSink {
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
        if (text === null) this.#refuse("bad_workbook", "A cell refers to a missing text");
        return text ?? "";
      }
      case "n": {
        const format = formats[this.#style] ?? GENERAL;
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

  #refuse(code: "too_large" | "bad_workbook", message: string): void {
    this.fault ??= { code, line: this.#row > 0 ? Math.min(this.#row, 2 ** 31) : null, message };
  }
}

/** Converts `C12` to 3; NaN if the reference is invalid or has more than three letters. */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d/.exec(reference)?.[1];
  if (letters === undefined) return NaN;
  return letters.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

export interface Workbook {
  readonly sheets: readonly string[];
  rows(sheet: string): AsyncGenerator<TableStep>;
}

const ROOT_RELATIONS = "_rels/.rels";

/** Path within the archive; null if the archive is not a workbook. */
export async function findWorkbook(
  files: readonly ArchiveFile[],
  limits: XmlLimits,
): Promise<string | null> {
  const relations = await relationsOf(files, ROOT_RELATIONS, limits);
  if (!relations) return null;
  const found = [...relations.values()].find(({ type }) => type === "officeDocument");
  return found ? partPath("", found.path) : null;
}

export async function openWorkbook(
  files: readonly ArchiveFile[],
  path: string,
  limits: XmlLimits,
): Promise<Workbook | FileFault> {
  const parts = new Map(files.map((file) => [file.name, file]));
  const workbook = new WorkbookSink();
  const fault = await readPart(parts.get(path), workbook, limits);
  if (fault) return fault;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const name = path.slice(folder.length);
  const relations = await relationsOf(files, `${folder}_rels/${name}.rels`, limits);
  if (!relations) return broken("The workbook does not say where its sheets are");
  const partOf = (type: string) => {
    const found = [...relations.values()].find((relation) => relation.type === type);
    return found && parts.get(partPath(folder, found.path));
  };
  const styles = new StyleSink();
  const texts = new SharedTexts();
  const faults = [
    partOf("styles") && await readPart(partOf("styles"), styles, limits),
    partOf("sharedStrings") && await readPart(partOf("sharedStrings"), texts, limits),
  ];
  const bad = faults.find(Boolean);
  if (bad) return bad;
  if (texts.isTooMany) {
    const { sharedTexts, sharedTextBytes } = TABLE_LIMITS;
    const message = `The cells of a workbook share at most ${sharedTexts} texts of ` +
      `${sharedTextBytes} bytes together`;
    return { code: "too_large", line: null, message };
  }
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const setting = { formats: styles.formats, texts, is1904: workbook.is1904 };
  return {
    sheets: visible.map((sheet) => sheet.name),
    async *rows(wanted) {
      const sheet = visible.find((one) => one.name === wanted);
      const target = relations.get(sheet?.relation ?? "");
      const part = target && parts.get(partPath(folder, target.path));
      if (!part) yield { fault: broken(`The sheet "${wanted.slice(0, 80)}" is not in the file`) };
      else yield* sheetRows(part, setting, limits);
    },
  };
}

async function* sheetRows(
  part: ArchiveFile,
  setting: SheetSetting,
  limits: XmlLimits,
): AsyncGenerator<TableStep> {
  let rows: TableRow[] = [];
  const sink = new SheetSink(setting, (row) => void rows.push(row));
  const encoding = await encodingOf(part);
  for await (const step of parseChunks(part, encoding, new XmlReader(sink, limits))) {
    const fault = sink.fault ?? ("fault" in step ? step.fault : null);
    if (fault) return yield { fault };
    if ("chunk" in step) yield { rows, bytes: step.chunk.length };
    rows = [];
  }
  if (sink.fault) return yield { fault: sink.fault };
  if (rows.length > 0) yield { rows, bytes: 0 };
}

async function relationsOf(
  files: readonly ArchiveFile[],
  path: string,
  limits: XmlLimits,
): Promise<RelationSink["targets"] | null> {
  const part = files.find(({ name }) => name === path);
  if (!part) return null;
  const sink = new RelationSink();
  return await readPart(part, sink, limits) === null ? sink.targets : null;
}

async function readPart(
  part: ArchiveFile | undefined,
  sink: XmlSink,
  limits: XmlLimits,
): Promise<FileFault | null> {
  if (!part) return broken("A part of the workbook is missing");
  for await (const step of parseChunks(part, await encodingOf(part), new XmlReader(sink, limits))) {
    if ("fault" in step) return step.fault;
  }
  return null;
}

async function encodingOf(part: ArchiveFile) {
  const encoding = markedEncoding(await headOf(part, 4)) ?? knownEncoding("utf-8", null);
  if (!encoding) throw new ArchiveError("bad_zip", "The decoder does not know UTF-8");
  return encoding;
}

function broken(message: string): FileFault {
  return { code: "bad_workbook", line: null, message };
}
