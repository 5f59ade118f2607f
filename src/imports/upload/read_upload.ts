/** Reads the files of an upload in order, unpacks archives, and yields the records as events. */
import { markedEncoding } from "../../base/bytes.ts";
import {
  type ArchiveFile,
  type ArchiveLimits,
  createUnpackedCounter,
  openArchive,
  type UnpackedCounter,
} from "../files/archive.ts";
import {
  type ByteSource,
  chunksOf,
  type FileBytes,
  FileError,
  fileFinding,
  fileWarning,
  type Finding,
  type FindingCode,
  findingOf,
  headOf,
  refuseForeignArchive,
} from "../files/source_file.ts";
import { openSheet, openWorkbook } from "../files/workbook.ts";
import {
  type FileEvent,
  type FileReading,
  readFile,
  type UploadEvent,
  type UploadRun,
  type UploadSetting,
} from "./read_xml_file.ts";
import { readTable, readTextTable } from "./read_table.ts";
import { isGtin } from "../../base/codes.ts";
import { listIndexRows } from "../../catalogue/products/index_row_store.ts";
import { numbersOf, parseProduct, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

type ContentKind = "xml" | "zip" | "gzip" | "ole2" | "pdf" | "empty" | "other";

const KIND_HEAD_BYTES = 1_024;

const ZIP_SIGNATURES: readonly number[] = [0x0403, 0x0605, 0x0807];

const PDF_SIGNATURE = [0x25, 0x50, 0x44, 0x46, 0x2d];
/** Bytes that may precede the content: blanks, and the zero bytes that UTF-16 adds. */
const BLANKS: readonly number[] = [0x20, 0x0a, 0x0d, 0x09, 0];
const OLE2_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

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

/** The file may have several gzip members (RFC 1952 §2.2). */
function gunzipped(
  file: FileBytes,
  packedBytes: number,
  { ratioMax }: Pick<ArchiveLimits, "ratioMax">,
  unpacked: UnpackedCounter,
): FileBytes {
  const name = file.name.replace(/\.gz(?:ip)?$/i, "");
  // Small files may unpack to 1 MiB, because blank cells compress very well.
  const bytesMax = Math.max(1_048_576, packedBytes * ratioMax);
  const count = unpacked({ name, bytesMax, ratioMax });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // Reading `inflated` also throws the errors of `pipeline`, so the callback is empty.
    const inflated = pipeline(Readable.from(file.chunks()), createGunzip(), () => {});
    try {
      yield* count(inflated);
    } catch (cause) {
      const isBroken = cause instanceof Error && "code" in cause && /^Z_/.test(String(cause.code));
      if (!isBroken) throw cause;
      throw new FileError("bad_gzip", `"${name}" is not a complete gzip file`, {}, { cause });
    }
  }
  return { name, charset: file.charset, chunks };
}

export interface UploadPart {
  readonly name: string;
  readonly charset: string | null;
  /** True if the Content-Type is XML; then the content must be XML, unless it is a ZIP archive. */
  readonly isXml: boolean;
  readonly source: ByteSource;
}

/** Reads the upload in chunks, so that even large files (except workbooks) need little memory. */
export async function* readUpload(
  parts: readonly UploadPart[],
  setting: UploadSetting,
): AsyncGenerator<UploadEvent> {
  const unpacked = createUnpackedCounter(setting.unpackedBytesMax);
  const run: UploadRun = { setting, unpacked, file: parts[0]?.name ?? "", files: 0, items: 0 };
  try {
    for (const part of parts) yield* readPart(part, run);
    run.file = parts[0]?.name ?? "";
    if (run.items === 0) throw new FileError("no_items", "The upload holds no item");
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    yield { kind: "refused", finding: fileFinding("error", run.file, error.fault) };
  }
}

