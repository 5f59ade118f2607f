/**
 * Reads rows of the store's file with `node:sqlite`, which is faster than Deno KV
 * (docs/decisions/keys.md). Deno KV must use the table `kv (k, v, v_encoding, version)`: `k` is the
 * key as bytes (in hex: `keyHex`), `v` the value, `v_encoding` 3 if the value is bytes, `version`
 * the commit's number. If the table differs or a read fails, Deno KV reads the rows. Before an
 * update of Deno, run `tests/platform/engine_test.ts` with the new version.
 */
import { Buffer } from "node:buffer";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { encoder } from "../../base/bytes.ts";
import { memoize } from "../../base/collections.ts";
import { roomLog } from "../log.ts";
import { isOfKnownEngine, readLayout } from "./file_layout.ts";
import { beforeClosing } from "./store_trouble.ts";
import { isBusy, openFileToRead } from "./store_file.ts";

export type PlainKey = readonly (string | number | Uint8Array)[];

export function isPlain(key: Deno.KvKey): key is PlainKey {
  return key.every((part) => typeof part !== "boolean" && typeof part !== "bigint");
}

export interface StoredBytes {
  readonly value: Uint8Array<ArrayBuffer>;
  readonly versionstamp: string;
}

export interface WalkedRow<Part> extends StoredBytes {
  readonly part: Part;
}

export type BytesAt = StoredBytes | null;

/** A range of keys without their common prefix, in descending order if `before` is set. */
export interface WalkRange {
  /** Lower end of the range (null: no limit); inclusive if `before` is set, otherwise exclusive. */
  readonly after: PlainKey | null;
  /** Upper end of the range, exclusive. */
  readonly before?: PlainKey;
}

/** A read returns null if Deno KV must read the rows instead. */
export type DirectReads = Pick<FileReads, "whyOff" | "walk" | "at" | "count">;

const ROWS_PER_YIELD = 500;
const STEP_ROWS = 64;
const STATEMENT_COST_IN_ROWS = 20;
const STEP_BYTES = 128 * 1_024;
const COUNTED_PER_COST = 50;
const COST_OF_SEARCH = 4;
const SAMPLE_ROWS = 32;
const PLAIN_BYTES = 3;

const COLUMNS = "v, v_encoding, version FROM";
/** The query joins all values into one row, because allocating many small values is slow. */
const rangeOf = (keys: string, after = ">", order = "ASC") =>
  `SELECT CAST(group_concat(CAST(v AS TEXT), '') AS BLOB), json_group_array(length(v)), ${keys},
  json_group_array(version), min(v_encoding), max(v_encoding)
  FROM (SELECT k, ${COLUMNS} kv WHERE k ${after} unhex(?2) AND k < unhex(?3) ORDER BY k ${order} LIMIT ?4)`;
const RESTS = "lower(group_concat(hex(substr(k, ?1 + 1)), char(10)))";
const SEARCH = `SELECT wanted.key, ${COLUMNS} json_each(?) AS wanted
  CROSS JOIN kv ON kv.k = unhex(wanted.value)`;
const COUNT = `SELECT count(*) FROM (SELECT 1 FROM kv WHERE k > unhex(?) AND k < unhex(?) LIMIT ?)`;

declare module "node:sqlite" {
  interface StatementSync {
    setReturnArrays(isOn: boolean): void;
  }
}

const log = roomLog("store");

/** Closing `kv` also closes the file. */
export async function openDirectReads(path: string, kv: Deno.Kv): Promise<DirectReads> {
  let file: DatabaseSync | null = null;
  let whyOff: string | null = "the store's tables are not those that are known";
  try {
    file = openFileToRead(path);
    if (isOfKnownEngine(readLayout(file))) {
      const reads = new FileReads(file, kv);
      whyOff = await reads.findDifference();
      if (whyOff === null) return reads;
    }
  } catch (error) {
    whyOff = `the store's file cannot be read directly (${error})`;
  }
  log.warning(`${whyOff}: the engine reads lists, slower`);
  file?.close();
  const none = () => Promise.resolve(null);
  return { whyOff, walk: none, at: none, count: none };
}

class FileReads {
  readonly #file: DatabaseSync;
  readonly #kv: Deno.Kv;
  readonly #statements;
  /** Number of rows per SQL query for each table, so that a query returns about `STEP_BYTES`. */
  readonly #steps = new Map<PlainKey[number] | undefined, number>();
  #costSinceYield = 0;
  #bytes = 0;
  #yields = 0;
  /** Why the reader has switched itself off; null while the reader is on. */
  whyOff: string | null = null;

