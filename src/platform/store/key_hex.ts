/** Writes keys of Deno KV as hex digits of the bytes that are in the store's file. */
import { encoder } from "../../base/bytes.ts";
import { memoize } from "../../base/collections.ts";

export type PlainKey = readonly (string | number | Uint8Array)[];

/** `ignoreBOM` keeps the character U+FEFF at the start of a key part. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A prefix followed by `ff` sorts after all keys that begin with the prefix. */
export const ABOVE_ALL = "ff";

/**
 * Keys and their hex digits sort in the same order. A key part of text or bytes ends with a zero
 * byte; a zero byte inside it is followed by 0xff.
 */
export function keyHex(key: PlainKey): string {
  return key.map(hexOfPart).join("");
}

function hexOfPart(part: PlainKey[number]): string {
  if (typeof part === "number") return `21${hexOfNumber(part)}`;
  if (typeof part === "string") return hexOfText(part);
  return hexOfBytes(part.toHex());
}

export const hexOfText = memoize((part) => `02${escape(encoder.encode(part).toHex())}00`, 64);

export function hexOfBytes(part: string): string {
  return `01${escape(part)}00`;
}

/** Returns the bytes as hex digits if `rest` is exactly one key part of bytes, otherwise null. */
export function lastBytesOf(rest: string): string | null {
  return lastOf(rest, "01");
}

export function lastTextOf(rest: string): string | null {
  const digits = lastOf(rest, "02");
  return digits === null ? null : decoder.decode(Uint8Array.fromHex(digits));
}

function lastOf(rest: string, kind: "01" | "02"): string | null {
  if (!rest.startsWith(kind) || !rest.endsWith("00") || rest.length < 4) return null;
  const end = rest.length - 2;
  if (end % 2 === 1) return null;
  let [digits, from] = ["", 2];
  for (let at = zeroByteAt(rest, from); at < end; at = zeroByteAt(rest, from)) {
    if (!rest.startsWith("ff", at + 2)) return null;
    digits += rest.slice(from, at + 2);
    from = at + 4;
  }
  return digits + rest.slice(from, end);
}

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
    const part = hex.slice(from - 2, at);
    parts.push((kind === "02" ? lastTextOf(part) : lastBytesOf(part)) ?? "");
  }
  return parts;
}

function endOfPart(hex: string, from: number): number {
  let at = zeroByteAt(hex, from);
  while (hex.startsWith("ff", at + 2)) at = zeroByteAt(hex, at + 4);
  return at;
}

function escape(digits: string): string {
  let [escaped, from] = ["", 0];
  for (let at = zeroByteAt(digits, 0); at < digits.length; at = zeroByteAt(digits, from)) {
    escaped += `${digits.slice(from, at)}00ff`;
    from = at + 2;
  }
  return escaped + digits.slice(from);
}

function zeroByteAt(hex: string, from: number): number {
  let at = hex.indexOf("00", from);
  while (at % 2 === 1) at = hex.indexOf("00", at + 1);
  return at < 0 ? hex.length : at;
}

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

/** Inverts bits of the number, so that the bytes sort like the numbers. */
function hexOfNumber(value: number): string {
  scratch.setFloat64(0, value);
  const [high, low] = [scratch.getUint32(0), scratch.getUint32(4)];
  const isNegative = high >= 2 ** 31;
  scratch.setUint32(0, isNegative ? ~high : high + 2 ** 31);
  scratch.setUint32(4, isNegative ? ~low : low);
  return scratchBytes.toHex();
}

function numberOfHex(hex: string): number {
  const [high, low] = [parseInt(hex.slice(0, 8), 16), parseInt(hex.slice(8), 16)];
  const isNegative = high < 2 ** 31;
  scratch.setUint32(0, isNegative ? ~high : high - 2 ** 31);
  scratch.setUint32(4, isNegative ? ~low : low);
  return scratch.getFloat64(0);
}
