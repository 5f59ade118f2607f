/**
 * Makes broken and hostile files for tests of imports. They are small, so that a test can send all
 * of them to a real server.
 */
import { gzipSync } from "node:zlib";
import { XML_LIMITS } from "../../src/engine/xml/reader.ts";
import type { FindingCode } from "../../src/imports/files/source_file.ts";
import { TABLE_LIMITS } from "../../src/imports/files/table_row.ts";
import { join, zipSync } from "../zip.ts";
import { UPLOAD_LIMITS } from "./upload_reading.ts";
import { workbookOf, workbookOfSheet } from "./workbook.ts";

const MEBI = 2 ** 20;
const encoder = new TextEncoder();

export interface HostileFile {
  readonly what: string;
  readonly make: () => Uint8Array | string;
  readonly type?: string;
  /** Error code of a refused file; null if the file is accepted. */
  readonly refused: FindingCode | null;
  readonly told?: FindingCode;
  readonly products?: number;
  /** The exceeded limit; absent for a broken file of normal size. */
  readonly bound?: string;
}

export const HOSTILE_COST = { processorMs: 2_000, memoryMib: 200 } as const;

const number = new Intl.NumberFormat("en");
const characters = (count: number, of: string) => `${number.format(count)} characters ${of}`;
const BOUNDS = {
  ratio: `${UPLOAD_LIMITS.ratioMax} times the size of the file`,
  layer: "one layer of compression",
  files: `${UPLOAD_LIMITS.filesMax} files`,
  columns: `${number.format(TABLE_LIMITS.columns)} columns`,
  rows: `${number.format(TABLE_LIMITS.sheetRows)} rows per sheet`,
  cell: characters(TABLE_LIMITS.cellChars, "per cell"),
  row: characters(TABLE_LIMITS.rowChars, "per row or record"),
  depth: `${TABLE_LIMITS.jsonDepth} levels`,
  xmlDepth: `${XML_LIMITS.depthMax} levels`,
  xmlText: characters(XML_LIMITS.textCharsMax, "per text"),
} as const;

const HEAD = "Artikelnummer;Bezeichnung;VK brutto\n";
const TABLE = `${HEAD}A;Apfel;1,00\n`;