async function* readPart(part: UploadPart, run: UploadRun): FileReading {
  const { name, charset, source } = part;
  const file = { name, charset, chunks: () => chunksOf(source) };
  run.file = name;
  const kind = contentKind(await headOf(file, KIND_HEAD_BYTES));
  if (kind === "zip") {
    const entries = await openArchive(source, run.setting, run.unpacked);
    return yield* readArchive(file, entries, run);
  }
  if (kind !== "gzip") return yield* readPlain(file, kind, run, mustBeXml(part));
  const inner = gunzipped(file, source.size, run.setting, run.unpacked);
  run.file = inner.name;
  const within = contentKind(await headOf(inner, KIND_HEAD_BYTES));
  yield* readPlain(inner, within, run, mustBeXml({ ...part, name: inner.name }));
}

function mustBeXml({ name, isXml }: UploadPart): boolean {
  return isXml || XML_NAME.test(name);
}

async function* readPlain(
  file: FileBytes,
  kind: ContentKind,
  run: UploadRun,
  isXmlOnly: boolean,
): FileReading {
  if (kind === "xml") yield* readFile(file, run);
  else if (isXmlOnly) throw notXml(kind);
  else if (kind === "other") yield* readTextTable(file, run);
  else throw new FileError(...NO_TABLES[kind]);
}

async function* readArchive(
  file: FileBytes,
  entries: readonly ArchiveFile[],
  run: UploadRun,
): FileReading {
  if (yield* readIfWorkbook(file, entries, run)) return;
  const kinds = new Map<ArchiveFile, ContentKind>();
  for (const entry of entries) {
    run.file = entry.name;
    kinds.set(entry, entry.isShadow ? "other" : contentKind(await headOf(entry, KIND_HEAD_BYTES)));
  }
  const isOfXml = [...kinds.values()].includes("xml") ||
    entries.some(({ name, isShadow }) => !isShadow && XML_NAME.test(name));
  for (const [entry, kind] of kinds) {
    run.file = entry.name;
    if (kind === "zip" && (isOfXml || !TABLE_NAME.test(entry.name))) throw innerArchive();
    if (isOfXml ? kind === "xml" : TABLE_NAME.test(entry.name) && !entry.isShadow) {
      yield* readEntry(entry, kind, run);
    } else if (!entry.isShadow && XML_NAME.test(entry.name)) throw notXml(kind);
    else yield passedOver(entry.name, isOfXml);
  }
}

const XML_NAME = /\.xml$/i;
const TABLE_NAME = /\.(?:csv|tsv|txt|xlsx|json|ndjson|jsonl)$/i;

function passedOver(file: string, isOfXml: boolean) {
  return fileWarning(
    file,
    isOfXml
      ? { code: "malformed_xml", line: null, message: "Not XML: skipped" }
      : { code: "passed_over", line: null, message: "Not a table: skipped" },
  );
}

async function* readEntry(entry: ArchiveFile, kind: ContentKind, run: UploadRun): FileReading {
  if (kind !== "zip") return yield* readPlain(entry, kind, run, kind === "xml");
  const bytes = await headOf(entry, INNER_BYTES_MAX + 1);
  if (bytes.length > INNER_BYTES_MAX) {
    const message = `A workbook within an archive has at most ${INNER_BYTES_MAX} bytes`;
    throw new FileError("too_large", message);
  }
  const source = {
    size: bytes.length,
    read: (from: number, length: number) => Promise.resolve(bytes.subarray(from, from + length)),
  };
  const inner = await openArchive(source, run.setting, run.unpacked);
  if (!(yield* readIfWorkbook(entry, inner, run))) throw innerArchive();
}

const INNER_BYTES_MAX = 32 * 1_048_576;

function innerArchive(): FileError {
  return new FileError("bad_zip", "An archive within the archive is not opened");
}

async function* readIfWorkbook(
  file: FileBytes,
  entries: readonly ArchiveFile[],
  run: UploadRun,
): AsyncGenerator<FileEvent, boolean> {
  refuseForeignArchive(entries);
  const workbook = await openWorkbook(entries, run.setting.xml);
  if (workbook === null) return false;
  yield* readTable(file, (plan) => openSheet(workbook, plan), run);
  return true;
}

function notXml(kind: ContentKind): FileError {
  const message = kind === "empty" ? "The file is empty" : "The file is not XML";
  return new FileError("malformed_xml", message, { line: 1 });
}

