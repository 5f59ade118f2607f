/** Generated tables in random chunks give the generated cells. */
import fc from "fast-check";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { TABLE_LIMITS } from "../../../src/imports/files/json_table.ts";
import { type Dialect, RowSplitter } from "../../../src/imports/files/text_table.ts";
import { leastCostMs } from "../../processor_time.ts";
import { cutAt, faultOf } from "./cut_text.ts";

interface Read {
  readonly rows: readonly { readonly line: number; readonly cells: readonly (string | null)[] }[];
  readonly fault: { readonly code: string; readonly line: number | null } | null;
}

function read(pieces: Iterable<string>, delimiter: Dialect["delimiter"] = ";"): Read {
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
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

Deno.test("RowSplitter returns every cell as written, and the line where each row begins", () => {
  fc.assert(fc.property(table, cuts, ({ rows, ends, alwaysQuoted, delimiter }, cuts) => {
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
    assertEquals(read(cutAt(text, cuts), delimiter), { rows: expected, fault: null });
  }));
});

Deno.test("RowSplitter reads any text the same however it is chunked, even malformed tables", () => {
  const any = fc.string({
    unit: fc.constantFrom('"', '""', ";", "\n", "\r", "\r\n", "a", "\0"),
    maxLength: 40,
  });
  fc.assert(fc.property(any, cuts, (text, cuts) => {
    const whole = read([text]);
    const cut = read(cutAt(text, cuts));
    assertEquals(cut.fault?.code, whole.fault?.code);
    if (whole.fault === null) assertEquals(cut.rows, whole.rows);
  }));
});

const MEBI = 1_048_576;
const HOSTILE: readonly (readonly [what: string, text: string, code: string | null])[] = [
  ["quotes without end", '"'.repeat(4 * MEBI), "too_large"],
  ["an open quote and much text", `a;"${"x\n".repeat(2 * MEBI)}`, "too_large"],
  ["a million columns", ";".repeat(MEBI), "too_large"],
  ["a cell without end", "x".repeat(4 * MEBI), "too_large"],
  ["line ends alone", "\r\n".repeat(2 * MEBI), null],
  ["quotes that open and close", '"";'.repeat(300).concat("\n").repeat(4_000), null],
];

for (const [what, text, code] of HOSTILE) {
  Deno.test(`RowSplitter takes bounded time for ${what}`, () => {
    const pieces = cutAt(text, Array.from({ length: 200 }, (_, n) => n * 16_384));
    const ms = leastCostMs(() => assertEquals(read(pieces).fault?.code ?? null, code));
    ok(ms < 2_000, `${ms} ms`);
  });
}

Deno.test("RowSplitter accepts the maximum of columns and refuses one more", () => {
  const faultOf = (width: number) => read([`${"a;".repeat(width - 1)}a\n`]).fault?.code;
  assertEquals(faultOf(TABLE_LIMITS.columns), undefined);
  assertEquals(faultOf(TABLE_LIMITS.columns + 1), "too_large");
});

Deno.test("a cell above the maximum is refused however the text is chunked", () => {
  const text = `a;${"x".repeat(TABLE_LIMITS.cellChars + 1)}\nb;c\n`;
  for (const pieces of [[text], cutAt(text, [5_000, 50_000, 65_000, 65_538])]) {
    assertEquals(read(pieces).fault?.code, "too_large");
  }
});
