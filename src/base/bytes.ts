/** Functions for bytes: UTF-8, SHA-256 and JSON. */
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

/** Deno KV limits a value to 64 KiB, so larger values are stored in parts of this size. */
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

const FIRST_PRINTED = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_OF_TWO_BYTES = 0x80;
const FIRST_OF_THREE_BYTES = 0x800;
const SHORT = 24;

/** Writes JSON as UTF-8 into one buffer, which each call of `begin` empties. */
export class JsonWriter {
  #bytes = new Uint8Array(4_096);
  #at = 0;

  begin(): void {
    this.#at = 0;
  }

  end(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }

  byte(byte: number): void {
    if (this.#at === this.#bytes.length) this.#withRoom(1);
    this.#bytes[this.#at++] = byte;
  }

  text(text: string): void {
    const bytes = this.#withRoom(3 * text.length);
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (n === SHORT || code >= FIRST_OF_TWO_BYTES) {
        this.#at += encoder.encodeInto(text.slice(n), bytes.subarray(this.#at)).written;
        return;
      }
      bytes[this.#at++] = code;
    }
  }

  /** If `value` is a number, it must be finite. */
  json(value: unknown): void {
    if (typeof value === "number") this.text(String(value));
    else if (typeof value !== "string" || !this.#writeIfPlain(value)) {
      this.text(JSON.stringify(value));
    }
  }

  #writeIfPlain(text: string): boolean {
    const bytes = this.#withRoom(2 * text.length + 2);
    let at = this.#at;
    bytes[at++] = QUOTE;
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (code < FIRST_PRINTED || code === QUOTE || code === BACKSLASH) return false;
      if (code >= FIRST_OF_THREE_BYTES) return false;
      if (code >= FIRST_OF_TWO_BYTES) {
        bytes[at++] = 0xc0 | code >> 6;
        bytes[at++] = 0x80 | code & 0x3f;
      } else bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.#at = at;
    return true;
  }

  #withRoom(bytes: number): Uint8Array<ArrayBuffer> {
    if (this.#at + bytes > this.#bytes.length) {
      const longer = new Uint8Array(2 * (this.#at + bytes));
      longer.set(this.#bytes.subarray(0, this.#at));
      this.#bytes = longer;
    }
    return this.#bytes;
  }
}
