/** Random secrets for API keys and tokens. */

import { randomBytes } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes from this multiple of 62 on are skipped, because they would favour some characters. */
const FAIR_BELOW = 248;

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BELOW && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
