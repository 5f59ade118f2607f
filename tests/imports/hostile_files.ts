/**
 * What can be wrong with a file on purpose or by accident, each with what becomes of it: a stable
 * code, or what it is read as. Small, so that every one of them is tried against the real program.
 */
import { gzipSync } from "node:zlib";
import { XML_LIMITS } from "../../src/engine/xml/reader.ts";
import type { FindingCode } from "../../src/imports/files/finding.ts";
import { TABLE_LIMITS } from "../../src/imports/files/json_row.ts";
import { join, zipSync } from "../zip.ts";
import { UPLOAD_LIMITS } from "./upload_reading.ts";
import { workbookOf, workbookOfSheet } from "./workbook.ts";

const MEBI = 2 ** 20;
const encoder = new TextEncoder();

export interface HostileFile {
  readonly what: string;
  readonly make: () => Uint8Array | string;
  /** As it is sent; else as bytes that tell nothing. */
  readonly type?: string;
  /** Of the file that is refused; null for one that is read. */
  readonly refused: FindingCode | null;
  /** A finding that one that is read must have. */
  readonly told?: FindingCode;
  /** Products that one that is read makes. */
  readonly products?: number;
  /** What it goes beyond; absent where it is broken and not large. */
  readonly bound?: string;
}

/** What each of them may cost at most: of the processor, and beyond what the server held before. */
export const HOSTILE_COST = { processorMs: 2_000, memoryMib: 200 } as const;

const number = new Intl.NumberFormat("en");
const characters = (count: number, of: string) => `${number.format(count)} characters ${of}`;
const BOUNDS = {
  ratio: `${UPLOAD_LIMITS.ratioMax} times its size`,
  layer: "one layer",
  files: `${UPLOAD_LIMITS.filesMax} files`,
  columns: `${number.format(TABLE_LIMITS.columns)} columns`,
  rows: `${number.format(TABLE_LIMITS.sheetRows)} rows of a sheet`,
  cell: characters(TABLE_LIMITS.cellChars, "a cell"),
  row: characters(TABLE_LIMITS.rowChars, "a row or element"),
  depth: `depth ${TABLE_LIMITS.jsonDepth}`,
  xmlDepth: `depth ${XML_LIMITS.depthMax}`,
  xmlText: characters(XML_LIMITS.textCharsMax, "a text"),
} as const;

const HEAD = "Artikelnummer;Bezeichnung;VK brutto\n";
const XML = { type: "application/xml" } as const;

