/**
 * Keys as the engine keeps them in its file: bytes whose order is that of the keys. Each part is a letter
 * for its type and what stands for the value; texts and bytes end in a zero, and a zero among them is
 * followed by 0xff. Here all of them are lower-case hex digits, which compare alike, and which SQLite
 * gives and takes sooner than bytes.
 */

/** What keys of this program are made of. */
export type PlainKey = readonly (string | number | Uint8Array)[];

/** Behind the bytes of a key: above all keys that begin with its parts. */
export const ABOVE_ALL = "ff";

const encoder = new TextEncoder();

/** The bytes of a key. */
export function keyHex(key: PlainKey): string {
  return key.map(hexOfPart).join("");
}

function hexOfPart(part: PlainKey[number]): string {
  if (typeof part === "number") return `21${hexOfNumber(part)}`;
  if (typeof part === "string") return hexOfText(part);
  return hexOfBytes(part.toHex());
}

/** A part of text. */
export function hexOfText(part: string): string {
  return `02${escape(encoder.encode(part).toHex())}00`;
}

/** A part of bytes, which are given as hex digits, too. */
export function hexOfBytes(part: string): string {
  return `01${escape(part)}00`;
}

/**
 * What stands behind the other parts of a key: the inverse of `hexOfBytes`. Null when that is no part of
 * bytes, or more than one.
 */
export function lastBytesOf(rest: string): string | null {
  if (!rest.startsWith("01") || !rest.endsWith("00") || rest.length < 4) return null;
  const escaped = rest.slice(2, -2);
  if (!escaped.includes("00")) return escaped;
  return ESCAPED.test(escaped)
    ? escaped.replaceAll(/00ff|../g, (byte) => byte === "00ff" ? "00" : byte)
    : null;
}

/** No zero ends the part before its end. */
const ESCAPED = /^(?:[1-9a-f].|0[1-9a-f]|00ff)*$/;

function escape(digits: string): string {
  return digits.includes("00")
    ? digits.replaceAll(/../g, (byte) => byte === "00" ? "00ff" : byte)
    : digits;
}

/** All bits of a negative number are turned, of others the sign: so bytes compare as numbers do. */
function hexOfNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const sign = 1n << 63n;
  view.setBigUint64(0, (bits & sign) === 0n ? bits | sign : ~bits);
  return new Uint8Array(view.buffer).toHex();
}
