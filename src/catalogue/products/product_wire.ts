/** Products as bytes: stored, listed and answered without parsing (docs/decisions/keys.md). */
import { documentOf, type Product, type ProductDocument, withPricesOnce } from "./product.ts";
import { Buffer } from "node:buffer";
import type { z } from "zod";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The only serialised form of a product. Changing it requires a migration of the store. */
export function toWire(product: Product): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(documentOf(product)));
}

/** Accepts only bytes of `toWire`. */
export function parseProduct(bytes: Uint8Array): Product {
  const document: z.infer<typeof ProductDocument> = JSON.parse(decoder.decode(bytes));
  return withPricesOnce(document);
}

/** Searches without parsing: the currency precedes all fields whose names callers choose. */
export function currencyInDocument(document: Uint8Array): string {
  const text = Buffer.from(document.buffer, document.byteOffset, document.length);
  const at = text.indexOf(CURRENCY) + CURRENCY.length;
  return text.toString("latin1", at, at + 3);
}

const CURRENCY = ',"currency":"';

/** Parses all as one text, which takes half the time. Keeps prices in both units. */
export function parseProducts(documents: readonly Uint8Array[]): z.infer<typeof ProductDocument>[] {
  return JSON.parse(decoder.decode(joinDocuments("[", documents, "]")));
}

export function joinDocuments(
  head: string,
  documents: readonly Uint8Array[],
  tail: string,
  separator = COMMA,
): Uint8Array<ArrayBuffer> {
  const opening = encoder.encode(head);
  const closing = encoder.encode(tail);
  const separators = Math.max(0, documents.length - 1);
  const size = documents.reduce((sum, bytes) => sum + bytes.length, separators);
  const joined = new Uint8Array(opening.length + size + closing.length);
  joined.set(opening);
  let at = opening.length;
  for (const [position, bytes] of documents.entries()) {
    if (position > 0) joined[at++] = separator;
    joined.set(bytes, at);
    at += bytes.length;
  }
  joined.set(closing, at);
  return joined;
}

const COMMA = 0x2c;

/** Inserts fields before the closing brace. */
export function appendFields(
  document: Uint8Array,
  fields: Readonly<Record<string, unknown>>,
): Uint8Array<ArrayBuffer> {
  const added = encoder.encode(`,${JSON.stringify(fields).slice(1)}`);
  const bytes = new Uint8Array(document.length - 1 + added.length);
  // The fields overwrite the closing brace.
  bytes.set(document.subarray(0, -1));
  bytes.set(added, document.length - 1);
  return bytes;
}

/** A document begins with id and SKU. */
export function isDocumentOf(document: Uint8Array, id: string, sku: string): boolean {
  const beginning = encoder.encode(`{"id":"${id}","sku":${JSON.stringify(sku)},`);
  return beginning.every((byte, at) => byte === document[at]);
}