const row = (cells: string, number = 2) => `<row r="${number}">${cells}</row>`;
const text = (place: string, value: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADER = row(text("A1", "Artikelnummer") + text("B1", "Bezeichnung"), 1);
const sheet = (rows: string) => workbookOfSheet(`<sheetData>${HEADER}${rows}</sheetData>`);
const numbered = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join("");

/** The packed bytes of one entry are other ones than its directory knows. */
function withDamage(bytes: Uint8Array, from: number): Uint8Array {
  const damaged = bytes.slice();
  for (let at = from; at < from + 40; at++) damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
  return damaged;
}

const WORKBOOK = workbookOf([
  ["Artikelnummer", "Bezeichnung"],
  ...Array.from({ length: 200 }, (_, n) => [`A-${n}`, `Gerät ${n * 7_919}`]),
]);

const ARCHIVES: readonly HostileFile[] = [
  {
    what: "a zip that unpacks to a thousand times its size",
    bound: BOUNDS.ratio,
    make: () => zipSync([["a.csv", new Uint8Array(64 * MEBI).fill(0x61)]], "deflated"),
    refused: "too_large",
  },
  {
    what: "a workbook whose sheet unpacks to a thousand times its size",
    bound: BOUNDS.ratio,
    make: () => workbookOfSheet(`<sheetData>${HEADER}${" ".repeat(64 * MEBI)}</sheetData>`),
    refused: "too_large",
  },
  {
    what: "a gzip that unpacks to a thousand times its size",
    bound: BOUNDS.ratio,
    make: () => gzipSync(new Uint8Array(64 * MEBI).fill(0x61)),
    refused: "too_large",
  },
  {
    what: "a gzip in a gzip",
    bound: BOUNDS.layer,
    make: () => gzipSync(gzipSync(encoder.encode(`${HEAD}A;Apfel;1,00\n`))),
    refused: "unknown_format",
  },
  {
    what: "a zip in a zip",
    bound: BOUNDS.layer,
    make: () => zipSync([["inner.zip", zipSync([["a.csv", `${HEAD}A;Apfel;1,00\n`]])]]),
    refused: "bad_zip",
  },
  {
    what: "a zip of more files than may be",
    bound: BOUNDS.files,
    make: () => zipSync(Array.from({ length: 201 }, (_, n) => [`${n}.csv`, HEAD] as const)),
    refused: "too_large",
  },
  {
    what: "a zip that names one file twice",
    make: () => zipSync([["a.csv", `${HEAD}A;Apfel;1,00\n`], ["a.csv", `${HEAD}B;Birne;1,00\n`]]),
    refused: "bad_zip",
  },
  {
    what: "a zip whose file is named as a path upwards",
    make: () => zipSync([["../../etc/artikel.csv", `${HEAD}A;Apfel;1,00\n`]]),
    refused: null,
    products: 1,
  },
  {
    what: "a zip that breaks off",
    make: () => WORKBOOK.subarray(0, WORKBOOK.length - 200),
    refused: "bad_zip",
  },
  {
    what: "a workbook whose bytes were damaged",
    make: () => withDamage(WORKBOOK, WORKBOOK.length - 1_600),
    refused: "bad_zip",
  },
  {
    what: "a gzip that breaks off",
    make: () => gzipSync(HEAD).subarray(0, 30),
    refused: "bad_gzip",
  },
  {
    what: "a gzip whose checksum is wrong",
    make: () => withDamage(gzipSync(encoder.encode(HEAD + numbered(90, (n) => `${n};x;1\n`))), 60),
    refused: "bad_gzip",
  },
];

const WORKBOOKS: readonly HostileFile[] = [
  {
    what: "a workbook that names row four billion",
    bound: BOUNDS.rows,
    make: () => sheet(row(text("A4000000000", "A"), 4_000_000_000)),
    refused: "too_large",
  },
  {
    what: "a workbook that declares billions of rows and has one",
    make: () =>
      workbookOfSheet(
        `<dimension ref="A1:XFD4294967295"/><sheetData>${HEADER}${
          row(text("A2", "A") + text("B2", "Apfel"))
        }</sheetData>`,
      ),
    refused: null,
    products: 1,
  },
  {
    what: "a workbook with a cell in the last column of all",
    bound: BOUNDS.columns,
    make: () => sheet(row(text("XFD2", "A"))),
    refused: "too_large",
  },
  {
    what: "a workbook with a cell of 70,000 characters",
    bound: BOUNDS.cell,
    make: () => sheet(row(text("A2", "x".repeat(70_000)))),
    refused: "too_large",
  },
  {
    what: "a workbook whose cell names a text that is not there",
    make: () => sheet(row('<c r="A2" t="s"><v>999999999999</v></c>')),
    refused: "bad_workbook",
  },
  {
    what: "a workbook of formulas, read by what they came to",
    make: () =>
      sheet(
        row(
          '<c r="A2" t="str"><f>WEBSERVICE("http://127.0.0.1:1/")</f><v>A</v></c>' +
            '<c r="B2" t="str"><f>CMD|"/C calc"!A0</f><v>Apfel</v></c>',
        ),
      ),
    refused: null,
    products: 1,
  },
  {
    what: "a workbook with links that lead outside",
    make: () =>
      workbookOfSheet(
        `<sheetData>${HEADER}${row(text("A2", "A") + text("B2", "Apfel"))}</sheetData>`,
        [["externalLink", "externalLinks/externalLink1.xml", "<externalLink/>"]],
      ),
    refused: null,
    products: 1,
  },
  {
    what: "a workbook with entities in its sheet",
    make: () =>
      zipSync([
        [
          "_rels/.rels",
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="w.xml"/></Relationships>',
        ],
        ["w.xml", '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w>&b;</w>'],
      ]),
    refused: "forbidden_doctype",
  },
  {
    what: "a workbook that does not say where its sheets are",
    make: () =>
      zipSync([
        [
          "_rels/.rels",
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="w.xml"/></Relationships>',
        ],
        ["w.xml", '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'],
      ]),
    refused: "bad_workbook",
  },
  {
    what: "a workbook whose sheet lies outside of the archive",
    make: () =>
      zipSync([
        [
          "_rels/.rels",
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="w.xml"/></Relationships>',
        ],
        ["w.xml", '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'],
        [
          "_rels/w.xml.rels",
          '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="../../etc/passwd"/></Relationships>',
        ],
      ]),
    refused: "bad_workbook",
  },
  {
    what: "a workbook of 200,000 cell formats",
    make: () =>
      workbookOfSheet(
        `<sheetData>${HEADER}${row(text("A2", "A") + text("B2", "Apfel"))}</sheetData>`,
        [[
          "styles",
          "styles.xml",
          `<styleSheet><cellXfs>${
            numbered(200_000, (n) => `<xf numFmtId="${n}"/>`)
          }</cellXfs></styleSheet>`,
        ]],
      ),
    refused: null,
    products: 1,
  },
  {
    what: "a workbook of numbers beyond all bounds",
    make: () => sheet(row('<c r="A2"><v>1e400</v></c><c r="B2"><v>-1e-400</v></c>')),
    refused: null,
    told: "damaged_number",
  },
  {
    what: "a workbook of the old kind",
    make: () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0),
    refused: "unknown_format",
  },
];

