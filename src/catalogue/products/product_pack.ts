/**
 * The stored form of a product's document is its JSON, with codes of one byte for parts that all
 * documents share. Codes are bytes below 32, which compact JSON never contains. Stored documents
 * contain the codes, so the meaning of a code must not change. A new product field must come last,
 * because a packed document identifies fields by their order.
 */
import { encoder } from "../../base/bytes.ts";
import { memoize } from "../../base/collections.ts";
import { BLANK_PRODUCT, documentOf, type Product, type TierPrice } from "./product.ts";

/** Names of a product's stored fields in order, without `id`, which is in the row's key. */
const NAMES: readonly string[] = Object.keys(documentOf(BLANK_PRODUCT)).slice(1);
const ROW_NAMES: readonly string[] = ["tier", "amountCents", "currency", "minQty", "validFrom"];

/** Fields are stored without names, in the order of `NAMES` or `ROW_NAMES`. */
const CODE = {
  /** Begins a field; its value follows this code. */
  name: 1,
  nameNull: 2,
  nameTrue: 3,
  nameFalse: 4,
  /** Begins two fields with the same number; the number follows once. */
  nameTwice: 5,
  noName: 6,
  instant: 7,
  sameInstant: 8,
  /** Begins a tier price; the value of its `tier` follows. */
  row: 11,
  rowName: 12,
  rowNull: 14,
} as const;
const FIRST_TEXT = 32;

const INSTANT_LENGTH = "2026-01-01T00:00:00.000Z".length;

/**
 * A time in ms is 8 characters of 6 bits each, highest bits first. A character is the value of its
 * bits plus `INSTANT_FROM`.
 */
const [INSTANT_CHARACTERS, INSTANT_BASE, INSTANT_FROM] = [8, 64, FIRST_TEXT];
const CODE_TEXT_MAX = 96;
const SCRATCH_BYTES = 65_536;

const bytesOf = (text: string): Uint8Array => encoder.encode(text);
const NAME_TEXTS = NAMES.map((name) => bytesOf(`,"${name}":`));
const ROW_TEXTS = ROW_NAMES.map((name, at) => bytesOf(`${at === 0 ? "{" : ","}"${name}":`));
const NULL_TEXTS = NAMES.map((name) => bytesOf(`,"${name}":null`));
const NO_TEXT: Uint8Array = new Uint8Array();
const START = bytesOf('{"id":"');
const QUOTE = bytesOf('"');
const NULL = bytesOf("null");
const TRUE = bytesOf("true");
const FALSE = bytesOf("false");
const NUMBER_BYTES = new Set(bytesOf("0123456789-+.eE"));

export function packDocument(product: Product): Uint8Array<ArrayBuffer> {
  const packValue = valuePacker();
  const values: readonly unknown[] = Object.values(documentOf(product));
  let packed = "";
  for (let at = 1; at < values.length; at++) {
    const value = values[at];
    if (value === null) packed += codeText("nameNull");
    else if (value === true) packed += codeText("nameTrue");
    else if (value === false) packed += codeText("nameFalse");
    else if (value === undefined) packed += codeText("noName");
    else if (typeof value === "number" && value === values[at + 1]) {
      packed += codeText("nameTwice") + JSON.stringify(value);
      at++;
    } else {
      const isPrices = value === product.prices;
      packed += codeText("name") +
        (isPrices ? packRows(product.prices, packValue) : packValue(value));
    }
  }
  return encoder.encode(`${packed}}`);
}

function codeText(name: keyof typeof CODE): string {
  return String.fromCharCode(CODE[name]);
}

function packRows(rows: readonly TierPrice[], packValue: (value: unknown) => string): string {
  const packed = rows.map(({ tier, amountCents, currency, minQty, validFrom }) => {
    const values = [amountCents, currency, minQty, validFrom].map((value) =>
      value === null ? codeText("rowNull") : codeText("rowName") + packValue(value)
    );
    return `${codeText("row")}${JSON.stringify(tier)}${values.join("")}}`;
  });
  return `[${packed.join(",")}]`;
}

function valuePacker(): (value: unknown) => string {
  let instant: string | null = null;
  return (value) => {
    const isLikeInstant = typeof value === "string" && value.length === INSTANT_LENGTH;
    const characters = isLikeInstant ? instantCode(value) : "";
    if (!isLikeInstant || characters === "") return JSON.stringify(value);
    if (value === instant) return codeText("sameInstant");
    instant = value;
    return codeText("instant") + characters;
  };
}

/** Returns "" if unpacking would not restore exactly this text. */
const instantCode = memoize((text) => {
  const ms = text.endsWith("Z") ? Date.parse(text) : NaN;
  const isKept = ms >= 0 && ms < 2 ** 48 && new Date(ms).toISOString() === text;
  if (!isKept) return "";
  const codes = Array.from(
    { length: INSTANT_CHARACTERS },
    (_, n) =>
      INSTANT_FROM + Math.floor(ms / INSTANT_BASE ** (INSTANT_CHARACTERS - 1 - n)) % INSTANT_BASE,
  );
  return String.fromCharCode(...codes);
}, INSTANT_LENGTH);

let scratch = new Uint8Array(SCRATCH_BYTES);
const instants = new Map<number, Uint8Array>();
const INSTANTS_KEPT = 256;

