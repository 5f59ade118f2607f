/**
 * The columns of a market table are typed arrays, which need less memory than an object per
 * product.
 */
import { fromKeys } from "../../base/collections.ts";
import { idBytes, idMark, idText } from "../../base/id.ts";
import type { MarketFacts } from "../../engine/pricing/market_facts.ts";

function longer<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

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
] as const;
export type FloatColumn = (typeof FLOATS)[number];
/** `state` is 0 in the row of a deleted product. */
export const BYTES = ["state", "links", "offers", "cheapestCount", "rank", "traits"] as const;
type ByteColumn = (typeof BYTES)[number];

/** Text columns: each stores the numbers that its own `WordList` gives to the texts. */
export const LISTS = ["competitor", "rule", "brand", "category", "tier", "currency"] as const;
export type ListColumn = (typeof LISTS)[number];

const COLUMN_BYTES = FLOATS.length * 8 + LISTS.length * 4 + BYTES.length;
const GROWTH = 1.25;

export class NumberColumns {
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
}

/**
 * Gives each text a number (its word id) from 1 on; 0 means no text. Of all texts with the same
 * `key`, only the first is stored.
 */
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

/** Writes values at the index `at`; returns true if a value has changed. */
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

export const LINK_CONFIRMED = 1;
export const LINK_OTHER_PRODUCT = 2;
export const ANY_SHOP = -1;

const LINKS_EXPECTED = 5;

export interface RowLink {
  readonly matchId: string;
  readonly competitorId: string;
  readonly isConfirmed?: boolean;
  readonly isOtherProduct?: boolean;
}

/**
 * Stores the links of each product. The links whose offers are compared with our price come first,
 * sorted by price per piece.
 */
export class LinkColumns {
  first: Uint32Array<ArrayBuffer>;
  #rooms: Uint8Array<ArrayBuffer>;
  shops: Uint32Array<ArrayBuffer>;
  #marks: Uint32Array<ArrayBuffer>;
  traits: Uint8Array<ArrayBuffer>;
  /** Price per piece; NaN if the offer is not compared with our price. */
  units: Float64Array<ArrayBuffer>;
  #end = 0;

  constructor(rows: number, expected: number) {
    this.first = new Uint32Array(rows);
    this.#rooms = new Uint8Array(rows);
    this.shops = new Uint32Array(expected * LINKS_EXPECTED);
    this.#marks = new Uint32Array(expected * LINKS_EXPECTED);
    this.traits = new Uint8Array(expected * LINKS_EXPECTED);
    this.units = new Float64Array(expected * LINKS_EXPECTED);
  }