const TEXTS: readonly HostileFile[] = [
  { what: "nothing", make: () => "\n", refused: "empty_file" },
  {
    what: "a mark of the byte order alone",
    make: () => Uint8Array.of(0xef, 0xbb, 0xbf),
    refused: "empty_file",
  },
  { what: "prose", make: () => "Sehr geehrte Damen und Herren,\nanbei.\n", refused: "no_header" },
  { what: "a header alone", make: () => HEAD, refused: "no_items" },
  {
    what: "zero bytes among the text",
    make: () => `${HEAD}A;Ap\0fel;1,00\n`,
    refused: "unknown_format",
  },
  {
    what: "a picture",
    make: () =>
      join([
        Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13),
        encoder.encode("IHDR"),
      ]),
    refused: "unknown_format",
  },
  {
    what: "the signature of a zip before something else",
    make: () => join([Uint8Array.of(0x50, 0x4b, 3, 4), encoder.encode(`${HEAD}A;Apfel;1,00\n`)]),
    refused: "bad_zip",
  },
  {
    what: "a web page that is named a workbook",
    make: () => "<html><body><table><tr><td>Artikelnummer</td></tr></table></body></html>",
    refused: "unknown_format",
  },
  {
    what: "UTF-8 with other bytes at its end",
    make: () =>
      join([
        encoder.encode(
          `${HEAD}A;Äpfel;1,00\n${numbered(700, (n) => `A${n};${"Öl ".repeat(40)}${n};1\n`)}`,
        ),
        encoder.encode("B;"),
        Uint8Array.of(0xc4, 0x70, 0xff),
        encoder.encode(";2,00\n"),
      ]),
    refused: null,
    told: "encoding_guessed",
  },
  {
    what: "a quote that never ends",
    make: () => `${HEAD}A;"${"x;\n".repeat(20_000)}`,
    refused: "unclosed_quote",
  },
  {
    what: "a quote that never ends in four megabytes",
    bound: BOUNDS.row,
    make: () => `${HEAD}A;"${"x;\n".repeat(1.5 * MEBI)}`,
    refused: "too_large",
  },
  {
    what: "a thousand and one columns",
    bound: BOUNDS.columns,
    make: () => `sku;title;${numbered(TABLE_LIMITS.columns - 1, (n) => `c${n};`)}\n`,
    refused: "too_large",
  },
  {
    what: "a cell beyond all bounds",
    bound: BOUNDS.cell,
    make: () => `${HEAD}A;${"x".repeat(TABLE_LIMITS.cellChars + 1)};1,00\n`,
    refused: "too_large",
  },
  {
    what: "delimiters alone",
    make: () => `${HEAD}${";;\n".repeat(MEBI)}`,
    refused: "no_items",
  },
  {
    what: "formulas in its cells",
    make: () => `${HEAD}A;"=HYPERLINK(""http://127.0.0.1:1"";""x"")";1,00\n`,
    refused: null,
    products: 1,
  },
  {
    what: "half a row",
    make: () => `sku;title;brand;category;price\nA;Apfel;x;y;1,00\nB\n`,
    refused: null,
    told: "ragged_row",
    products: 1,
  },
  {
    what: "EANs that a spreadsheet has rounded",
    make: () => "sku;title;ean\nA;Apfel;4,01E+12\n",
    refused: null,
    told: "damaged_number",
    products: 1,
  },
];