  constructor(file: DatabaseSync, kv: Deno.Kv) {
    this.#file = file;
    this.#kv = kv;
    this.#statements = {
      range: prepare(file, rangeOf(RESTS)),
      back: prepare(file, rangeOf(RESTS, ">=", "DESC")),
      search: prepare(file, SEARCH),
      count: prepare(file, COUNT),
    };
    beforeClosing(kv, () => file.isOpen && file.close());
  }

  async findDifference(): Promise<string | null> {
    for (const reverse of [false, true]) {
      for await (const row of this.#kv.list({ prefix: [] }, { limit: SAMPLE_ROWS, reverse })) {
        // Compare a second time, because another process may have changed the row in between.
        if (this.#agrees(row) || this.#agrees(await this.#kv.get(row.key))) continue;
        return "the store's file has other rows than the engine reads from it";
      }
    }
    return null;
  }

  #agrees({ key, value, versionstamp }: Deno.KvEntryMaybe<unknown>): boolean {
    if (!isPlain(key)) return true;
    const [row] = this.#statements.search.all(JSON.stringify([keyHex(key)]));
    const [, found, encoding, version] = Array.isArray(row) ? row : [];
    if (versionstamp === null) return found === undefined;
    if (versionstamp !== versionstampOf(Number(version))) return false;
    if (!isBytes(value)) return encoding !== PLAIN_BYTES;
    return encoding === PLAIN_BYTES && isBytes(found) && Buffer.compare(found, value) === 0;
  }

  async walk<Part>(
    prefix: PlainKey,
    { after, before }: WalkRange,
    limit: number,
    partOf: (rest: string) => Part | null,
  ): Promise<WalkedRow<Part>[] | null> {
    const start = keyHex(prefix);
    const isBack = before !== undefined;
    const statement = isBack ? this.#statements.back : this.#statements.range;
    const to = start + (before ? keyHex(before) : ABOVE_ALL);
    const range = { from: start + keyHex(after ?? []), to };
    const rows: WalkedRow<Part>[] = [];
    for (let step = this.#steps.get(prefix[0]) ?? STEP_ROWS; rows.length < limit;) {
      await this.#yieldToEngine(prefix);
      const asked = Math.ceil(Math.min(step, limit - rows.length));
      const [row] = this.#run(statement, [start.length / 2, range.from, range.to, asked]) ?? [];
      const found = Array.isArray(row) ? readTogether(row, partOf, isBack) : null;
      this.#costSinceYield += Math.min(asked, STATEMENT_COST_IN_ROWS + (found?.rows.length ?? 0));
      if (found === null) return null;
      let bytes = 1;
      for (const one of found.rows) {
        rows.push(one);
        bytes += one.value.length;
      }
      this.#bytes += bytes;
      if (found.rows.length < asked) break;
      range[isBack ? "to" : "from"] = start + found.last;
      const fitting = Math.floor(STEP_BYTES * found.rows.length / bytes);
      step = Math.max(STEP_ROWS, Math.min(ROWS_PER_YIELD, fitting));
      this.#steps.set(prefix[0], step);
    }
    return rows;
  }

  /** Returns the rows in the order of `keys`, with null for each missing row. */
  async at(keys: readonly PlainKey[]): Promise<readonly BytesAt[] | null> {
    const rows = new Array<BytesAt>(keys.length).fill(null);
    for (let first = 0; first < keys.length; first += STEP_ROWS) {
      const wanted = keys.slice(first, first + STEP_ROWS);
      await this.#yieldToEngine(wanted[0] ?? []);
      this.#costSinceYield += wanted.length * COST_OF_SEARCH;
      const found = this.#run(this.#statements.search, [JSON.stringify(wanted.map(keyHex))]);
      for (const row of found ?? [null]) {
        const [place, value, encoding, version] = Array.isArray(row) ? row : [];
        if (encoding !== PLAIN_BYTES || !isBytes(value)) return null;
        rows[first + Number(place)] = { value, versionstamp: versionstampOf(Number(version)) };
        this.#bytes += value.length;
      }
    }
    return rows;
  }

  async count(prefix: PlainKey, max: number): Promise<number | null> {
    await this.#yieldToEngine(prefix);
    const start = keyHex(prefix);
    const [row] = this.#run(this.#statements.count, [start, start + ABOVE_ALL, max]) ?? [];
    const counted = Array.isArray(row) ? Number(row[0]) : null;
    this.#costSinceYield += COST_OF_SEARCH + Math.ceil((counted ?? 0) / COUNTED_PER_COST);
    return counted;
  }

  /** After many direct reads, waits for a call of Deno KV, so that other calls get their turn. */
  async #yieldToEngine(prefix: PlainKey): Promise<void> {
    while (this.#costSinceYield >= ROWS_PER_YIELD || this.#bytes >= 1_000_000) {
      const yields = this.#yields;
      await this.#kv.get([...prefix]);
      if (yields !== this.#yields) continue;
      this.#yields++;
      this.#costSinceYield = 0;
      this.#bytes = 0;
    }
  }

  /** An error switches all later direct reads off, unless the file was only locked or closed. */
  #run(statement: StatementSync, values: readonly (string | number)[]) {
    if (this.whyOff !== null) return null;
    try {
      const rows: unknown[] = statement.all(...values);
      return rows;
    } catch (error) {
      if (this.#file.isOpen && !isBusy(error)) {
        this.whyOff = `the store's file was not read directly: ${error}`;
        log.warning("the store's file was not read directly, the engine is asked", { error });
      }
      return null;
    }
  }
}

