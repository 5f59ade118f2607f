/** Reads the files of an upload in order, unpacks archives, and yields an event for each step. */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { markedEncoding } from "../../engine/xml/encoding.ts";
import {
  ArchiveError,
  type ArchiveFile,
  type ArchiveLimits,
  openArchive,
  UnpackedBytes,
} from "../files/archive.ts";
import {
  type ByteSource,
  chunksOf,
  type FileBytes,
  type FileFault,
  headOf,
} from "../files/byte_source.ts";
import { fileFinding, fileWarning } from "../files/finding.ts";
import { openSheet } from "../files/open_table.ts";
import { findWorkbook, openWorkbook } from "../files/workbook.ts";
import type { FileReading, UploadEvent, UploadRun, UploadSetting } from "./file_event.ts";
import { foreignArchive, PDF_DOCUMENT } from "./foreign_file.ts";
import { readFile } from "./read_file.ts";
import { planOf, readTable, readTextTable } from "./read_table.ts";

type ContentKind = "xml" | "zip" | "gzip" | "ole2" | "pdf" | "empty" | "other";

const KIND_HEAD_BYTES = 1_024;

const ZIP_SIGNATURES: readonly number[] = [0x0403, 0x0605, 0x0807];

const PDF_SIGNATURE = [0x25, 0x50, 0x44, 0x46, 0x2d];
/** Bytes to skip. A zero byte is one half of a blank or `<` in UTF-16. */
const BLANKS: readonly number[] = [0x20, 0x0a, 0x0d, 0x09, 0];
const OLE2_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** XML and PDF may follow blanks and a byte order mark; ZIP may not. */
function contentKind(head: Uint8Array): ContentKind {
  if (head.length === 0) return "empty";
  if (head[0] === 0x50 && head[1] === 0x4b) {
    const signature = (head[2] ?? 0) | ((head[3] ?? 0) << 8);
    if (ZIP_SIGNATURES.includes(signature)) return "zip";
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  if (OLE2_SIGNATURE.every((byte, at) => head[at] === byte)) return "ole2";
  const text = head.subarray(markedEncoding(head)?.bomBytes ?? 0);
  const start = text.findIndex((byte) => !BLANKS.includes(byte));
  if (text[start] === 0x3c) return "xml";
  return PDF_SIGNATURE.every((byte, at) => text[start + at] === byte) ? "pdf" : "other";
}

/** Each read decompresses the file again. Several gzip members are one file (RFC 1952 §2.2). */
function gunzipped(
  file: FileBytes,
  packedBytes: number,
  { ratioMax }: Pick<ArchiveLimits, "ratioMax">,
  unpacked: UnpackedBytes,
): FileBytes {
  const name = file.name.replace(/\.gz(?:ip)?$/i, "");
  // Blank cells compress very well.
  const bytesMax = Math.max(1_048_576, packedBytes * ratioMax);
  const count = unpacked.counterOf({ name, bytesMax, ratioMax });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // `count` throws the errors of both streams.
    const inflated = pipeline(Readable.from(file.chunks()), createGunzip(), () => {});
    try {
      yield* count(inflated);
    } catch (cause) {
      if (!isBroken(cause)) throw cause;
      throw new ArchiveError("bad_gzip", `"${name}" is not a complete gzip file`, { cause });
    }
  }
  return { name, charset: file.charset, chunks };
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}

export interface UploadPart {
  readonly name: string;
  readonly charset: string | null;
  /** True if the Content-Type is XML. The content must then be XML too. */
  readonly isXml: boolean;
  readonly source: ByteSource;
}

/** Stores nothing. Holds one chunk and its records in memory. */
export async function* readUpload(
  parts: readonly UploadPart[],
  setting: UploadSetting,
): AsyncGenerator<UploadEvent> {
  const unpacked = new UnpackedBytes(setting.unpackedBytesMax);
  const run: UploadRun = { setting, unpacked, files: 0, items: 0 };
  for (const part of parts) {
    const fault = yield* readPart(part, run);
    if (fault) {
      yield { kind: "refused", finding: fileFinding("error", fault.file, fault) };
      return;
    }
  }
  if (run.items === 0) {
    const fault = { code: "no_items", line: null, message: "The upload holds no item" } as const;
    yield { kind: "refused", finding: fileFinding("error", parts[0]?.name ?? null, fault) };
  }
}

type NamedFault = FileFault & { readonly file: string };
type PartReading = AsyncGenerator<UploadEvent, NamedFault | null>;

async function* readPart(part: UploadPart, run: UploadRun): PartReading {
  const { name, charset, source } = part;
  const file = { name, charset, chunks: () => chunksOf(source) };
  let reading = name;
  try {
    const kind = contentKind(await headOf(file, KIND_HEAD_BYTES));
    if (kind === "zip") {
      const entries = await openArchive(source, run.setting, run.unpacked);
      return yield* readArchive(file, entries, run, (entry) => void (reading = entry));
    }
    if (kind !== "gzip") return yield* readPlain(file, kind, run, mustBeXml(part));
    const inner = gunzipped(file, source.size, run.setting, run.unpacked);
    reading = inner.name;
    const within = contentKind(await headOf(inner, KIND_HEAD_BYTES));
    return yield* readPlain(inner, within, run, mustBeXml({ ...part, name: inner.name }));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { file: reading, code: error.code, line: null, message: error.message };
  }
}

function mustBeXml({ name, isXml }: UploadPart): boolean {
  return isXml || /\.xml$/i.test(name);
}

