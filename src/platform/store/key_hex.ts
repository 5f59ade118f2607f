/** Keys as Deno KV stores them in its file, in hex digits. */

/** The parts of this program's keys. */
export type PlainKey = readonly (string | number | Uint8Array)[];

const encoder = new TextEncoder();

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