function prepare(file: DatabaseSync, sql: string): StatementSync {
  const statement = file.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

function readTogether<Part>(
  columns: readonly unknown[],
  partOf: (rest: string) => Part | null,
  isBack: boolean,
): { readonly rows: WalkedRow<Part>[]; readonly last: string } | null {
  const [bytes, lengths, keys, versions, firstEncoding, lastEncoding] = columns;
  const rows: WalkedRow<Part>[] = [];
  if (firstEncoding === null) return { rows, last: "" };
  if (firstEncoding !== PLAIN_BYTES || lastEncoding !== PLAIN_BYTES || !isBytes(bytes)) return null;
  const numbersOf = (column: unknown): number[] => JSON.parse(String(column));
  const [valueLengths, rests] = [numbersOf(lengths), String(keys).split("\n")];
  if (rests.length !== valueLengths.length) return null;
  let [at, last] = [0, ""];
  for (const [n, version] of numbersOf(versions).entries()) {
    const rest = rests[n] ?? "";
    const part = partOf(rest);
    const end = at + (valueLengths[n] ?? 0);
    // Check the order of keys, because SQLite does not guarantee the order of joined rows.
    const isBehind = n === 0 || (isBack ? rest < last : rest > last);
    if (part === null || !isBehind) return null;
    rows.push({ part, value: bytes.subarray(at, end), versionstamp: versionstampOf(version) });
    [at, last] = [end, rest];
  }
  return { rows, last };
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

function versionstampOf(version: number): string {
  return `${version.toString(16).padStart(16, "0")}0000`;
}

/** `ignoreBOM` keeps the character U+FEFF at the start of a key part. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A prefix followed by `ff` sorts after all keys that begin with the prefix. */
const ABOVE_ALL = "ff";

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
  return `01${escape(part.toHex())}00`;
}

const hexOfText = memoize((part) => `02${escape(encoder.encode(part).toHex())}00`, 64);

/** Returns the bytes as hex digits if `rest` is exactly one key part of bytes, otherwise null. */
export function lastBytesOf(rest: string): string | null {
  return lastOf(rest, "01");
}

export function lastTextOf(rest: string): string | null {
  const digits = lastOf(rest, "02");
  return digits === null ? null : decoder.decode(Uint8Array.fromHex(digits));
}

function lastOf(rest: string, kind: "01" | "02"): string | null {
  const end = rest.length - 2;
  return rest.startsWith(kind) && endOfPart(rest, 2) === end ? unescape(rest.slice(2, end)) : null;
}

/** Reverses `keyHex`. */
export function keyOfHex(hex: string): (string | number | Uint8Array)[] {
  const parts: (string | number | Uint8Array)[] = [];
  for (let at = 0; at < hex.length;) {
    const from = at + 2;
    if (hex.startsWith("21", at)) {
      at = from + 16;
      parts.push(numberOfHex(hex.slice(from, at)));
      continue;
    }
    const end = endOfPart(hex, from);
    const bytes = Uint8Array.fromHex(unescape(hex.slice(from, end)));
    parts.push(hex.startsWith("02", at) ? decoder.decode(bytes) : bytes);
    at = end + 2;
  }
  return parts;
}

export function partsOfHex(hex: string): (string | number)[] {
  return keyOfHex(hex).map((part) => part instanceof Uint8Array ? part.toHex() : part);
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

function unescape(digits: string): string {
  let [plain, from] = ["", 0];
  for (let at = zeroByteAt(digits, 0); at < digits.length; at = zeroByteAt(digits, from)) {
    plain += digits.slice(from, at + 2);
    from = at + 4;
  }
  return plain + digits.slice(from);
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