function instantText(ms: number): Uint8Array {
  const known = instants.get(ms);
  if (known) return known;
  if (instants.size >= INSTANTS_KEPT) instants.clear();
  const text = bytesOf(`"${new Date(ms).toISOString()}"`);
  instants.set(ms, text);
  return text;
}

/** Returns the document's JSON, even if an earlier version of Kurant stored it unpacked. */
export function unpackDocument(
  id: string,
  packed: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  if (isWhole(packed)) return packed;
  const end = unpackAt(0, id, packed);
  return scratch.slice(0, end);
}

interface PackedDocument {
  readonly part: string;
  readonly value: Uint8Array<ArrayBuffer>;
}

export function unpackDocuments<Row extends PackedDocument, Taken>(
  rows: readonly Row[],
  take: (row: Row, document: Uint8Array<ArrayBuffer>) => Taken,
): Taken[] {
  const taken: Taken[] = [];
  let waiting: { readonly row: Row; readonly end: number }[] = [];
  let at = 0;
  const give = () => {
    const together = scratch.slice(0, at);
    let from = 0;
    for (const { row, end } of waiting) {
      taken.push(take(row, together.subarray(from, end)));
      from = end;
    }
    waiting = [];
    at = 0;
  };
  for (const row of rows) {
    if (at >= 48 * 1024 || isWhole(row.value)) give();
    if (isWhole(row.value)) taken.push(take(row, row.value));
    else {
      at = unpackAt(at, row.part, row.value);
      waiting.push({ row, end: at });
    }
  }
  give();
  return taken;
}

function isWhole(packed: Uint8Array): boolean {
  return (packed[0] ?? FIRST_TEXT) >= FIRST_TEXT;
}

function unpackAt(start: number, id: string, packed: Uint8Array<ArrayBuffer>): number {
  let out = withRoom(scratch, start, packed.length + id.length + CODE_TEXT_MAX);
  let at = putId(out, start, id);
  let [next, nextInRow] = [0, 0];
  let instant = NO_TEXT;
  for (let from = 0; from < packed.length; from++) {
    const byte = packed[from] ?? 0;
    if (byte >= FIRST_TEXT) {
      out[at++] = byte;
      continue;
    }
    out = withRoom(out, at, packed.length - from + CODE_TEXT_MAX);
    switch (byte) {
      case CODE.name:
        at = put(out, at, NAME_TEXTS[next++]);
        break;
      case CODE.nameNull:
        at = put(out, at, NULL_TEXTS[next++]);
        break;
      case CODE.nameTrue:
        at = put(out, put(out, at, NAME_TEXTS[next++]), TRUE);
        break;
      case CODE.nameFalse:
        at = put(out, put(out, at, NAME_TEXTS[next++]), FALSE);
        break;
      case CODE.nameTwice: {
        const [begin, end] = [from + 1, numberEnd(packed, from + 1)];
        at = putPart(out, put(out, at, NAME_TEXTS[next++]), packed, begin, end);
        at = putPart(out, put(out, at, NAME_TEXTS[next++]), packed, begin, end);
        from = end - 1;
        break;
      }
      case CODE.noName:
        next++;
        break;
      case CODE.instant: {
        instant = instantText(msAt(packed, from + 1));
        from += INSTANT_CHARACTERS;
        at = put(out, at, instant);
        break;
      }
      case CODE.sameInstant:
        at = put(out, at, instant);
        break;
      case CODE.row:
        nextInRow = 1;
        at = put(out, at, ROW_TEXTS[0]);
        break;
      case CODE.rowName:
        at = put(out, at, ROW_TEXTS[nextInRow++]);
        break;
      case CODE.rowNull:
        at = put(out, put(out, at, ROW_TEXTS[nextInRow++]), NULL);
        break;
      default:
        throw new Error(`A stored product has the unknown code ${byte}`);
    }
  }
  return at;
}

function putId(out: Uint8Array, start: number, id: string): number {
  let at = put(out, start, START);
  for (let n = 0; n < id.length; n++) out[at++] = id.charCodeAt(n);
  return put(out, at, QUOTE);
}

function put(out: Uint8Array, at: number, text: Uint8Array = NO_TEXT): number {
  const { length } = text;
  if (length > 24) out.set(text, at);
  else for (let n = 0; n < length; n++) out[at + n] = text[n] ?? 0;
  return at + length;
}

function putPart(out: Uint8Array, at: number, text: Uint8Array, begin: number, end: number) {
  for (let n = begin; n < end; n++) out[at++] = text[n] ?? 0;
  return at;
}

function withRoom(out: Uint8Array<ArrayBuffer>, used: number, bytes: number) {
  if (used + bytes <= out.length) return out;
  const longer = new Uint8Array(2 * (used + bytes));
  longer.set(out.subarray(0, used));
  scratch = longer;
  return longer;
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let end = from;
  while (NUMBER_BYTES.has(bytes[end] ?? 0)) end++;
  return end;
}

function msAt(bytes: Uint8Array, from: number): number {
  let ms = 0;
  for (let n = 0; n < INSTANT_CHARACTERS; n++) {
    ms = ms * INSTANT_BASE + (bytes[from + n] ?? INSTANT_FROM) - INSTANT_FROM;
  }
  return ms;
}
