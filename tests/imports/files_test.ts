/** Tests the readers of imported files: text tables, JSON, archives, and texts of workbooks. */
import fc from "fast-check";
import { FileError, type FileFault } from "../../src/imports/files/source_file.ts";
import { JsonSlicer, NdjsonSplitter } from "../../src/imports/files/json_table.ts";
import { TABLE_LIMITS } from "../../src/imports/files/table_row.ts";
import { leastCostMs } from "../processor_time.ts";
import { type Dialect, RowSplitter } from "../../src/imports/files/text_table.ts";
import { readUpload } from "../../src/imports/upload/read_upload.ts";
import { partOf, readWhole, SETTING } from "./upload_reading.ts";
import { SharedTexts } from "../../src/imports/files/workbook.ts";
import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";
import { configure, TextReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { zipSync } from "../zip.ts";

function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return at.slice(1).map((end, n) => text.slice(at[n], end));
}

function faultOf(
  splitter: { write(text: string): void; end(): void },
  pieces: Iterable<string>,
): FileFault | null {
  try {
    for (const piece of pieces) splitter.write(piece);
    splitter.end();
    return null;
  } catch (error) {
    if (error instanceof FileError) return error.fault;
    throw error;
  }
}

type Listener = ConstructorParameters<typeof NdjsonSplitter>[0];

function readAll(
  pieces: Iterable<string>,
  open: (listener: Listener) => JsonSlicer | NdjsonSplitter,
) {
  const taken: { line: number; value: unknown }[] = [];
  const splitter = open((line, value) => taken.push({ line, value }));
  const fault = faultOf(splitter, pieces);
  return { taken, path: splitter.path, fault };
}

const slice = (pieces: Iterable<string>, list: string | null = null) =>
  readAll(pieces, (listener) => new JsonSlicer(list, listener));
const splitLines = (pieces: Iterable<string>) =>
  readAll(pieces, (listener) => new NdjsonSplitter(listener));

const text = fc.string({
  unit: fc.constantFrom("a", '"', "\\", "{", "}", "[", "]", ",", ":", "\n", "ß"),
});
const inner = fc.record({ sku: text }, { noNullPrototype: true });
const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text), inner);
const key = fc.constantFrom("sku", "price", "a", "b");
const record = fc.dictionary(key, value, { minKeys: 1, noNullPrototype: true });
const cuts = fc.array(fc.nat(2_000), { maxLength: 12 });
const spaces = fc.constantFrom(0, 2);

