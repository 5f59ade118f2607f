import { Buffer } from "node:buffer";

/** The form in which texts are compared and indexed: NFC, lower case. `KÜHL` folds to `kühl`. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** A SKU as the service compares it: NFC, without blanks and invisible characters at its ends. */
export function normaliseSku(text: string): string {
  return text.normalize("NFC").replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
}

/** True for characters of Unicode class Cc, and for lone surrogates, which no UTF-8 can carry. */
export function hasControlCharacters(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

/** Length in code points: `📦` is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Length in bytes of UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
