import fc from "fast-check";
import {
  changeBlock,
  cutBlock,
  decodeBlock,
  DIMENSIONS,
  EMPTY_BLOCK,
  encodeBlock,
  type FieldBlock,
  type FieldChange,
  rowsOfBlock,
  sizeOfBlock,
} from "../../src/catalogue/products/field_block.ts";
import { PAGE_VALUE_BYTES } from "../../src/platform/store/value_bytes.ts";
import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";

type Rows = Map<string, NonNullable<FieldChange>>;

const idOf = (n: number) => (n * 7_919 % 100_003).toString(16).padStart(24, "0");
const text = fc.option(
  fc.oneof(
    fc.constantFrom("bosch", "kühl", '"\\', "\ud800", ""),
    fc.string({ unit: "grapheme", maxLength: 200 }),
  ),
  { nil: null },
);
const fields = fc.tuple(...DIMENSIONS.map(() => text));
const row = fc.record({ updatedAtMs: fc.nat(2 ** 45), fields }, { noNullPrototype: true });
const change = fc.tuple(fc.nat(120).map(idOf), fc.option(row, { nil: null, freq: 3 }));
const changes = fc.uniqueArray(change, { selector: ([id]) => id, maxLength: 60 })
  .map((list) => list.toSorted(([one], [other]) => one < other ? -1 : 1));

const sorted = (rows: Rows) => [...rows].sort(([one], [other]) => one < other ? -1 : 1);
const readBack = (block: FieldBlock) => decodeBlock(encodeBlock(block));

Deno.test("changeBlock() gives the same rows as a map, through any number of stores", () => {
  fc.assert(fc.property(fc.array(changes, { maxLength: 5 }), (steps) => {
    const oracle: Rows = new Map();
    let block = EMPTY_BLOCK;
    for (const step of steps) {
      for (const [id, one] of step) one === null ? oracle.delete(id) : oracle.set(id, one);
      block = readBack(changeBlock(block, step));
      assertEquals([...rowsOfBlock(block)], sorted(oracle));
    }
  }));
});

Deno.test("cutBlock() gives the same rows in blocks within the size limit", () => {
  fc.assert(fc.property(fc.array(changes, { maxLength: 4 }), fc.boolean(), (steps, isBehind) => {
    const whole = steps.reduce<FieldBlock>((block, step) => changeBlock(block, step), EMPTY_BLOCK);
    const parts = cutBlock(whole, isBehind);
    assertEquals(
      parts.flatMap((part) => [...rowsOfBlock(readBack(part))]),
      [...rowsOfBlock(whole)],
    );
    for (const part of parts) {
      ok(part.count > 0);
      ok(part.count === 1 || sizeOfBlock(part) <= PAGE_VALUE_BYTES, `${sizeOfBlock(part)}`);
      for (const { values, codes } of part.columns) {
        assertEquals(new Set(codes).size - (codes.includes(0) ? 1 : 0), values.length);
      }
    }
  }));
});

/** The values of a row by letter of their dimension; other dimensions have no value. */
const valuesOf = (letters: Readonly<Record<string, string>>) =>
  DIMENSIONS.map((letter) => letters[letter] ?? null);

const SAME = { t: "B2B", o: "new", s: "true" };

const many = (count: number) =>
  Array.from({ length: count }, (_, n): readonly [string, FieldChange] => [
    n.toString(16).padStart(24, "0"),
    { updatedAtMs: n, fields: valuesOf({ b: `brand ${n % 20}`, ...SAME }) },
  ]);

Deno.test("blocks are full where products are appended, and halved where they are inserted", () => {
  const block = changeBlock(EMPTY_BLOCK, many(136));
  const counts = (isBehind: boolean) => cutBlock(block, isBehind).map(({ count }) => count);
  const [first = 0, second = 0, ...others] = counts(true);
  assertEquals(others, []);
  ok(first > 4 * second, `${first} and ${second}`);
  const [left = 0, right = 0, ...more] = counts(false);
  assertEquals(more, []);
  ok(Math.abs(left - right) < 30, `${left} and ${right}`);
});

Deno.test("a product takes about 22 bytes in a block, and 2 for each dimension", () => {
  const bytes = cutBlock(changeBlock(EMPTY_BLOCK, many(10_000)), true)
    .reduce((sum, part) => sum + encodeBlock(part).length, 0);
  ok(bytes / 10_000 < 24 + 2 * DIMENSIONS.length, `${bytes / 10_000}`);
});

Deno.test("a block with other dimensions is readable: missing values are empty, unknown ones are dropped", () => {
  const rows = many(3);
  const encoder = new TextEncoder();
  const bytes = encodeBlock(changeBlock(EMPTY_BLOCK, rows));
  const head = bytes.subarray(9, 9 + new DataView(bytes.buffer).getUint32(1, true));
  const tables: [string, string[]][] = JSON.parse(new TextDecoder().decode(head));
  const renamed = tables.map(([letter, values]) => [letter === "b" ? "z" : letter, values]);
  const other = bytes.slice();
  other.set(encoder.encode(JSON.stringify(renamed)), 9);
  assertEquals(
    [...rowsOfBlock(decodeBlock(other))].map(([, { fields }]) => fields),
    rows.map(() => valuesOf(SAME)),
  );
});

Deno.test("decoding refuses bytes that are no block", () => {
  const bytes = encodeBlock(changeBlock(EMPTY_BLOCK, many(3)));
  for (const broken of [new Uint8Array(), bytes.slice(0, -1), new Uint8Array(50), bytes.slice(1)]) {
    throws(() => decodeBlock(broken));
  }
});