const JSONS: readonly HostileFile[] = [
  {
    what: "JSON that breaks off",
    make: () => '[{"sku":"A","title":"Apfel"}',
    refused: "malformed_json",
  },
  {
    what: "brackets without end",
    bound: BOUNDS.depth,
    make: () => "[".repeat(2 * MEBI),
    refused: "too_deep",
  },
  {
    what: "an object within an object without end",
    bound: BOUNDS.depth,
    make: () => `[{"sku":"A","x":${'{"a":'.repeat(400_000)}1${"}".repeat(400_000)}}]`,
    refused: "too_deep",
  },
  {
    what: "a text of five megabytes in JSON",
    bound: BOUNDS.row,
    make: () => `[{"sku":"A","title":"${"x".repeat(5 * MEBI)}"}]`,
    refused: "too_large",
  },
  {
    what: "a line of five megabytes in NDJSON",
    bound: BOUNDS.row,
    make: () => `{"sku":"A","title":"a"}\n{"sku":"${"x".repeat(5 * MEBI)}"}\n`,
    refused: "too_large",
  },
  {
    what: "names that mean something to programs",
    make: () =>
      '[{"sku":"A","title":"Apfel","__proto__":{"brand":"x"},"constructor":1,"toString":2}]',
    refused: null,
    products: 1,
  },
  {
    what: "numbers beyond all bounds in JSON",
    make: () => '[{"sku":"A","title":"Apfel","price":1e999,"ean":1e13}]',
    refused: null,
    told: "invalid_number",
    products: 1,
  },
  {
    what: "two thousand columns in JSON",
    bound: BOUNDS.columns,
    make: () => `[{"sku":"A",${numbered(2_000, (n) => `"c${n}":1,`)}"title":"a"}]`,
    refused: "too_large",
  },
];

const XMLS: readonly HostileFile[] = [
  {
    ...XML,
    what: "entities that multiply",
    make: () =>
      `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><ITEMS><ITEM><SKU>&b;</SKU></ITEM></ITEMS>`,
    refused: "forbidden_doctype",
  },
  {
    ...XML,
    what: "elements without end",
    bound: BOUNDS.xmlDepth,
    make: () => "<a>".repeat(MEBI),
    refused: "too_deep",
  },
  {
    ...XML,
    what: "a text of two megabytes",
    bound: BOUNDS.xmlText,
    make: () => `<ITEMS><ITEM><SKU>${"x".repeat(2 * MEBI)}</SKU></ITEM></ITEMS>`,
    refused: "too_large",
  },
  {
    ...XML,
    what: "XML that breaks off",
    make: () => "<ITEMS><ITEM><SKU>A</SKU>",
    refused: "malformed_xml",
  },
  {
    ...XML,
    what: "a table that is sent as XML",
    make: () => `${HEAD}A;Apfel;1,00\n`,
    refused: "malformed_xml",
  },
];

export const HOSTILE_FILES: readonly HostileFile[] = [
  ...ARCHIVES,
  ...WORKBOOKS,
  ...TEXTS,
  ...JSONS,
  ...XMLS,
];
