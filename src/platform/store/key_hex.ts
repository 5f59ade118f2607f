/** Keys as Deno KV stores them in its file, in hex digits. */
import { decoder, encoder } from "../../base/bytes.ts";

export type PlainKey = readonly (string | number | Uint8Array)[];

/** Greater than all keys that begin with the same parts. */
export const ABOVE_ALL = "ff";

/**
 * Lower-case hex digits, in the order of keys. A part is a letter for its type and the value. Texts
 * and bytes end in a zero byte; one within them is followed by 0xff.
 */
export function keyHex(key: PlainKey): string {
  return key.map(hexOfPart).join("");
}

function hexOfPart(part: PlainKey[number]): string {
  if (typeof part === "number") return `21${hexOfNumber(part)}`;
  if (typeof part === "string") return hexOfText(part);
  return hexOfBytes(part.toHex());
}

export function hexOfText(part: string): string {
  return `02${escape(encoder.encode(part).toHex())}00`;
}

export function hexOfBytes(part: string): string {
  return `01${escape(part)}00`;
}

/** The inverse of `hexOfBytes`; `null` if `rest` is not exactly one part of bytes. */
export function lastBytesOf(rest: string): string | null {
  if (!rest.startsWith("01") || !rest.endsWith("00") || rest.length < 4) return null;
  const escaped = rest.slice(2, -2);
  if (!escaped.includes("00")) return escaped;
  return ESCAPED.test(escaped)
    ? escaped.replaceAll(/00ff|../g, (byte) => byte === "00ff" ? "00" : byte)
    : null;
}

/** The parts of a key in hex digits, as `keyHex` writes them; bytes are given as hex digits. */
export function partsOfHex(hex: string): (string | number)[] {
  const parts: (string | number)[] = [];
  for (let at = 0; at < hex.length;) {
    const kind = hex.slice(at, at + 2);
    const from = at + 2;
    if (kind === "21") {
      at = from + 16;
      parts.push(numberOfHex(hex.slice(from, at)));
      continue;
    }
    const end = endOfPart(hex, from);
    at = end + 2;
    const bytes = lastBytesOf(`01${hex.slice(from, at)}`) ?? "";
    parts.push(kind === "02" ? decoder.decode(Uint8Array.fromHex(bytes)) : bytes);
  }
  return parts;
}

/** The place of the zero byte that ends a text or bytes. */
function endOfPart(hex: string, from: number): number {
  let at = hex.indexOf("00", from);
  while (at >= 0 && (at % 2 === 1 || hex.startsWith("ff", at + 2))) {
    at = hex.indexOf("00", at % 2 === 1 ? at + 1 : at + 4);
  }
  return at < 0 ? hex.length : at;
}

const ESCAPED = /^(?:[1-9a-f].|0[1-9a-f]|00ff)*$/;

function escape(digits: string): string {
  return digits.includes("00")
    ? digits.replaceAll(/../g, (byte) => byte === "00" ? "00ff" : byte)
    : digits;
}

/** Bytes that compare like numbers: negative ones inverted, the sign bit of others flipped. */
function hexOfNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const sign = 1n << 63n;
  view.setBigUint64(0, (bits & sign) === 0n ? bits | sign : ~bits);
  return new Uint8Array(view.buffer).toHex();
}

function numberOfHex(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  const [high, low] = [parseInt(hex.slice(0, 8), 16), parseInt(hex.slice(8), 16)];
  const isNegative = high < 2 ** 31;
  view.setUint32(0, isNegative ? ~high : high - 2 ** 31);
  view.setUint32(4, isNegative ? ~low : low);
  return view.getFloat64(0);
}
