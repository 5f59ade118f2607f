/**
 * A card as packed bytes: what is known of a SKU without its document. A head of fixed length (flags,
 * which prices there are, the product's id, its currency, the length of the import hash), then the hash,
 * the prices, the import of the first price and the named source where there are such, and to the end
 * the text of the search. An import looks at a card for each product of its file, so what it does not
 * ask for is not decoded.
 */
import { idBytes } from "../../base/id.ts";
import { type Product, searchText } from "./product.ts";
import type { AmountName } from "./product_field_table.ts";

/**
 * What says whether an import may change the prices of a product, and whether it is held: all its
 * amounts, and the VAT that tells net from gross.
 */
export type CardPrices = Pick<Product, "currency" | "vatRatePct" | AmountName>;

/** What the guards of an import ask of a product. */
export interface PricedProduct extends CardPrices {
  readonly sku: string;
}

/** What is known of a SKU beside its document. */
export interface Card extends CardMarks {
  readonly id: string;
  readonly isDeleted: boolean;
  /** What a search looks through (`searchText`). */
  readonly text: string;
  /** Those of the product, whoever set them. */
  readonly prices: CardPrices;
  /** True when the hash is that of `importHash`, which is not decoded for it. */
  isOfRecord(hash: string): boolean;
}

/** What of a card does not follow from the product. */
export interface CardMarks {
  /** Hash of the record that an import left here; null when something else changed the product since. */
  readonly importHash: string | null;
  /** True when an import made the product: `replace` may delete it. */
  readonly isFromImport: boolean;
  /** The import that gave the product its price, the first one, which has no row in the history yet. */
  readonly firstPriceJob: string | null;
  /** The named source whose import made the product: its `replace` alone may delete it. Else null. */
  readonly importSource: string | null;
}

/** Of a product that no import has left anything with. */
export const NO_MARKS: CardMarks = {
  importHash: null,
  isFromImport: false,
  firstPriceJob: null,
  importSource: null,
};

/** A product with what its card says beyond it. */
export interface CardState {
  readonly product: Product;
  readonly marks: CardMarks;
}

const FROM_IMPORT = 1;
const DELETED = 2;
const FIRST_PRICE_JOB = 4;
/** The text of the search begins behind the source's id and a character that no id has. */
const IMPORT_SOURCE = 8;
const SOURCE_END = "\n";
/** In the order in which they lie, with the flag of each that there is. */
const NUMBERS = [
  ["ourPriceCents", 1],
  ["costPriceCents", 2],
  ["targetPriceCents", 4],
  ["vatRatePct", 8],
  ["minPriceCents", 16],
  ["maxPriceCents", 32],
  ["shippingPriceCents", 64],
] as const satisfies readonly (readonly [keyof CardPrices, number])[];
/** All that `CardPrices` has beside the currency. */
export const PRICE_NUMBERS = NUMBERS.map(([name]) => name);
const [NUMBERS_AT, ID_AT, CURRENCY_AT, HASH_LENGTH_AT, HASH_AT] = [1, 2, 14, 17, 18];
const ID_BYTES = 12;
const CURRENCY_CHARACTERS = 3;
const NUMBER_BYTES = 8;
const HASH_BYTES_MAX = 255;
const ASCII_MAX = 0x7f;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The marks alone, of a card or of what has more. */
export function marksOf(
  { importHash, isFromImport, firstPriceJob, importSource }: CardMarks,
): CardMarks {
  return { importHash, isFromImport, firstPriceJob, importSource };
}

/** True when both say the same of prices. */
export function hasSamePrices(one: CardPrices, other: CardPrices): boolean {
  if (one.currency !== other.currency) return false;
  for (const [name] of NUMBERS) if (one[name] !== other[name]) return false;
  return true;
}

/** True when the card says of its product what follows from it. */
export function agreesWith(card: Card, product: Product): boolean {
  return card.id === product.id && card.isDeleted === (product.deletedAt !== null) &&
    card.text === searchText(product) && hasSamePrices(card.prices, product);
}

/** Of no product: each has a currency. */
const UNPRICED: { -readonly [Name in keyof CardPrices]: CardPrices[Name] } = {
  currency: "",
  ourPriceCents: null,
  costPriceCents: null,
  targetPriceCents: null,
  vatRatePct: null,
  minPriceCents: null,
  maxPriceCents: null,
  shippingPriceCents: null,
};

/** What is written before it is known how long it is; nobody keeps it. */
let scratch = new Uint8Array(4_096);