Deno.test("JsonSlicer gives the same records of a list as JSON.parse, each with its line", () => {
  const lists = fc.array(record, { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(lists, spaces, cuts, (records, indent, cuts) => {
    const whole = { meta: { note: 'a "list": [{}]', pages: [1, 2] }, data: { items: records } };
    const written = JSON.stringify(whole, null, indent);
    const { taken, path, fault } = slice(cutAt(written, cuts));
    assertEquals([path, fault], ["data.items", null]);
    assertEquals(taken.map(({ value }) => value), records);
    const braces = written.split("\n").flatMap((line, n) => /^ {6}\{/.test(line) ? [n + 1] : []);
    assertEquals(taken.map(({ line }) => line), indent === 0 ? records.map(() => 1) : braces);
  }));
});

Deno.test("JsonSlicer finds the records of one list, although another is at the same depth", () => {
  const lists = { items: [{ sku: "A" }], others: [{ sku: "B" }], more: { x: [{}] } };
  const whole = JSON.stringify(lists);
  assertEquals(slice([whole]).taken.map(({ value }) => value), [{ sku: "A" }]);
  assertEquals(slice([whole], "others").taken.map(({ value }) => value), [{ sku: "B" }]);
});

Deno.test("JsonSlicer refuses malformed JSON around the records, as JSON.parse does", () => {
  const list = '[{"a":1}]';
  for (const wrong of [`{"items":${list}`, `{"items":${list}}}`, `{items:${list}}`, '[{"a":1},]']) {
    assertEquals(slice([wrong]).fault?.code, "malformed_json", wrong);
  }
});

Deno.test("NdjsonSplitter gives each line as JSON.parse does, however the text is chunked", () => {
  const lists = fc.array(record, { maxLength: 6 });
  const ends = fc.constantFrom("\n", "\r\n", "\n\n");
  fc.assert(fc.property(lists, ends, cuts, (records, end, cuts) => {
    const written = records.map((one) => JSON.stringify(one)).join(end);
    const { taken, fault } = splitLines(cutAt(written, cuts));
    assertEquals([fault, taken.map(({ value }) => value)], [null, records]);
    const lines = records.map((_, n) => n * end.split("\n").length - n + 1);
    assertEquals(taken.map(({ line }) => line), lines);
  }));
});

const MEBI = 1_048_576;
const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  ["brackets without end", "[".repeat(4 * MEBI)],
  ["objects without end", '{"a":'.repeat(MEBI)],
  ["a text without end", `[{"a":"${"x".repeat(5 * MEBI)}`],
  ["escaped quotes without end", `{"${'\\"'.repeat(3 * MEBI)}`],
  ["commas without end", `[${",".repeat(5 * MEBI)}`],
];

for (const [what, written] of HOSTILE) {
  Deno.test(`JSON of ${what} is refused at once`, () => {
    const pieces = cutAt(written, Array.from({ length: 300 }, (_, n) => n * 16_384));
    const ms = leastCostMs(() => ok(slice(pieces).fault && splitLines(pieces).fault));
    ok(ms < 2_000, `${ms} ms`);
  });
}

function readRows(pieces: Iterable<string>, delimiter: Dialect["delimiter"] = ";") {
  const rows: { line: number; cells: readonly (string | null)[] }[] = [];
  const splitter = new RowSplitter({ delimiter, quote: '"' }, ({ line, cells }) => {
    rows.push({ line, cells });
  });
  return { rows, fault: faultOf(splitter, pieces) };
}

const LINE_ENDS = ["\n", "\r\n", "\r"] as const;
const cell = fc.string({
  unit: fc.constantFrom("a", "ß", "1", ";", ",", "\t", '"', "\n", "\r\n", " ", "😀"),
  maxLength: 6,
});
const table = fc.record({
  rows: fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
  ends: fc.array(fc.constantFrom(...LINE_ENDS), { minLength: 8, maxLength: 8 }),
  alwaysQuoted: fc.boolean(),
  delimiter: fc.constantFrom(";", ",", "\t"),
});
const rowCuts = fc.array(fc.nat(400), { maxLength: 12 });

Deno.test("RowSplitter returns every cell as written, and the line where each row begins", () => {
  fc.assert(fc.property(table, rowCuts, ({ rows, ends, alwaysQuoted, delimiter }, rowCuts) => {
    let text = "";
    let line = 1;
    const expected = rows.map((cells, at) => {
      const written = cells.map((value) =>
        alwaysQuoted || /[";,\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
      ).join(delimiter);
      const begins = line;
      text += written + ends[at];
      line += [...written.matchAll(/\r\n|\r|\n/g)].length + 1;
      return { line: begins, cells };
    });
    assertEquals(readRows(cutAt(text, rowCuts), delimiter), { rows: expected, fault: null });
  }));
});

Deno.test("RowSplitter reads any text the same however it is chunked, even malformed tables", () => {
  const any = fc.string({
    unit: fc.constantFrom('"', '""', ";", "\n", "\r", "\r\n", "a", "\0"),
    maxLength: 40,
  });
  fc.assert(fc.property(any, rowCuts, (text, rowCuts) => {
    const whole = readRows([text]);
    const cut = readRows(cutAt(text, rowCuts));
    assertEquals(cut.fault?.code, whole.fault?.code);
    if (whole.fault === null) assertEquals(cut.rows, whole.rows);
  }));
});

const HOSTILE_TEXTS: readonly (readonly [what: string, text: string, code: string | null])[] = [
  ["quotes without end", '"'.repeat(4 * MEBI), "too_large"],
  ["an open quote and much text", `a;"${"x\n".repeat(2 * MEBI)}`, "too_large"],
  ["a million columns", ";".repeat(MEBI), "too_large"],
  ["a cell without end", "x".repeat(4 * MEBI), "too_large"],
  ["line ends alone", "\r\n".repeat(2 * MEBI), null],
  ["quotes that open and close", '"";'.repeat(300).concat("\n").repeat(4_000), null],
];

for (const [what, text, code] of HOSTILE_TEXTS) {
  Deno.test(`RowSplitter takes bounded time for ${what}`, () => {
    const pieces = cutAt(text, Array.from({ length: 200 }, (_, n) => n * 16_384));
    const ms = leastCostMs(() => assertEquals(readRows(pieces).fault?.code ?? null, code));
    ok(ms < 2_000, `${ms} ms`);
  });
}

Deno.test("RowSplitter accepts the maximum of columns and refuses one more", () => {
  const faultOf = (width: number) => readRows([`${"a;".repeat(width - 1)}a\n`]).fault?.code;
  assertEquals(faultOf(TABLE_LIMITS.columns), undefined);
  assertEquals(faultOf(TABLE_LIMITS.columns + 1), "too_large");
});

Deno.test("RowSplitter accepts the longest cell and refuses one more character, however the text is chunked", () => {
  for (const [more, code] of [[0, undefined], [1, "too_large"]] as const) {
    const text = `a;${"x".repeat(TABLE_LIMITS.cellChars + more)}\nb;c\n`;
    for (const pieces of [[text], cutAt(text, [5_000, 50_000, 65_000, 65_538])]) {
      assertEquals(readRows(pieces).fault?.code, code);
    }
  }
});

configure({ useWebWorkers: false });

const ITEM = "<ITEMS><ITEM><SKU>A</SKU><SALESPRICE><PRICE>1,00</PRICE></SALESPRICE></ITEM></ITEMS>";

const read = (bytes: Uint8Array, setting?: Parameters<typeof readWhole>[1]) =>
  readWhole([partOf("upload.zip", bytes)], setting);

/** Unlike `zipSync`, writes the checksum and sizes of each file after its data. */
async function zipStreamed(files: Readonly<Record<string, string>>, password?: string) {
  const writer = new ZipWriter(new Uint8ArrayWriter(), password ? { password } : {});
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text));
  return await writer.close();
}

