/** JSON text in random chunks gives the same records as `JSON.parse` of the whole text. */
import fc from "fast-check";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { JsonSlicer, NdjsonSplitter } from "../../../src/imports/files/json_table.ts";
import { leastCostMs } from "../../processor_time.ts";
import { cutAt, faultOf } from "./cut_text.ts";

interface Taken {
  readonly line: number;
  readonly value: Record<string, unknown>;
}

type Splitter = JsonSlicer | NdjsonSplitter;

function readAll(pieces: Iterable<string>, open: (taken: Taken[]) => Splitter) {
  const taken: Taken[] = [];
  const splitter = open(taken);
  const fault = faultOf(splitter, pieces);
  return { taken, path: splitter.path, fault };
}

const slice = (pieces: Iterable<string>, list: string | null = null) =>
  readAll(pieces, (taken) => new JsonSlicer(list, (line, value) => taken.push({ line, value })));
const splitLines = (pieces: Iterable<string>) =>
  readAll(pieces, (taken) => new NdjsonSplitter((line, value) => taken.push({ line, value })));

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
