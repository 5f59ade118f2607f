/**
 * Reads a file of an upload in chunks, and reports its faults. A finding is an error or warning
 * about a record or a file. Programs read the codes of findings, so a code must never change. A
 * `FileError` refuses the whole upload.
 */
import { termsDe } from "../../engine/wording/terms.ts";
import {
  ChunkDecoder,
  type Encoding,
  knownEncoding,
  markedEncoding,
  StrictCheck,
} from "../../base/bytes.ts";
import type { XmlReader } from "../../engine/xml/reader.ts";
import { z } from "@hono/zod-openapi";

export type FindingCode = keyof typeof termsDe.findings;

const isFindingCode = (code: string): code is FindingCode => Object.hasOwn(termsDe.findings, code);
export const FINDING_CODES = Object.keys(termsDe.findings).filter(isFindingCode);

export const Finding = z.strictObject({
  severity: z.enum(["error", "warning"]),
  /** Index of the record in the import, from 0; null for a finding about a file. */
  index: z.int().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  sku: z.string().nullable(),
  field: z.string().nullable(),
  code: z.enum(FINDING_CODES),
  message: z.string(),
  value: z.string().nullable(),
}).meta({ id: "ImportFinding" });
export type Finding = z.infer<typeof Finding>;

const VALUE_CHARS_MAX = 200;

export function findingOf(
  severity: Finding["severity"],
  code: FindingCode,
  message: string,
  place: Partial<Omit<Finding, "severity" | "code" | "message">>,
): Finding {
  const { index = null, file = null, line = null, sku = null, field = null, value = null } = place;
  const shown = value === null ? null : shortened(value);
  return { severity, index, file, line, sku, field, code, message, value: shown };
}

export function fileFinding(
  severity: Finding["severity"],
  file: string | null,
  { code, message, ...place }: FileFault,
): Finding {
  return findingOf(severity, code, message, { file, ...place });
}

interface FileWarning {
  readonly kind: "warning";
  readonly finding: Finding;
}

export function fileWarning(file: string, fault: FileFault): FileWarning {
  return { kind: "warning", finding: fileFinding("warning", file, fault) };
}

export function shortened(value: string): string {
  return value.length <= VALUE_CHARS_MAX ? value : `${value.slice(0, VALUE_CHARS_MAX)}…`;
}

export const ReadPlan = z.strictObject({
  delimiter: z.enum([";", "\t", ",", "|"]).nullable().default(null)
    .describe("Delimiter of the cells of a text table"),
  quote: z.enum(['"', "'"]).nullable().default(null)
    .describe("Quote character around cells"),
  encoding: z.string().max(40).nullable().default(null).meta({
    description: "Name of the encoding in the WHATWG Encoding Standard",
    examples: ["windows-1252"],
  }),
  headerRow: z.int().min(1).max(1_000).nullable().default(null)
    .describe("Line number of the row that names the columns"),
  sheet: z.string().max(200).nullable().default(null)
    .describe("Workbook: name of the sheet; else the first visible one"),
  list: z.string().max(500).nullable().default(null)
    .meta({
      description: "JSON: path of the list of records, as keys with dots between them",
      examples: ["data.items"],
    }),
  each: z.string().max(200).nullable().default(null)
    .describe("JSON: key of a list inside each record; each member becomes a row"),
});
export type ReadPlan = z.infer<typeof ReadPlan>;

const DECODED_BYTES_PER_STEP = 16_384;

export async function* textSteps(file: FileBytes, encoding: Encoding) {
  const decoder = new ChunkDecoder(encoding);
  for await (const whole of file.chunks()) {
    for (let at = 0; at < whole.length; at += DECODED_BYTES_PER_STEP) {
      const chunk = whole.subarray(at, at + DECODED_BYTES_PER_STEP);
      yield { text: decoder.text(chunk), chunk };
    }
  }
  yield { text: decoder.text(null), chunk: null };
}

