/**
 * Blocks of the fields that filters compare (docs/decisions/keys.md). A block contains some
 * products of one shard. Its head lists the values of each field; its columns contain ids, times of
 * change, and one code per product and field.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { memoize } from "../../base/collections.ts";
import { idBytes } from "../../base/id.ts";
import { fold, utf8Bytes } from "../../base/text.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import type { Product } from "./product.ts";
import {
  type Dimension,
  type FieldFilter,
  FILTERED_NAMES,
  type FilteredName,
  PRODUCT_FIELDS,
} from "./product_field_table.ts";

type Match = FieldFilter["match"];

export function matchOf(name: FilteredName): Match {
  return PRODUCT_FIELDS[name].filter.match;
}

const INDEXED = FILTERED_NAMES.map((name) => ({ name, match: matchOf(name) }));

const foldName = memoize(fold, 64);

/** The form in which filters compare a value; null for no value. */
export function comparedValue(value: string | number | null, match: Match): string | null {
  if (match === "positive") return typeof value === "number" && value > 0 ? "true" : "false";
  if (value === null) return null;
  return match === "equals" ? String(value) : foldName(String(value));
}

/** Letters of the columns, in the order of the columns in a block. */
export const DIMENSIONS: readonly Dimension[] = FILTERED_NAMES.map((name) =>
  PRODUCT_FIELDS[name].filter.index
);

/** Values of fields whose `match` is `contains` are folded. */
export type FilterFields = readonly (string | null)[];

export function filterFieldsOf(product: Product): FilterFields {
  const fields: (string | null)[] = [];
  for (const { name, match } of INDEXED) fields.push(comparedValue(product[name], match));
  return fields;
}

/** Null if the product was deleted. */
export type FieldChange = { readonly updatedAtMs: number; readonly fields: FilterFields } | null;

/** Code 0 means no value; code n is the value at index n − 1. */
interface FieldColumn {
  readonly values: readonly string[];
  readonly codes: Uint16Array;
}

/** Rows are sorted by id. */
export interface FieldBlock {
  readonly count: number;
  /** 12 bytes each. */
  readonly ids: Uint8Array;
  readonly updatedAtMs: Float64Array;
  /** In the order of `DIMENSIONS`. */
  readonly columns: readonly FieldColumn[];
}

export const ID_BYTES = 12;
const FORMAT = 1;
/** Bytes for format, length of the head, and number of rows. */
const PREFIX_BYTES = 9;
const NUMBER_BYTES = 8;
const CODE_BYTES = 2;
const ROW_BYTES = ID_BYTES + NUMBER_BYTES + CODE_BYTES * DIMENSIONS.length;
const HEAD_BYTES = PREFIX_BYTES + 2 + 9 * DIMENSIONS.length;

export const EMPTY_BLOCK: FieldBlock = {
  count: 0,
  ids: new Uint8Array(),
  updatedAtMs: new Float64Array(),
  columns: DIMENSIONS.map(() => ({ values: [], codes: new Uint16Array() })),
};

function bytesOfValue(value: string): number {
  // 3 more bytes: two quotes and a comma. JSON escapes no character of the values.
  return utf8Bytes(value) + 3;
}

/** Upper bound of the bytes by which a product can make a block longer. */
export function bytesOfFields(fields: FilterFields): number {
  return fields.reduce((sum, value) => sum + (value === null ? 0 : bytesOfValue(value)), ROW_BYTES);
}

export function sizeOfBlock({ count, columns }: FieldBlock): number {
  let bytes = HEAD_BYTES + count * ROW_BYTES;
  for (const { values } of columns) for (const value of values) bytes += bytesOfValue(value);
  return bytes;
}

/** -1 if the row's id is less than `other`, 0 if equal, 1 if greater. */
export function compareId(ids: Uint8Array, row: number, other: Uint8Array): -1 | 0 | 1 {
  for (let at = 0, from = row * ID_BYTES; at < ID_BYTES; at++) {
    const [one, two] = [ids[from + at] ?? 0, other[at] ?? -1];
    if (one !== two) return one < two ? -1 : 1;
  }
  return 0;
}

