/** Files of other programs that people take for tables: what each is called, and the way out. */
import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import { type XmlFault, type XmlLimits, XmlReader } from "../../engine/xml/reader.ts";
import type { ArchiveFile } from "../files/archive.ts";
import type { FileBytes, FileFault } from "../files/byte_source.ts";
import type { ImportProfile } from "../profiles/profile.ts";
import { comparedName } from "../profiles/profile_path.ts";

const fault = (code: FileFault["code"], message: string): FileFault => ({
  code,
  line: null,
  message,
});

const OPENDOCUMENT = fault(
  "opendocument_file",
  "This is an OpenDocument file (.ods): save it as .xlsx or CSV and send it again",
);
const BINARY_WORKBOOK = fault(
  "binary_workbook",
  "This is a binary Excel workbook (.xlsb): save it as .xlsx or CSV and send it again",
);
const WORD_DOCUMENT = fault(
  "word_document",
  "This is a Word document (.docx): copy its table into Excel and send it as .xlsx",
);
const SPREADSHEETML = fault(
  "spreadsheetml_file",
  "This is an XML spreadsheet of Excel 2003 (.xls or .xml): save it as .xlsx or CSV and send it again",
);
export const PDF_DOCUMENT = fault(
  "pdf_document",
  "This is a PDF: ask who sent it for the table as .xlsx or CSV, or export it where the PDF is from",
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

/** Null for an archive that may be a workbook, or hold files. */
export function foreignArchive(entries: readonly ArchiveFile[]): FileFault | null {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has("content.xml") && names.has("META-INF/manifest.xml")) return OPENDOCUMENT;
  if (names.has("xl/workbook.bin")) return BINARY_WORKBOOK;
  return names.has("word/document.xml") ? WORD_DOCUMENT : null;
}

/** The same for what is written as XML, by its outermost element. */
export function foreignXml({ name, namespace }: RootElement): FileFault | null {
  // Its first version has no namespace.
  const isOrder = namespace === null ? OPENTRANS_ROOT : OPENTRANS_NAMESPACE;
  if (isOrder.test(namespace ?? name)) return OPENTRANS;
  if (namespace === OFFICE_NAMESPACE) return OPENDOCUMENT;
  return namespace === SPREADSHEETML_NAMESPACE ? SPREADSHEETML : null;
}

/** The outermost element, by which a profile is picked. */
interface RootElement {
  readonly name: string;
  readonly namespace: string | null;
}

/** Reads on to the root element and no further. */
export async function rootElement(
  file: FileBytes,
  encoding: Encoding,
  limits: XmlLimits,
): Promise<RootElement | XmlFault> {
  let root: RootElement | null = null;
  const reader = new XmlReader({
    open(name, attributes) {
      root ??= { name, namespace: namespaceOf(name, attributes) };
    },
    text() {},
    close() {},
  }, limits);
  const found = (): RootElement | null => root;
  const decoder = new ChunkDecoder(encoding);
  for await (const chunk of file.chunks()) {
    const fault = reader.write(decoder.text(chunk));
    // Faults behind the root are reported later, when they are reached.
    const early = found();
    if (early) return early;
    if (fault) return fault;
  }
  const fault = reader.write(decoder.text(null)) ?? reader.end();
  return found() ?? fault ??
    { code: "malformed_xml", line: 1, message: "There is no root element" };
}

/** The first of `profiles` whose root this is; one that names a root goes before one that takes any. */
export function pickProfile(
  { name, namespace }: RootElement,
  profiles: readonly ImportProfile[],
): ImportProfile | null {
  const fits = profiles.filter(({ detect }) =>
    isRootOf(name, detect) &&
    (detect.namespace === null || detect.namespace === namespace)
  );
  return fits.find(({ detect }) => detect.root !== "*") ?? fits[0] ?? null;
}

/** Whether files of this profile may have such a root. */
export function isRootOf(name: string, detect: ImportProfile["detect"]): boolean {
  const wanted = comparedName(name);
  return detect.root === "*" ||
    detect.root.split("|").some((root) => comparedName(root) === wanted);
}

function namespaceOf(name: string, attributes: Readonly<Record<string, string>>): string | null {
  const colon = name.indexOf(":");
  const declaration = colon === -1 ? "xmlns" : `xmlns:${name.slice(0, colon)}`;
  return attributes[declaration] || null;
}