export async function* parseChunks(
  file: FileBytes,
  encoding: Encoding,
  reader: XmlReader,
): AsyncGenerator<Uint8Array> {
  for await (const { text, chunk } of textSteps(file, encoding)) {
    const fault = reader.write(text) ?? (chunk === null ? reader.end() : null);
    if (fault) throw new FileError(fault.code, fault.message, { line: fault.line });
    if (chunk !== null) yield chunk;
  }
}

export interface ByteSource {
  readonly size: number;
  /** Returns fewer than `length` bytes only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export interface FileBytes {
  readonly name: string;
  readonly charset: string | null;
  chunks(): AsyncIterable<Uint8Array>;
}

export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < source.size;) {
    const chunk = await source.read(offset, Math.min(262_144, source.size - offset));
    if (chunk.length === 0) throw new Error(`The source ends at ${offset} of ${source.size} bytes`);
    offset += chunk.length;
    yield chunk;
  }
}

export async function headOf(file: FileBytes, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of file.chunks()) {
    const part = chunk.subarray(0, length - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return head.subarray(0, filled);
}

export interface FileFault {
  readonly code: FindingCode;
  readonly line: number | null;
  readonly message: string;
  readonly value?: string;
  readonly field?: string;
}

export class FileError extends Error {
  readonly fault: FileFault;

  constructor(
    code: FindingCode,
    message: string,
    { line = null, ...place }: Partial<Omit<FileFault, "code" | "message">> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "FileError";
    this.fault = { code, message, line, ...place };
  }
}

export interface Progress {
  readonly kind: "progress";
  readonly bytes: number;
}

export type ReadEvent = Progress | FileWarning;

export function encodingGuessed({ name }: FileBytes, message: string): FileWarning {
  return fileWarning(name, { code: "encoding_guessed", line: null, message });
}

const OPENDOCUMENT = workbook("opendocument_file", "an OpenDocument file (.ods)");
const BINARY_WORKBOOK = workbook("binary_workbook", "a binary Excel workbook (.xlsb)");
const SPREADSHEETML = workbook(
  "spreadsheetml_file",
  "an XML spreadsheet of Excel 2003 (.xls or .xml)",
);
const WORD_DOCUMENT: Foreign = [
  "word_document",
  "This is a Word document (.docx): copy its table into Excel and send it as .xlsx",
];
const OPENTRANS: Foreign = [
  "opentrans_document",
  "This is an openTRANS document, an order and not a catalogue: send the catalogue as BMEcat or CSV",
];

function workbook(code: FindingCode, what: string): Foreign {
  return [code, `This is ${what}: save it as .xlsx or CSV and send it again`];
}

type Foreign = readonly [code: FindingCode, message: string];

const OPENTRANS_NAMESPACE = /^https?:\/\/www\.opentrans\.org\//i;
const OPENTRANS_ROOT = new RegExp(
  "^(?:RFQ|QUOTATION|ORDER|ORDERCHANGE|ORDERRESPONSE|DISPATCHNOTIFICATION|" +
    "RECEIPTACKNOWLEDGEMENT|INVOICE|INVOICELIST|REMITTANCEADVICE)$",
);
const SPREADSHEETML_NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet";
const OFFICE_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0";

export function refuseForeignArchive(entries: readonly Pick<FileBytes, "name">[]): void {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has("content.xml") && names.has("META-INF/manifest.xml")) refuse(OPENDOCUMENT);
  if (names.has("xl/workbook.bin")) refuse(BINARY_WORKBOOK);
  if (names.has("word/document.xml")) refuse(WORD_DOCUMENT);
}

export function refuseForeignXml({ name, namespace }: RootElement): void {
  // Files of the first openTRANS version have no namespace.
  const isOrder = namespace === null ? OPENTRANS_ROOT : OPENTRANS_NAMESPACE;
  if (isOrder.test(namespace ?? name)) refuse(OPENTRANS);
  if (namespace === OFFICE_NAMESPACE) refuse(OPENDOCUMENT);
  if (namespace === SPREADSHEETML_NAMESPACE) refuse(SPREADSHEETML);
}

function refuse([code, message]: Foreign): never {
  throw new FileError(code, message);
}

export interface RootElement {
  readonly name: string;
  readonly namespace: string | null;
}

const BEGINNING =
  /^\s*<(?:!doctype\s+html|html|head|meta|title|style|body|div|center|table)(?=[\s>/])/i;
const XML_NAME = /\.xml$/i;

export function webPageError(): FileError {
  const message =
    "The file is a web page, although its name says table: save it as .xlsx or as CSV";
  return new FileError("unknown_format", message);
}

export async function isWebPage(file: FileBytes, encoding: Encoding): Promise<boolean> {
  if (XML_NAME.test(file.name)) return false;
  const head = await headOf(file, 1_024);
  return BEGINNING.test(new ChunkDecoder(encoding).text(head));
}

const UTF16_ZERO_SHARE_MIN = 0.3;
const UTF16_OTHER_ZERO_SHARE_MAX = 0.05;
const EURO_OF_LATIN9 = 0xa4;

/** Uses the byte order mark, else `charset`, else a guess. An unknown `charset` is an error. */
export async function* tableEncoding(file: FileBytes): AsyncGenerator<Progress, Encoding> {
  const head = await headOf(file, 65_536);
  const marked = markedEncoding(head);
  if (marked) return marked;
  const declared = file.charset?.trim();
  if (declared) {
    const known = knownEncoding(declared, null);
    if (known) return known;
    throw unknownEncoding(declared);
  }
  const zeros = zerosOf(head);
  if (zeros === "other") throw new FileError("unknown_format", "The file is not a text file");
  if (zeros !== null) return known(zeros, `Every other byte is zero: read as ${zeros}`);
  return yield* eightBit(file);
}

export function unknownEncoding(value: string): FileError {
  const message = `The encoding "${value.slice(0, 80)}" is not known`;
  return new FileError("unknown_encoding", message, { line: 1, value });
}

function zerosOf(head: Uint8Array): "utf-16le" | "utf-16be" | "other" | null {
  const shareOf = (parity: number) =>
    2 * head.filter((byte, at) => byte === 0 && at % 2 === parity).length / head.length;
  const [even, odd] = head.includes(0) ? [shareOf(0), shareOf(1)] : [0, 0];
  if (even === 0 && odd === 0) return null;
  if (odd > UTF16_ZERO_SHARE_MIN && even < UTF16_OTHER_ZERO_SHARE_MAX) return "utf-16le";
  return even > UTF16_ZERO_SHARE_MIN && odd < UTF16_OTHER_ZERO_SHARE_MAX ? "utf-16be" : "other";
}

async function* eightBit(file: FileBytes): AsyncGenerator<Progress, Encoding> {
  const check = new StrictCheck(known("utf-8", null));
  let isUtf8 = true;
  let hasEuro = false;
  let hasWindowsOnly = false;
  for await (const chunk of file.chunks()) {
    if (isUtf8 && !check.accepts(chunk)) isUtf8 = false;
    hasEuro ||= chunk.includes(EURO_OF_LATIN9);
    hasWindowsOnly ||= chunk.some((byte) => byte >= 0x80 && byte <= 0x9f);
    yield { kind: "progress", bytes: chunk.length };
  }
  if (isUtf8 && check.accepts(null)) return known("utf-8", null);
  const label = hasEuro && !hasWindowsOnly ? "iso-8859-15" : "windows-1252";
  return known(label, `The file is not UTF-8 throughout: read as ${label}`);
}

export function known(label: string, guess: string | null): Encoding {
  const encoding = knownEncoding(label, guess);
  if (!encoding) throw new Error(`The decoder does not know ${label}`);
  return encoding;
}
