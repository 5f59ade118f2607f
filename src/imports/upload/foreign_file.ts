/** Recognises files of other programs, such as PDF, and says what to send instead. */
import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import type { ArchiveFile } from "../files/archive.ts";
import { type FileBytes, type FileFault, headOf } from "../files/byte_source.ts";

const fault = (code: FileFault["code"], message: string): FileFault => ({
  code,
  line: null,
  message,
});

const workbook = (code: FileFault["code"], what: string) =>
  fault(code, `This is ${what}: save it as .xlsx or CSV and send it again`);

const OPENDOCUMENT = workbook("opendocument_file", "an OpenDocument file (.ods)");
const BINARY_WORKBOOK = workbook("binary_workbook", "a binary Excel workbook (.xlsb)");
const SPREADSHEETML = workbook(
  "spreadsheetml_file",
  "an XML spreadsheet of Excel 2003 (.xls or .xml)",
);
const WORD_DOCUMENT = fault(
  "word_document",
  "This is a Word document (.docx): copy its table into Excel and send it as .xlsx",
);
export const PDF_DOCUMENT = fault(
  "pdf_document",
  "This is a PDF: ask the sender for the table as .xlsx or CSV, or export it from the source " +
    "of the PDF",
);
const OPENTRANS = fault(
  "opentrans_document",
  "This is an openTRANS document, an order and not a catalogue: send the catalogue as BMEcat or CSV",
);

const OPENTRANS_NAMESPACE = /^https?:\/\/www\.opentrans\.org\//i;
const OPENTRANS_ROOT = new RegExp(
  "^(?:RFQ|QUOTATION|ORDER|ORDERCHANGE|ORDERRESPONSE|DISPATCHNOTIFICATION|" +
    "RECEIPTACKNOWLEDGEMENT|INVOICE|INVOICELIST|REMITTANCEADVICE)$",
);
const SPREADSHEETML_NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet";
const OFFICE_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0";

/** Returns null if the archive may be a workbook or may contain files for an import. */
export function foreignArchive(entries: readonly ArchiveFile[]): FileFault | null {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has("content.xml") && names.has("META-INF/manifest.xml")) return OPENDOCUMENT;
  if (names.has("xl/workbook.bin")) return BINARY_WORKBOOK;
  return names.has("word/document.xml") ? WORD_DOCUMENT : null;
}

export function foreignXml({ name, namespace }: RootElement): FileFault | null {
  // The first version of openTRANS has no namespace.
  const isOrder = namespace === null ? OPENTRANS_ROOT : OPENTRANS_NAMESPACE;
  if (isOrder.test(namespace ?? name)) return OPENTRANS;
  if (namespace === OFFICE_NAMESPACE) return OPENDOCUMENT;
  return namespace === SPREADSHEETML_NAMESPACE ? SPREADSHEETML : null;
}

export interface RootElement {
  readonly name: string;
  readonly namespace: string | null;
}

const BEGINNING =
  /^\s*<(?:!doctype\s+html|html|head|meta|title|style|body|div|center|table)(?=[\s>/])/i;
const XML_NAME = /\.xml$/i;

export const WEB_PAGE = fault(
  "unknown_format",
  "The file is a web page, although its name says table: save it as .xlsx or as CSV",
);

/** A name that ends with `.xml` is never a web page. */
export async function isWebPage(file: FileBytes, encoding: Encoding): Promise<boolean> {
  if (XML_NAME.test(file.name)) return false;
  const head = await headOf(file, 1_024);
  return BEGINNING.test(new ChunkDecoder(encoding).text(head));
}
