/** Makes ids of 12 bytes, and ULIDs for requests; both sort by the time of their creation. */
import assert, { AssertionError } from "node:assert/strict";
import { sha256Hex } from "./bytes.ts";
import { memoize } from "./collections.ts";

const COUNTER_SIZE = 2 ** 24;
const ID = /^[0-9a-f]{24}$/;
const ID_CHARACTERS = 24;

/**
 * An id has 4 bytes of seconds, 5 random bytes that all ids of a source share, and a counter of 3
 * bytes (docs/decisions/http.md). Each new id is greater, even if the clock goes back.
 */
export function createIdSource(
  nowMs: () => number,
  randomBytes: (count: number) => Uint8Array,
): () => string {
  const seed = randomBytes(8);
  const source = seed.slice(0, 5).toHex();
  let counter = parseInt(seed.slice(5).toHex(), 16);
  let seconds = 0;

  return () => {
    const nowSeconds = Math.floor(nowMs() / 1000);
    counter = (counter + 1) % COUNTER_SIZE;
    if (nowSeconds > seconds) seconds = nowSeconds;
    else if (counter === 0) seconds += 1;
    return hex(seconds, 8) + source + hex(counter, 6);
  };
}

export function leastIdAt(atMs: number): string {
  return secondsHex(atMs) + "0".repeat(ID_CHARACTERS - 8);
}

/** Returns the same id for the same time and text: 4 bytes of seconds, 8 bytes of SHA-256. */
export function idAt(atMs: number, text: string): string {
  return secondsHex(atMs) + sha256Hex(text).slice(0, ID_CHARACTERS - 8);
}

export function secondsHex(atMs: number): string {
  return hex(Math.floor(atMs / 1000), 8);
}

/** Callers must not change the returned 12 bytes, which are cached. */
export const idBytes: (id: string) => Uint8Array = memoize((id) => {
  // `assert` would make `idBytes` twice as slow, and `idBytes` runs for every key.
  if (!isId(id)) throw new AssertionError({ message: "Not an id" });
  return Uint8Array.fromHex(id);
}, ID_CHARACTERS);

export function idText(bytes: Uint8Array): string {
  assert(bytes.length === 12, "Not the bytes of an id");
  return bytes.toHex();
}

/** Returns a 32-bit hash; different ids can have the same hash. */
export function idMark(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export function isId(text: string): boolean {
  return ID.test(text);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Maps digits of `toString(32)` to Crockford's base32, for example `i` (18) to `J`. */
const LETTERS = new Map(
  Array.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ", (letter, n) => [n.toString(32), letter]),
);
const RANDOM_BITS = 80n;

/**
 * Makes ULIDs: 48 bits of milliseconds and 80 random bits, in Crockford's base32. Each ULID is
 * greater than the previous one, even if the clock goes back.
 */
export function createUlidSource(
  nowMs: () => number,
  randomBytes: (count: number) => Uint8Array,
): () => string {
  let last = -1n;
  return () => {
    const now = BigInt(Math.floor(nowMs()));
    const isLater = now > last >> RANDOM_BITS;
    last = isLater ? now << RANDOM_BITS | BigInt(`0x${randomBytes(10).toHex()}`) : last + 1n;
    let ulid = "";
    for (const digit of last.toString(32).padStart(26, "0")) ulid += LETTERS.get(digit);
    return ulid;
  };
}

export class RowSums {
  readonly #sums = new Map<string, { count: number; sum: number }>();

  add(name: string, row: string): void {
    const known = this.#sums.get(name);
    if (known === undefined) {
      this.#sums.set(name, { count: 1, sum: idMark(row) });
      return;
    }
    known.count++;
    known.sum = (known.sum + idMark(row)) >>> 0;
  }

  count(name: string): number {
    return this.#sums.get(name)?.count ?? 0;
  }

  isSame(name: string, other: RowSums): boolean {
    const [own, its] = [this.#sums.get(name), other.#sums.get(name)];
    return own?.count === its?.count && own?.sum === its?.sum;
  }

  names(): Iterable<string> {
    return this.#sums.keys();
  }
}