async function* readPlain(
  file: FileBytes,
  kind: ContentKind,
  run: UploadRun,
  isXmlOnly: boolean,
): PartReading {
  if (kind === "xml") return yield* readOne(file, run, readFile);
  if (isXmlOnly) return { file: file.name, ...notXml(kind) };
  if (kind === "other") return yield* readOne(file, run, readTextTable);
  return { file: file.name, ...notATable(kind) };
}

/** Tables in an archive are read only if it has no XML files. */
async function* readArchive(
  file: FileBytes,
  entries: readonly ArchiveFile[],
  run: UploadRun,
  note: (name: string) => void,
): PartReading {
  const foreign = foreignArchive(entries);
  if (foreign !== null) return { file: file.name, ...foreign };
  const path = await findWorkbook(entries, run.setting.xml);
  if (path !== null) return yield* readWorkbook(file, entries, path, run);
  const kinds = new Map<ArchiveFile, ContentKind>();
  for (const entry of entries) {
    note(entry.name);
    kinds.set(entry, entry.isShadow ? "other" : contentKind(await headOf(entry, KIND_HEAD_BYTES)));
  }
  const isOfXml = [...kinds.values()].includes("xml") ||
    entries.some(({ name, isShadow }) => !isShadow && /\.xml$/i.test(name));
  for (const [entry, kind] of kinds) {
    note(entry.name);
    if (kind === "zip" && (isOfXml || !isTableName(entry.name))) {
      const message = "An archive within the archive is not opened";
      return { file: entry.name, code: "bad_zip", line: null, message };
    }
    if (isOfXml ? kind === "xml" : isTableName(entry.name) && !entry.isShadow) {
      const fault = yield* readEntry(entry, kind, run);
      if (fault) return fault;
    } else if (!entry.isShadow && /\.xml$/i.test(entry.name)) {
      return { file: entry.name, ...notXml(kind) };
    } else yield passedOver(entry.name, isOfXml);
  }
  return null;
}

const TABLE_NAME = /\.(?:csv|tsv|txt|xlsx|json|ndjson|jsonl)$/i;

function isTableName(name: string): boolean {
  return TABLE_NAME.test(name);
}

function passedOver(file: string, isOfXml: boolean): UploadEvent {
  return fileWarning(
    file,
    isOfXml
      ? { code: "malformed_xml", line: null, message: "Not XML: skipped" }
      : { code: "passed_over", line: null, message: "Not a table: skipped" },
  );
}

/** A workbook within an archive is held in memory. */
async function* readEntry(entry: ArchiveFile, kind: ContentKind, run: UploadRun): PartReading {
  if (kind !== "zip") return yield* readPlain(entry, kind, run, kind === "xml");
  const bytes = await headOf(entry, INNER_BYTES_MAX + 1);
  if (bytes.length > INNER_BYTES_MAX) {
    const message = `A workbook within an archive has at most ${INNER_BYTES_MAX} bytes`;
    return { file: entry.name, code: "too_large", line: null, message };
  }
  const source = {
    size: bytes.length,
    read: (from: number, length: number) => Promise.resolve(bytes.subarray(from, from + length)),
  };
  const inner = await openArchive(source, run.setting, run.unpacked);
  const foreign = foreignArchive(inner);
  if (foreign !== null) return { file: entry.name, ...foreign };
  const path = await findWorkbook(inner, run.setting.xml);
  if (path !== null) return yield* readWorkbook(entry, inner, path, run);
  const message = "An archive within the archive is not opened";
  return { file: entry.name, code: "bad_zip", line: null, message };
}

const INNER_BYTES_MAX = 32 * 1_048_576;

async function* readWorkbook(
  file: FileBytes,
  entries: readonly ArchiveFile[],
  path: string,
  run: UploadRun,
): PartReading {
  const workbook = await openWorkbook(entries, path, run.setting.xml);
  if ("code" in workbook) return { file: file.name, ...workbook };
  const table = await openSheet(workbook, planOf(run.setting));
  if ("code" in table) return { file: file.name, ...table };
  return yield* readOne(file, run, () => readTable(file, table, run));
}

async function* readOne(
  file: FileBytes,
  run: UploadRun,
  read: (file: FileBytes, run: UploadRun) => FileReading,
): PartReading {
  run.files += 1;
  const { filesMax } = run.setting;
  if (run.files > filesMax) {
    const message = `The upload holds more than ${filesMax} files`;
    return { file: file.name, code: "too_large", line: null, message };
  }
  const fault = yield* read(file, run);
  return fault && { file: file.name, ...fault };
}

function notXml(kind: ContentKind): FileFault {
  const message = kind === "empty" ? "The file is empty" : "The file is not XML";
  return { code: "malformed_xml", line: 1, message };
}

function notATable(kind: "empty" | "zip" | "gzip" | "ole2" | "pdf"): FileFault {
  if (kind === "pdf") return PDF_DOCUMENT;
  if (kind === "empty") return { code: "empty_file", line: null, message: "The file is empty" };
  const message = kind === "ole2"
    ? "An old or a protected workbook: save it as .xlsx without a password"
    : "Packed more than once: send it unpacked, or packed once";
  return { code: "unknown_format", line: null, message };
}

export interface UploadLimits extends
  Pick<
    UploadSetting,
    "xml" | "itemsMax" | "filesMax" | "ratioMax" | "unpackedBytesMax"
  > {
  readonly bodyBytesMax: number;
  /** Maximum bytes of all uploads of a workspace together, from arrival until deletion. */
  readonly spoolBytesMax: number;
}
