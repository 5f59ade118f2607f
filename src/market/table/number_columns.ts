/** The columns of numbers of a market table, and their word lists. */
import { fromKeys } from "../../base/collections.ts";
import { type ByteReader, type ByteWriter, longer } from "./packed_bytes.ts";

/** NaN means a missing value. Times are in milliseconds, and percentages have 2 decimals. */
export const FLOATS = [
  "ourCents",
  "comparedCents",
  "cheapestCents",
  "cheapestAtMs",
  "gapCents",
  "gapPct",
  "roomPct",
  "medianCents",
  "averageCents",
  "indexPct",
  "newestAtMs",
  "marginPct",
  "changesAtMs",
  "changedAtMs",
  "updatedAtMs",
] as const;
export type FloatColumn = (typeof FLOATS)[number];
/** `state` is 0 for an empty row; `rank` is 0 if there is no rank. */
export const BYTES = ["state", "links", "offers", "cheapestCount", "rank", "traits"] as const;
export type ByteColumn = (typeof BYTES)[number];

/** Columns of word ids, each with a word list of the same name. */
export const LISTS = ["competitor", "rule", "brand", "category", "tier", "currency"] as const;
export type ListColumn = (typeof LISTS)[number];

const COLUMN_BYTES = FLOATS.length * 8 + LISTS.length * 4 + BYTES.length;
const GROWTH = 1.25;

/** When the columns grow, their arrays are replaced. */
export class NumberColumns {
  static readonly rowBytes = COLUMN_BYTES;

  readonly floats: Record<FloatColumn, Float64Array<ArrayBuffer>>;
  readonly bytes: Record<ByteColumn, Uint8Array<ArrayBuffer>>;
  readonly words: Record<ListColumn, Uint32Array<ArrayBuffer>>;
  capacity: number;

  constructor(expected: number) {
    this.capacity = Math.max(64, expected);
    this.floats = fromKeys(FLOATS, () => new Float64Array(this.capacity).fill(NaN));
    this.bytes = fromKeys(BYTES, () => new Uint8Array(this.capacity));
    this.words = fromKeys(LISTS, () => new Uint32Array(this.capacity));
  }

  get memoryBytes(): number {
    return this.capacity * COLUMN_BYTES;
  }

  growTo(rows: number): void {
    const size = Math.ceil(rows * GROWTH);
    for (const name of FLOATS) {
      this.floats[name] = longer(this.floats[name], new Float64Array(size).fill(NaN));
    }
    for (const name of BYTES) this.bytes[name] = longer(this.bytes[name], new Uint8Array(size));
    for (const name of LISTS) this.words[name] = longer(this.words[name], new Uint32Array(size));
    this.capacity = size;
  }

  clear(row: number): void {
    for (const name of FLOATS) this.floats[name][row] = NaN;
    for (const name of BYTES) this.bytes[name][row] = 0;
    for (const name of LISTS) this.words[name][row] = 0;
  }

  pack(writer: ByteWriter, from: number, until: number): void {
    for (const column of this.#inOrder()) writer.put(column.subarray(from, until));
  }

  unpack(reader: ByteReader, from: number, until: number): void {
    for (const column of this.#inOrder()) reader.fill(column.subarray(from, until));
  }

  #inOrder() {
    return [
      ...FLOATS.map((name) => this.floats[name]),
      ...LISTS.map((name) => this.words[name]),
      ...BYTES.map((name) => this.bytes[name]),
    ];
  }
}

/** Ids begin with 1; 0 means no word. For each key, the first text is kept. */
export class WordList {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  #characters = 0;

  codeOf(key: string, text: string): number {
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    this.#codes.set(key, this.#texts.push(text));
    this.#characters += key.length + text.length;
    return this.#texts.length;
  }

  find(key: string): number {
    return this.#codes.get(key) ?? 0;
  }

  textOf(code: number): string | null {
    return this.#texts[code - 1] ?? null;
  }

  *entries(): Generator<{ readonly code: number; readonly key: string; readonly text: string }> {
    for (const [key, code] of this.#codes) yield { code, key, text: this.#texts[code - 1] ?? "" };
  }

  get bytes(): number {
    return this.#characters * 2 + this.#texts.length * 100;
  }
}

/** Missing values become NaN. True if any column changed. */
export function setAll<Name extends string>(
  names: readonly Name[],
  columns: Readonly<Record<Name, Float64Array | Uint8Array>>,
  at: number,
  values: Readonly<Partial<Record<Name, number | null | undefined>>>,
): boolean {
  let isMoved = false;
  for (const name of names) {
    if (!(name in values)) continue;
    const value = values[name] ?? NaN;
    const column = columns[name];
    if (Object.is(column[at], value)) continue;
    column[at] = value;
    isMoved = true;
  }
  return isMoved;
}
