/** Opens a workbook: its sheets, and the rows of one of them (ECMA-376; nothing outside is followed). */
import { knownEncoding, markedEncoding } from "../../engine/xml/encoding.ts";
import { type XmlLimits, XmlReader, type XmlSink } from "../../engine/xml/reader.ts";
import { ArchiveError, type ArchiveFile } from "./archive.ts";
import { headOf } from "./byte_source.ts";
import type { FileFault } from "./file_fault.ts";
import { parseChunks } from "./parse_chunks.ts";
import { TABLE_LIMITS, type TableRow, type TableStep } from "./table_row.ts";
import { SharedTexts } from "./shared_texts.ts";
import { type SheetSetting, SheetSink } from "./sheet_sink.ts";
import { partPath, RelationSink, StyleSink, WorkbookSink } from "./workbook_parts.ts";

/** A workbook whose sheets are known. */
export interface Workbook {
  /** Of the visible sheets, in their order. */
  readonly sheets: readonly string[];
  /** The rows of a visible sheet. */
  rows(sheet: string): AsyncGenerator<TableStep>;
}

const ROOT_RELATIONS = "_rels/.rels";

/** The path of the workbook within an archive; null for an archive that is none. */
export async function findWorkbook(
  files: readonly ArchiveFile[],
  limits: XmlLimits,
): Promise<string | null> {
  const relations = await relationsOf(files, ROOT_RELATIONS, limits);
  if (!relations) return null;
  const found = [...relations.values()].find(({ type }) => type === "officeDocument");
  return found ? partPath("", found.path) : null;
}

/** Reads what is small: sheets, formats, the texts that cells share. */
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
