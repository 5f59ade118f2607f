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