  get memoryBytes(): number {
    const { first, shops, traits, units } = this;
    const columns = [first, this.#rooms, shops, this.#marks, traits, units];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  growTo(rows: number): void {
    this.first = longer(this.first, new Uint32Array(rows));
    this.#rooms = longer(this.#rooms, new Uint8Array(rows));
  }

  /** Returns the index of a link to the shop, or -1; `mark` is a hash of the link's id, or null. */
  find(row: number, count: number, shop: number, mark: number | null = null): number {
    const first = this.first[row] ?? 0;
    for (let at = first; at < first + count; at++) {
      if (this.shops[at] === shop && (mark === null || this.#marks[at] === mark)) return at;
    }
    return -1;
  }

  /**
   * Returns true if the product has a link to the shop, or to any shop for `ANY_SHOP`. Links to
   * pages that show another product do not count.
   */
  hasOwn(row: number, count: number, shop: number): boolean {
    const first = this.first[row] ?? 0;
    for (let at = first; at < first + count; at++) {
      if (shop !== ANY_SHOP && this.shops[at] !== shop) continue;
      if (((this.traits[at] ?? 0) & LINK_OTHER_PRODUCT) === 0) return true;
    }
    return false;
  }

  /** Returns true if a compared offer has another shop or price than before at its position. */
  put(
    row: number,
    offers: MarketFacts["offers"],
    links: readonly RowLink[],
    shopOf: (competitorId: string) => number,
  ): boolean {
    let isMoved = false;
    if (links.length > (this.#rooms[row] ?? 0)) {
      this.first[row] = this.#placeFor(links.length);
      this.#rooms[row] = links.length;
    }
    let place = this.first[row] ?? 0;
    for (const { offer, unit } of offers) {
      const price = Number(unit.num) / Number(unit.den);
      const isOther = this.#set(place, offer, shopOf(offer.competitorId));
      isMoved ||= isOther || this.units[place] !== price;
      this.units[place++] = price;
    }
    if (links.length === offers.length) return isMoved;
    const counted = new Set(offers.map(({ offer }) => offer.matchId));
    for (const link of links) {
      if (counted.has(link.matchId)) continue;
      this.#set(place, link, shopOf(link.competitorId));
      this.units[place++] = NaN;
    }
    return isMoved;
  }

  #set(place: number, { matchId, isConfirmed, isOtherProduct }: RowLink, shop: number): boolean {
    const isOther = this.shops[place] !== shop;
    this.shops[place] = shop;
    this.#marks[place] = idMark(matchId);
    this.traits[place] = (isConfirmed ? LINK_CONFIRMED : 0) |
      (isOtherProduct ? LINK_OTHER_PRODUCT : 0);
    return isOther;
  }

  #placeFor(count: number): number {
    const first = this.#end;
    this.#end += count;
    if (this.#end > this.shops.length) {
      const capacity = Math.ceil(this.#end * GROWTH);
      this.shops = longer(this.shops, new Uint32Array(capacity));
      this.#marks = longer(this.#marks, new Uint32Array(capacity));
      this.traits = longer(this.traits, new Uint8Array(capacity));
      this.units = longer(this.units, new Float64Array(capacity));
    }
    return first;
  }
}

const ID_BYTES = 12;
const NONE = 0;
const FULL_SHARE = 0.7;
const SLOTS_MIN = 64;

/**
 * Finds the row of a product by its id. In a test, a `Map` took twelve times as much memory as this
 * class. The ids of deleted products stay in the index.
 */
export class IdIndex {
  #ids: Uint8Array<ArrayBuffer>;
  #slots: Uint32Array<ArrayBuffer>;
  readonly #asked = new Uint8Array(ID_BYTES);
  count = 0;

  constructor(expected: number) {
    this.#ids = new Uint8Array(Math.max(SLOTS_MIN, expected) * ID_BYTES);
    this.#slots = new Uint32Array(slotsFor(expected));
  }

  get bytes(): number {
    return this.#ids.byteLength + this.#slots.byteLength;
  }

  idOf(row: number): string {
    return idText(this.#ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES));
  }

  find(id: string): number | undefined {
    const bytes = this.#asked;
    bytes.setFromHex(id);
    for (let slot = this.#home(bytes, 0);; slot = (slot + 1) % this.#slots.length) {
      const entry = this.#slots[slot] ?? NONE;
      if (entry === NONE) return undefined;
      if (this.#isAt(entry - 1, bytes)) return entry - 1;
    }
  }

  add(id: string): number {
    const known = this.find(id);
    if (known !== undefined) return known;
    const row = this.count++;
    if (this.count * ID_BYTES > this.#ids.length) {
      const ids = new Uint8Array(Math.ceil(this.count * 1.25) * ID_BYTES);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    this.#ids.set(idBytes(id), row * ID_BYTES);
    if (this.count > this.#slots.length * FULL_SHARE) this.#rehash();
    else this.#enter(row);
    return row;
  }

  compare(a: number, b: number): number {
    return compareBytes(this.#ids, a * ID_BYTES, this.#ids, b * ID_BYTES);
  }

  compareWith(row: number, bytes: Uint8Array): number {
    return compareBytes(this.#ids, row * ID_BYTES, bytes, 0);
  }

  #rehash(): void {
    this.#slots = new Uint32Array(slotsFor(this.count * 1.25));
    for (let row = 0; row < this.count; row++) this.#enter(row);
  }

  #enter(row: number): void {
    let slot = this.#home(this.#ids, row * ID_BYTES);
    while (this.#slots[slot] !== NONE) slot = (slot + 1) % this.#slots.length;
    this.#slots[slot] = row + 1;
  }

  #home(bytes: Uint8Array, from: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < from + ID_BYTES; at++) {
      hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    }
    return (hash >>> 0) % this.#slots.length;
  }

  #isAt(row: number, bytes: Uint8Array): boolean {
    return this.compareWith(row, bytes) === 0;
  }
}

function slotsFor(count: number): number {
  return Math.max(SLOTS_MIN, Math.ceil(count / FULL_SHARE) + 1);
}

function compareBytes(a: Uint8Array, fromA: number, b: Uint8Array, fromB: number): number {
  for (let at = 0; at < ID_BYTES; at++) {
    const difference = (a[fromA + at] ?? 0) - (b[fromB + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