/** The first row at or after `from` whose id is not less than `id`. */
export function rowOf(ids: Uint8Array, id: Uint8Array, from = 0): number {
  let low = from;
  let high = ids.length / ID_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareId(ids, middle, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function hasRow(ids: Uint8Array, id: string): boolean {
  const bytes = idBytes(id);
  return compareId(ids, rowOf(ids, bytes), bytes) === 0;
}

/** `changes` must be sorted by id. Unused values may remain. */
export function changeBlock(
  block: FieldBlock,
  changes: readonly (readonly [id: string, change: FieldChange])[],
): FieldBlock {
  const rows = block.count + changes.length;
  const ids = new Uint8Array(rows * ID_BYTES);
  const updatedAtMs = new Float64Array(rows);
  const columns = block.columns.map(({ values, codes }) => ({
    values: [...values],
    codes: new Uint16Array(rows),
    old: codes,
    codeOf: new Map(values.map((value, at) => [value, at + 1])),
  }));
  let from = 0;
  let count = 0;
  const keep = (to: number) => {
    ids.set(block.ids.subarray(from * ID_BYTES, to * ID_BYTES), count * ID_BYTES);
    updatedAtMs.set(block.updatedAtMs.subarray(from, to), count);
    for (const { codes, old } of columns) codes.set(old.subarray(from, to), count);
    count += to - from;
    from = to;
  };
  for (const [id, change] of changes) {
    const bytes = idBytes(id);
    keep(rowOf(block.ids, bytes, from));
    if (from < block.count && compareId(block.ids, from, bytes) === 0) from++;
    if (change === null) continue;
    ids.set(bytes, count * ID_BYTES);
    updatedAtMs[count] = change.updatedAtMs;
    for (const [position, { codes, values, codeOf }] of columns.entries()) {
      const value = change.fields[position] ?? null;
      if (value === null) continue;
      const code = codeOf.get(value) ?? values.push(value);
      codeOf.set(value, code);
      codes[count] = code;
    }
    count++;
  }
  keep(block.count);
  return {
    count,
    ids: ids.subarray(0, count * ID_BYTES),
    updatedAtMs: updatedAtMs.subarray(0, count),
    columns: columns.map(({ values, codes }) => ({ values, codes: codes.subarray(0, count) })),
  };
}

/** True `isGrowingBehind` fills each part before the next; false makes parts of similar size. */
export function cutBlock(block: FieldBlock, isGrowingBehind: boolean): FieldBlock[] {
  const whole = takeRows(block, 0, block.count);
  const size = sizeOfBlock(whole);
  if (size <= PAGE_VALUE_BYTES || block.count === 1) return block.count === 0 ? [] : [whole];
  const part = size / Math.ceil(size / PAGE_VALUE_BYTES);
  // Parts may repeat values, so a part may become a little larger than its share.
  const bytesMax = isGrowingBehind ? PAGE_VALUE_BYTES : Math.min(PAGE_VALUE_BYTES, part * 1.1);
  const seen = whole.columns.map(({ values }) => new Uint32Array(values.length + 1));
  const cut: FieldBlock[] = [];
  let [from, bytes] = [0, HEAD_BYTES];
  const bytesOfRow = (row: number) => {
    let added = ROW_BYTES;
    for (const [position, { values, codes }] of whole.columns.entries()) {
      const code = codes[row] ?? 0;
      const places = seen[position];
      if (code === 0 || !places || places[code] === cut.length + 1) continue;
      places[code] = cut.length + 1;
      added += bytesOfValue(values[code - 1] ?? "");
    }
    return added;
  };
  for (let row = 0; row < whole.count; row++) {
    let added = bytesOfRow(row);
    if (row > from && bytes + added > bytesMax) {
      cut.push(takeRows(whole, from, row));
      [from, bytes] = [row, HEAD_BYTES];
      added = bytesOfRow(row);
    }
    bytes += added;
  }
  return [...cut, takeRows(whole, from, whole.count)];
}

function takeRows(block: FieldBlock, from: number, to: number): FieldBlock {
  return {
    count: to - from,
    ids: block.ids.slice(from * ID_BYTES, to * ID_BYTES),
    updatedAtMs: block.updatedAtMs.slice(from, to),
    columns: block.columns.map(({ values, codes }) => {
      const taken = new Uint16Array(values.length + 1);
      const kept: string[] = [];
      const next = codes.slice(from, to);
      for (let row = 0; row < next.length; row++) {
        const code = next[row] ?? 0;
        if (code === 0) continue;
        taken[code] ||= kept.push(values[code - 1] ?? "");
        next[row] = taken[code];
      }
      return { values: kept, codes: next };
    }),
  };
}

export function* rowsOfBlock(
  { count, ids, updatedAtMs, columns }: FieldBlock,
): Generator<readonly [id: string, change: NonNullable<FieldChange>]> {
  for (let row = 0; row < count; row++) {
    const id = ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES).toHex();
    const fields = columns.map(({ values, codes }) => values[(codes[row] ?? 0) - 1] ?? null);
    yield [id, { updatedAtMs: updatedAtMs[row] ?? 0, fields }];
  }
}

/** Numbers are little-endian. */
export function encodeBlock(
  { count, ids, updatedAtMs, columns }: FieldBlock,
): Uint8Array<ArrayBuffer> {
  const tables = columns.map(({ values }, position) => [DIMENSIONS[position], values]);
  const head = encoder.encode(JSON.stringify(tables));
  const bytes = new Uint8Array(PREFIX_BYTES + head.length + count * ROW_BYTES);
  const numbers = new DataView(bytes.buffer);
  numbers.setUint8(0, FORMAT);
  numbers.setUint32(1, head.length, true);
  numbers.setUint32(5, count, true);
  let at = PREFIX_BYTES;
  for (const part of [head, ids, updatedAtMs, ...columns.map(({ codes }) => codes)]) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

/** Dimensions not in the bytes have no values. Drops unknown ones. Throws for invalid bytes. */
export function decodeBlock(bytes: Uint8Array): FieldBlock {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREFIX_BYTES || numbers.getUint8(0) !== FORMAT) throw new BrokenBlock();
  const headBytes = numbers.getUint32(1, true);
  const count = numbers.getUint32(5, true);
  let at = PREFIX_BYTES + headBytes;
  const tables = readTables(bytes.subarray(PREFIX_BYTES, at));
  const rowBytes = ID_BYTES + NUMBER_BYTES + CODE_BYTES * tables.length;
  if (bytes.length !== at + count * rowBytes) throw new BrokenBlock();
  // Typed arrays need aligned bytes.
  const take = (length: number) => bytes.slice(at, at += length);
  const ids = take(count * ID_BYTES);
  const updatedAtMs = new Float64Array(take(count * NUMBER_BYTES).buffer);
  const columns = new Map<string, FieldColumn>();
  for (const [letter, values] of tables) {
    columns.set(letter, { values, codes: new Uint16Array(take(count * CODE_BYTES).buffer) });
  }
  const none: FieldColumn = { values: [], codes: new Uint16Array(count) };
  return { count, ids, updatedAtMs, columns: DIMENSIONS.map((one) => columns.get(one) ?? none) };
}

function readTables(head: Uint8Array): [string, string[]][] {
  const tables: unknown = JSON.parse(decoder.decode(head));
  if (!Array.isArray(tables) || !tables.every(isTable)) throw new BrokenBlock();
  return tables;
}

function isTable(table: unknown): table is [string, string[]] {
  return Array.isArray(table) && typeof table[0] === "string" && Array.isArray(table[1]);
}

class BrokenBlock extends Error {
  constructor() {
    super("The bytes of a block of fields are none: run check-store");
    this.name = "BrokenBlock";
  }
}