/** `text` is the product's `searchText`. A hash that is no hash is left out: its record is looked at again. */
export function encodeCard(
  { product, marks }: CardState,
  text: string,
): Uint8Array<ArrayBuffer> {
  const hash = marks.importHash ?? "";
  const source = marks.importSource === null ? "" : marks.importSource + SOURCE_END;
  const bytesMax = HASH_AT + 3 * (hash.length + source.length + text.length) +
    NUMBERS.length * NUMBER_BYTES +
    ID_BYTES;
  if (scratch.length < bytesMax) scratch = new Uint8Array(bytesMax);
  const bytes = scratch;
  bytes.set(idBytes(product.id), ID_AT);
  for (let at = 0; at < CURRENCY_CHARACTERS; at++) {
    bytes[CURRENCY_AT + at] = product.currency.charCodeAt(at);
  }
  const { written } = encoder.encodeInto(hash, bytes.subarray(HASH_AT));
  const hashBytes = written > HASH_BYTES_MAX ? 0 : written;
  bytes[HASH_LENGTH_AT] = hashBytes;
  let flags = (marks.isFromImport ? FROM_IMPORT : 0) | (product.deletedAt === null ? 0 : DELETED);
  let at = HASH_AT + hashBytes;
  const view = new DataView(bytes.buffer);
  let numbers = 0;
  for (const [name, flag] of NUMBERS) {
    const value = product[name];
    if (value === null) continue;
    numbers |= flag;
    view.setFloat64(at, value, true);
    at += NUMBER_BYTES;
  }
  if (marks.firstPriceJob !== null) {
    flags |= FIRST_PRICE_JOB;
    bytes.set(idBytes(marks.firstPriceJob), at);
    at += ID_BYTES;
  }
  if (source !== "") flags |= IMPORT_SOURCE;
  bytes[0] = flags;
  bytes[NUMBERS_AT] = numbers;
  at += encoder.encodeInto(source + text, bytes.subarray(at)).written;
  return bytes.slice(0, at);
}

/** The inverse of `encodeCard`. Bytes that are no card make one that agrees with no product. */
export function decodeCard(bytes: Uint8Array): Card {
  return new PackedCard(bytes);
}

class PackedCard implements Card {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get id(): string {
    return this.#bytes.subarray(ID_AT, ID_AT + ID_BYTES).toHex();
  }

  get isFromImport(): boolean {
    return (this.#flags & FROM_IMPORT) !== 0;
  }

  get isDeleted(): boolean {
    return (this.#flags & DELETED) !== 0;
  }

  get importHash(): string | null {
    const end = this.#pricesAt;
    return end === HASH_AT ? null : decoder.decode(this.#bytes.subarray(HASH_AT, end));
  }

  isOfRecord(hash: string): boolean {
    const end = this.#pricesAt;
    if (hash.length !== end - HASH_AT) return hash !== "" && hash === this.importHash;
    for (let at = HASH_AT; at < end; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte > ASCII_MAX || byte !== hash.charCodeAt(at - HASH_AT)) return false;
    }
    return hash !== "";
  }

  get prices(): CardPrices {
    const bytes = this.#bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const currency = decoder.decode(bytes.subarray(CURRENCY_AT, HASH_LENGTH_AT));
    const prices = { ...UNPRICED, currency };
    let at = this.#pricesAt;
    for (const [name, flag] of NUMBERS) {
      if ((this.#numbers & flag) === 0 || at + NUMBER_BYTES > bytes.length) continue;
      prices[name] = view.getFloat64(at, true);
      at += NUMBER_BYTES;
    }
    return prices;
  }

  get firstPriceJob(): string | null {
    const at = this.#jobAt;
    if ((this.#flags & FIRST_PRICE_JOB) === 0) return null;
    return this.#bytes.subarray(at, at + ID_BYTES).toHex();
  }

  get importSource(): string | null {
    return this.#hasSource ? this.#ending.slice(0, this.#ending.indexOf(SOURCE_END)) : null;
  }

  get text(): string {
    const ending = this.#ending;
    return this.#hasSource ? ending.slice(ending.indexOf(SOURCE_END) + 1) : ending;
  }

  get #hasSource(): boolean {
    return (this.#flags & IMPORT_SOURCE) !== 0;
  }

  get #ending(): string {
    const jobBytes = (this.#flags & FIRST_PRICE_JOB) === 0 ? 0 : ID_BYTES;
    return decoder.decode(this.#bytes.subarray(this.#jobAt + jobBytes));
  }

  get #flags(): number {
    return this.#bytes[0] ?? 0;
  }

  get #numbers(): number {
    return this.#bytes[NUMBERS_AT] ?? 0;
  }

  get #pricesAt(): number {
    return HASH_AT + (this.#bytes[HASH_LENGTH_AT] ?? 0);
  }

  get #jobAt(): number {
    let at = this.#pricesAt;
    for (let flags = this.#numbers; flags !== 0; flags &= flags - 1) at += NUMBER_BYTES;
    return at;
  }
}
