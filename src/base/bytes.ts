/** Converts bytes to and from UTF-8 and JSON, computes SHA-256, and finds the encoding of files. */
import { createHash } from "node:crypto";

export const encoder = new TextEncoder();
export const decoder = new TextDecoder();

export function sha256(data: string | Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(data).digest());
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Deno KV limits a value to 64 KiB, so larger values are stored in parts of `PART_BYTES`. */
export const PART_BYTES = 60_000;

export function partsOf(bytes: Uint8Array, size = PART_BYTES): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, n) => bytes.slice(n * size, (n + 1) * size));
}

export function joinDocuments(
  head: string,
  documents: readonly Uint8Array[],
  tail: string,
  separator = COMMA,
): Uint8Array<ArrayBuffer> {
  const between = Uint8Array.of(separator);
  const parts = documents.flatMap((document, at) => at === 0 ? [document] : [between, document]);
  return joinedBytes([encoder.encode(head), ...parts, encoder.encode(tail)]);
}

const COMMA = 0x2c;

export function appendFields(
  document: Uint8Array,
  fields: Readonly<Record<string, unknown>>,
): Uint8Array<ArrayBuffer> {
  const added = encoder.encode(`,${JSON.stringify(fields).slice(1)}`);
  return joinedBytes([document.subarray(0, -1), added]);
}

/**
 * Appends a non-negative integer in groups of 7 bits, lowest bits first. Divides instead of
 * shifting, because JavaScript shifts only 32-bit integers.
 */
export function putNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + rest % 128);
  bytes.push(rest);
}

export function takeNumber(next: () => number): number {
  let value = 0;
  for (let scale = 1;; scale *= 128) {
    const byte = next();
    value += (byte % 128) * scale;
    if (!Number.isSafeInteger(value)) throw new Error("A packed number is too large");
    if (byte < 128) return value;
  }
}

export const ENCODING_HEAD_BYTES = 1024;

export interface Encoding {
  /** The encoding's name in the WHATWG Encoding Standard, which calls ISO-8859-1 "windows-1252". */
  readonly label: string;
  readonly bomBytes: number;
  /** True if some sequences of bytes are invalid in this encoding. */
  readonly canFail: boolean;
  /** A warning that the encoding may be wrong; null without a warning. */
  readonly guess: string | null;
}

const BOMS = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

const NEVER_FAILS: ReadonlySet<string> = new Set(["windows-1252", "iso-8859-15"]);
const DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/;

/** Decides the encoding by the rules of docs/decisions/imports.md. */
export function decideEncoding(
  head: Uint8Array,
  charset: string | null,
): { encoding: Encoding } | { unknown: string } {
  const marked = markedEncoding(head);
  if (marked) return { encoding: marked };

  const detected = utf16ByBytes(head);
  let ignored: string | null = null;
  const ascii = new TextDecoder("windows-1252").decode(head.subarray(0, ENCODING_HEAD_BYTES));
  for (const named of [charset?.trim(), DECLARATION.exec(ascii)?.[1]?.trim()]) {
    if (!named) continue;
    const label = knownLabel(named);
    if (label === null) return { unknown: named };
    if (!label.startsWith("utf-16")) return { encoding: encodingOf(label, 0, ignored) };
    if (detected) return { encoding: encodingOf(detected, 0, ignored) };
    ignored = `The file says "${named}" but is not UTF-16`;
  }
  return { encoding: encodingOf(detected ?? "utf-8", 0, ignored) };
}

export function markedEncoding(head: Uint8Array): Encoding | null {
  const bom = BOMS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  return bom ? encodingOf(bom.label, bom.bytes.length, null) : null;
}

export function knownEncoding(named: string, guess: string | null): Encoding | null {
  const label = knownLabel(named);
  return label === null ? null : encodingOf(label, 0, guess);
}

/** Returns null for UTF-16, because such a file would be unreadable as windows-1252. */
export function fallbackEncoding(failed: Encoding): Encoding | null {
  if (failed.label.startsWith("utf-16")) return null;
  const guess = `The file is not ${failed.label} throughout: read as windows-1252`;
  return encodingOf("windows-1252", failed.bomBytes, guess);
}

export class StrictCheck {
  readonly #decoder: TextDecoder;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding.label, { fatal: true });
  }

  /** After the last chunk of a file, the caller must pass `null`. */
  accepts(chunk: Uint8Array | null): boolean {
    try {
      if (chunk === null) this.#decoder.decode();
      else this.#decoder.decode(chunk, { stream: true });
      return true;
    } catch {
      return false; // The decoder's error has no details.
    }
  }
}

/** Decodes a file in chunks, which may end inside a character; omits the byte order mark. */
export class ChunkDecoder {
  readonly #decoder: TextDecoder;
  #skip: number;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding.label, { ignoreBOM: true });
    this.#skip = encoding.bomBytes;
  }

  /** After the last chunk of a file, the caller must pass `null`. */
  text(chunk: Uint8Array | null): string {
    if (chunk === null) return this.#decoder.decode();
    if (this.#skip === 0) return this.#decoder.decode(chunk, { stream: true });
    const start = Math.min(this.#skip, chunk.length);
    this.#skip -= start;
    return this.#decoder.decode(chunk.subarray(start), { stream: true });
  }
}

function encodingOf(label: string, bomBytes: number, guess: string | null): Encoding {
  return { label, bomBytes, canFail: !NEVER_FAILS.has(label), guess };
}

export function knownLabel(named: string): string | null {
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return null; // The decoder throws RangeError for an unknown label, and no other error.
  }
}

/** A zero byte next to `<` shows UTF-16, because texts in 8-bit encodings contain no zero bytes. */
function utf16ByBytes(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (head[0] === 0x3c && head[1] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] === 0x3c) return "utf-16be";
  return null;
}