const PACKED_TWICE = "Packed more than once: send it unpacked, or packed once";

type Refusal = readonly [code: FindingCode, message: string];

const NO_TABLES: Readonly<Record<Exclude<ContentKind, "xml" | "other">, Refusal>> = {
  pdf: [
    "pdf_document",
    "This is a PDF: ask the sender for the table as .xlsx or CSV, or export it from the source of " +
    "the PDF",
  ],
  empty: ["empty_file", "The file is empty"],
  ole2: ["unknown_format", "An old or a protected workbook: save it as .xlsx without a password"],
  zip: ["unknown_format", PACKED_TWICE],
  gzip: ["unknown_format", PACKED_TWICE],
};

export interface UploadLimits extends
  Pick<
    UploadSetting,
    "xml" | "itemsMax" | "filesMax" | "ratioMax" | "unpackedBytesMax"
  > {
  readonly bodyBytesMax: number;
  readonly spoolBytesMax: number;
}

const GTIN_14_DIGITS = 14;

export function createEanFinder(workspace: WorkspaceStore) {
  let idsByEan: ReadonlyMap<string, readonly string[]> | null = null;
  const sparedEans = new Set<string>();

  async function skusOf(eans: readonly string[]): Promise<Map<string, string[]>> {
    const ids = idsByEan ??= await idsByNumber(workspace);
    const asked = [...new Set(eans.flatMap((ean) => ids.get(comparedEan(ean)) ?? []))];
    const skus = new Map<string, string[]>();
    for (const { bytes } of await findDocuments(workspace, asked)) {
      const { sku, ean } = parseProduct(bytes);
      if (ean !== null) skus.getOrInsertComputed(comparedEan(ean), () => []).push(sku);
    }
    return skus;
  }

  return async (records: readonly EvaluatedRecord[], file: string) => {
    const eans = records.flatMap(({ byEan }) => byEan ?? []);
    if (eans.length === 0) return records;
    const skus = await skusOf(eans);
    return records.map((record) => {
      if (record.byEan === undefined) return record;
      const ean = comparedEan(record.byEan);
      const found = named(record, record.byEan, skus.get(ean) ?? [], file);
      if (!found.spared?.length) return found;
      // In the mode `replace`, one record per EAN suffices to keep the products with this EAN.
      if (sparedEans.has(ean)) return { ...found, spared: [] };
      sparedEans.add(ean);
      return found;
    });
  };
}

function comparedEan(ean: string): string {
  return ean.padStart(GTIN_14_DIGITS, "0");
}

async function idsByNumber(workspace: WorkspaceStore): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  const slice = new TimeSlice();
  for (const shard of SHARD_NUMBERS) {
    for await (const { indexRow } of listIndexRows(workspace, shard)) {
      if (indexRow.isDeleted) continue;
      for (const number of numbersOf(indexRow.text)) {
        if (!isGtin(number)) continue;
        ids.getOrInsertComputed(comparedEan(number), () => []).push(indexRow.id);
      }
    }
    await slice.yield();
  }
  return ids;
}

function named(
  { byEan: _key, ...record }: EvaluatedRecord,
  ean: string,
  skus: readonly string[],
  file: string,
): EvaluatedRecord {
  const { index, line, patch } = record;
  const [sku = null] = skus.length === 1 ? skus : [];
  const found = { ...record, sku, findings: record.findings.map((one) => ({ ...one, sku })) };
  if (patch === null) return { ...found, spared: skus };
  if (sku !== null) return { ...found, patch: { ...patch, sku, isFound: true } };
  const refused = (severity: Finding["severity"], code: FindingCode, message: string) => {
    const finding = findingOf(severity, code, message, { index, file, line, value: ean });
    return { ...found, patch: null, findings: [...found.findings, finding], spared: skus };
  };
  if (skus.length === 0) {
    const message = `No product has the EAN "${ean}": the row is skipped`;
    return { ...refused("warning", "unknown_ean", message), isPassedOver: true };
  }
  const message = `${skus.length} products have the EAN "${ean}": send the SKU instead`;
  return refused("error", "ambiguous_ean", message);
}