const row = (cells: string, number = 2) => `<row r="${number}">${cells}</row>`;
const text = (place: string, value: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADER = row(text("A1", "Artikelnummer") + text("B1", "Bezeichnung"), 1);
const sheet = (rows: string) => workbookOfSheet(`<sheetData>${HEADER}${rows}</sheetData>`);
const numbered = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join("");

/** Changes 40 bytes of a file in an archive, so that they contradict the archive's directory. */
function withDamage(bytes: Uint8Array, from: number): Uint8Array {
  const damaged = bytes.slice();
  for (let at = from; at < from + 40; at++) damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
  return damaged;
}

const WORKBOOK = workbookOf([
  ["Artikelnummer", "Bezeichnung"],
  ...Array.from({ length: 200 }, (_, n) => [`A-${n}`, `Gerät ${n * 7_919}`]),
]);

type Files = Readonly<Record<string, HostileFile["make"]>>;

const refused = (code: FindingCode, files: Files, bound?: string): HostileFile[] =>
  Object.entries(files).map(([what, make]) => ({ what, make, refused: code, bound }));
const accepted = (terms: Pick<HostileFile, "told" | "products">, files: Files): HostileFile[] =>
  Object.entries(files).map(([what, make]) => ({ what, make, refused: null, ...terms }));

const ARCHIVES: readonly HostileFile[] = [
  ...refused("too_large", {
    "a zip that unpacks to a thousand times its size": () =>
      zipSync([["a.csv", new Uint8Array(64 * MEBI).fill(0x61)]], "deflated"),
    "a workbook whose sheet unpacks to a thousand times its size": () =>
      workbookOfSheet(`<sheetData>${HEADER}${" ".repeat(64 * MEBI)}</sheetData>`),
    "a gzip that unpacks to a thousand times its size": () =>
      gzipSync(new Uint8Array(64 * MEBI).fill(0x61)),
  }, BOUNDS.ratio),
  ...refused("unknown_format", {
    "a gzip in a gzip": () => gzipSync(gzipSync(encoder.encode(TABLE))),
  }, BOUNDS.layer),
  ...refused("bad_zip", {
    "a zip in a zip": () => zipSync([["inner.zip", zipSync([["a.csv", TABLE]])]]),
  }, BOUNDS.layer),
  ...refused("too_large", {
    "a zip with more files than allowed": () =>
      zipSync(Array.from({ length: 201 }, (_, n) => [`${n}.csv`, HEAD] as const)),
  }, BOUNDS.files),
  ...accepted({ products: 1 }, {
    "a zip with a file named `../…`": () => zipSync([["../../etc/artikel.csv", TABLE]]),
  }),
  ...refused("bad_zip", {
    "a zip that contains a file name twice": () =>
      zipSync([["a.csv", TABLE], ["a.csv", `${HEAD}B;Birne;1,00\n`]]),
    "a truncated zip": () => WORKBOOK.subarray(0, WORKBOOK.length - 200),
    "a workbook whose bytes were damaged": () => withDamage(WORKBOOK, WORKBOOK.length - 1_600),
  }),
  ...refused("bad_gzip", {
    "a truncated gzip": () => gzipSync(HEAD).subarray(0, 30),
    "a gzip whose checksum is wrong": () =>
      withDamage(gzipSync(encoder.encode(HEAD + numbered(90, (n) => `${n};x;1\n`))), 60),
  }),
];

const WORKBOOK_RELATION = [
  "_rels/.rels",
  '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="w.xml"/></Relationships>',
] as const;
const SHEET_LIST = [
  "w.xml",
  '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
] as const;
const OUTSIDE = '<Relationship Id="r1" Type="x/worksheet" Target="../../etc/passwd"/>';
const APPLE = row(text("A2", "A") + text("B2", "Apfel"));
const APPLES = `<sheetData>${HEADER}${APPLE}</sheetData>`;

const WORKBOOKS: readonly HostileFile[] = [
  ...refused("too_large", {
    "a workbook with row number four billion": () =>
      sheet(row(text("A4000000000", "A"), 4_000_000_000)),
  }, BOUNDS.rows),
  ...refused("too_large", {
    "a workbook with a cell in the last possible column": () => sheet(row(text("XFD2", "A"))),
  }, BOUNDS.columns),
  ...refused("too_large", {
    "a workbook with a cell of 70,000 characters": () => sheet(row(text("A2", "x".repeat(70_000)))),
  }, BOUNDS.cell),
  ...refused("bad_workbook", {
    "a workbook whose cell refers to a missing shared text": () =>
      sheet(row('<c r="A2" t="s"><v>999999999999</v></c>')),
    "a workbook without the list of its sheets": () => zipSync([WORKBOOK_RELATION, SHEET_LIST]),
    "a workbook whose sheet is outside the archive": () =>
      zipSync([
        WORKBOOK_RELATION,
        SHEET_LIST,
        ["_rels/w.xml.rels", `<Relationships>${OUTSIDE}</Relationships>`],
      ]),
  }),
  ...refused("forbidden_doctype", {
    "a workbook with XML entities in its sheet": () =>
      zipSync([
        WORKBOOK_RELATION,
        ["w.xml", '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w>&b;</w>'],
      ]),
  }),
  ...refused("unknown_format", {
    "an old .xls workbook": () =>
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0),
  }),
  ...accepted({ products: 1 }, {
    "a workbook that declares billions of rows and has one": () =>
      workbookOfSheet(`<dimension ref="A1:XFD4294967295"/>${APPLES}`),
    "a workbook with formulas, read by their stored values": () =>
      sheet(
        row(
          '<c r="A2" t="str"><f>WEBSERVICE("http://127.0.0.1:1/")</f><v>A</v></c>' +
            '<c r="B2" t="str"><f>CMD|"/C calc"!A0</f><v>Apfel</v></c>',
        ),
      ),
    "a workbook with external links": () =>
      workbookOfSheet(
        APPLES,
        [["externalLink", "externalLinks/externalLink1.xml", "<externalLink/>"]],
      ),
    "a workbook with 200,000 cell formats": () => {
      const formats = numbered(200_000, (n) => `<xf numFmtId="${n}"/>`);
      const styles = `<styleSheet><cellXfs>${formats}</cellXfs></styleSheet>`;
      return workbookOfSheet(APPLES, [["styles", "styles.xml", styles]]);
    },
  }),
  ...accepted({ told: "damaged_number" }, {
    "a workbook with huge numbers": () =>
      sheet(row('<c r="A2"><v>1e400</v></c><c r="B2"><v>-1e-400</v></c>')),
  }),
];