Deno.test("an archive skips files other than XML with a warning that names them", async () => {
  const both = await zipStreamed({ "note.txt": "hello", "a.xml": ITEM });
  const { refused, warnings, records } = await read(both);
  assertEquals([refused, records.length], [null, 1]);
  assertEquals(warnings.map(({ file }) => file), ["note.txt"]);
});

Deno.test("an archive is refused for a malformed XML file, an inner archive, and a password", async () => {
  const good = ["a.xml", ITEM] as const;
  const cases = [
    [zipSync([good, ["b.xml", ""]]), "malformed_xml", "b.xml"],
    [zipSync([good, ["b.xml", zipSync([good])]]), "bad_zip", "b.xml"],
    [await zipStreamed({ "a.xml": ITEM }, "secret"), "bad_zip", "upload.zip"],
  ] as const;
  for (const [bytes, ...expected] of cases) {
    const { refused } = await read(bytes);
    assertEquals([refused?.code, refused?.file], expected);
  }
});

Deno.test("an archive stops at the compression ratio, the unpacked bytes and the number of files", async () => {
  const wide = ITEM.replace("<ITEM>", `${" ".repeat(300_000)}<ITEM>`);
  const packed = zipSync([["a.xml", wide]], "deflated");
  assertEquals((await read(packed, { ratioMax: 10_000 })).refused, null);
  assertEquals((await read(packed)).refused?.code, "too_large");
  const setting = { ratioMax: 10_000, unpackedBytesMax: 400_000 };
  assertEquals((await read(packed, setting)).refused, null, "bytes that are read twice count once");
  const two = zipSync([["a.xml", wide], ["b.xml", wide]], "deflated");
  assertEquals((await read(two, setting)).refused?.code, "too_large");
  assertEquals((await read(two, { ratioMax: 10_000, filesMax: 1 })).refused?.code, "too_large");
});

Deno.test("entries that share one stream are refused", async () => {
  const one = zipSync([["a.xml", ITEM]]);
  const view = new DataView(one.buffer, one.byteOffset, one.length);
  const end = one.length - 22;
  const directory = view.getUint32(end + 16, true);
  const record = one.slice(directory, end);
  const twin = record.slice();
  twin[46] = "b".charCodeAt(0);
  const tail = one.slice(end);
  const tailView = new DataView(tail.buffer);
  tailView.setUint16(8, 2, true);
  tailView.setUint16(10, 2, true);
  tailView.setUint32(12, record.length * 2, true);
  const both = new Uint8Array([...one.slice(0, directory), ...record, ...twin, ...tail]);
  assertEquals((await read(both)).refused?.code, "bad_zip");
});

Deno.test("an archive that is abandoned in the middle leaves nothing open", async () => {
  const many = "<ITEM><SKU>A</SKU></ITEM>".repeat(100_000);
  const bytes = zipSync([["a.xml", `<ITEMS>${many}</ITEMS>`]], "deflated");
  const events = readUpload([partOf("a.zip", bytes)], { ...SETTING, ratioMax: 10_000 });
  let records = 0;
  for await (const event of events) {
    if (event.kind === "records") records = event.records.length;
    if (records > 0) break;
  }
  ok(records > 0 && records < 100_000);
});

function add(texts: SharedTexts, text: string): void {
  texts.open("si");
  texts.open("t");
  texts.text(text);
  texts.close();
  texts.close();
}

Deno.test("SharedTexts holds at most its maximum of bytes", () => {
  const texts = new SharedTexts(1_000_000);
  throws(
    () => {
      for (let n = 0; n < 1_000; n++) add(texts, "ü".repeat(4_000));
    },
    { message: /^The cells of a workbook share at most/ },
  );
  ok(texts.count <= 126);
});

Deno.test("SharedTexts returns every text, wherever its byte chunks split it", () => {
  const texts = new SharedTexts();
  const textOf = (n: number) => `${n} ${"äx€😀".repeat((n * 7_919) % 4_001)}`;
  for (let n = 0; n < 700; n++) add(texts, textOf(n));
  // With this many texts, the list of their offsets must grow several times.
  for (let n = 0; n < 70_000; n++) add(texts, `${n}`);
  add(texts, "");
  assertEquals([texts.count, texts.at(70_700), texts.at(70_701)], [70_701, "", null]);
  for (let n = 0; n < 700; n++) assertEquals(texts.at(n), textOf(n));
  for (const n of [0, 64_835, 64_836, 69_999]) assertEquals(texts.at(700 + n), `${n}`);
});