const TEXTS: readonly HostileFile[] = [
  ...refused("empty_file", {
    "an empty file": () => "\n",
    "only a byte order mark": () => Uint8Array.of(0xef, 0xbb, 0xbf),
  }),
  ...refused("no_header", {
    "a letter instead of a table": () => "Sehr geehrte Damen und Herren,\nanbei.\n",
  }),
  ...refused("no_items", {
    "only a header": () => HEAD,
    "a header and then only delimiters": () => `${HEAD}${";;\n".repeat(MEBI)}`,
  }),
  ...refused("unknown_format", {
    "a text with bytes of value 0": () => `${HEAD}A;Ap\0fel;1,00\n`,
    "a picture": () => {
      const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13);
      return join([signature, encoder.encode("IHDR")]);
    },
    "a web page named .xls": () =>
      "<html><body><table><tr><td>Artikelnummer</td></tr></table></body></html>",
  }),
  ...refused("bad_zip", {
    "a zip signature before other bytes": () =>
      join([Uint8Array.of(0x50, 0x4b, 3, 4), encoder.encode(TABLE)]),
  }),
  ...refused("unclosed_quote", {
    "a quote that is never closed": () => `${HEAD}A;"${"x;\n".repeat(20_000)}`,
  }),
  ...refused("too_large", {
    "four megabytes without a closing quote": () => `${HEAD}A;"${"x;\n".repeat(1.5 * MEBI)}`,
  }, BOUNDS.row),
  ...refused("too_large", {
    "a CSV table of 1,001 columns": () =>
      `sku;title;${numbered(TABLE_LIMITS.columns - 1, (n) => `c${n};`)}\n`,
  }, BOUNDS.columns),
  ...refused("too_large", {
    "a CSV cell that is one character too long": () =>
      `${HEAD}A;${"x".repeat(TABLE_LIMITS.cellChars + 1)};1,00\n`,
  }, BOUNDS.cell),
  ...accepted({ told: "encoding_guessed" }, {
    "UTF-8 text that ends with other bytes": () => {
      const oil = numbered(700, (n) => `A${n};${"Öl ".repeat(40)}${n};1\n`);
      const start = encoder.encode(`${HEAD}A;Äpfel;1,00\n${oil}B;`);
      return join([start, Uint8Array.of(0xc4, 0x70, 0xff), encoder.encode(";2,00\n")]);
    },
  }),
  ...accepted({ products: 1 }, {
    "CSV cells with formulas": () => `${HEAD}A;"=HYPERLINK(""http://127.0.0.1:1"";""x"")";1,00\n`,
  }),
  ...accepted({ told: "ragged_row", products: 1 }, {
    "a truncated row": () => "sku;title;brand;category;price\nA;Apfel;x;y;1,00\nB\n",
  }),
  ...accepted({ told: "damaged_number", products: 1 }, {
    "EANs rounded by a spreadsheet": () => "sku;title;ean\nA;Apfel;4,01E+12\n",
  }),
];

const JSONS: readonly HostileFile[] = [
  ...refused("malformed_json", { "truncated JSON": () => '[{"sku":"A","title":"Apfel"}' }),
  ...refused("too_deep", {
    "endless opening brackets in JSON": () => "[".repeat(2 * MEBI),
    "endlessly nested objects in JSON": () =>
      `[{"sku":"A","x":${'{"a":'.repeat(400_000)}1${"}".repeat(400_000)}}]`,
    "endless brackets in a line of NDJSON": () =>
      `{"sku":"A","title":"a"}\n{"x":${"[".repeat(MEBI)}${"]".repeat(MEBI)}}\n`,
  }, BOUNDS.depth),
  ...refused("too_large", {
    "a text of five megabytes in JSON": () => `[{"sku":"A","title":"${"x".repeat(5 * MEBI)}"}]`,
    "a line of five megabytes in NDJSON": () =>
      `{"sku":"A","title":"a"}\n{"sku":"${"x".repeat(5 * MEBI)}"}\n`,
  }, BOUNDS.row),
  ...refused("too_large", {
    "two thousand columns in JSON": () =>
      `[{"sku":"A",${numbered(2_000, (n) => `"c${n}":1,`)}"title":"a"}]`,
  }, BOUNDS.columns),
  ...accepted({ products: 1 }, {
    "JSON keys with a special meaning in JavaScript": () =>
      '[{"sku":"A","title":"Apfel","__proto__":{"brand":"x"},"constructor":1,"toString":2}]',
  }),
  ...accepted({ told: "invalid_number", products: 1 }, {
    "huge numbers in JSON": () => '[{"sku":"A","title":"Apfel","price":1e999,"ean":1e13}]',
  }),
];

const XMLS: readonly HostileFile[] = [
  ...refused("forbidden_doctype", {
    "XML entities that multiply": () =>
      '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>' +
      "<ITEMS><ITEM><SKU>&b;</SKU></ITEM></ITEMS>",
  }),
  ...refused("too_deep", {
    "endlessly nested XML elements": () => "<a>".repeat(MEBI),
  }, BOUNDS.xmlDepth),
  ...refused("too_large", {
    "an XML text of two megabytes": () =>
      `<ITEMS><ITEM><SKU>${"x".repeat(2 * MEBI)}</SKU></ITEM></ITEMS>`,
    "an XML attribute of two megabytes": () => `<ITEMS a="${"x".repeat(2 * MEBI)}"/>`,
  }, BOUNDS.xmlText),
  ...refused("malformed_xml", {
    "truncated XML": () => "<ITEMS><ITEM><SKU>A</SKU>",
    "a CSV table sent as XML": () => TABLE,
  }),
];

export const HOSTILE_FILES: readonly HostileFile[] = [
  ...ARCHIVES,
  ...WORKBOOKS,
  ...TEXTS,
  ...JSONS,
  ...XMLS.map((one) => ({ ...one, type: "application/xml" })),
];
