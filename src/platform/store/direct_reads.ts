/**
 * Reads rows of the store's file with `node:sqlite`, which is faster than Deno KV
 * (docs/decisions/keys.md). The table must be `kv (k, v, v_encoding, version)`: `k` is a key as
 * `keyHex` writes it, `v_encoding` is 3 for bytes, and `version` is the number of the commit. If
 * the table looks different or a read fails, Deno KV reads the rows. Before an update of Deno, run
 * `tests/platform/engine_test.ts` with the new version.
 */
import { Buffer } from "node:buffer";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ABOVE_ALL, keyHex, type PlainKey } from "./key_hex.ts";
import { roomLog } from "../log.ts";
import { isOfKnownEngine, readLayout } from "./file_layout.ts";
import { beforeClosing } from "./store_trouble.ts";
import { isBusy, openFileToRead } from "./store_file.ts";

export interface StoredBytes {
  readonly value: Uint8Array<ArrayBuffer>;
  readonly versionstamp: string;
}

export interface WalkedRow<Part> extends StoredBytes {
  readonly part: Part;
}

export type BytesAt = StoredBytes | null;

/** Bounds are hex digits of the key after a prefix; with `before`, rows are read backwards. */
interface WalkRange {
  /** Start of the range; null for the first key. Only a backward read includes the start. */
  readonly after: string | null;
  /** The range ends before this key. */
  readonly before?: string;
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
/** Joins the values of all rows in one row, because many small values are slow to allocate. */
const rangeOf = (keys: string, after = ">", order = "ASC") =>
  `SELECT CAST(group_concat(CAST(v AS TEXT), '') AS BLOB), json_group_array(length(v)), ${keys},
  json_group_array(version), min(v_encoding), max(v_encoding)
  FROM (SELECT k, ${COLUMNS} kv WHERE k ${after} unhex(?2) AND k < unhex(?3) ORDER BY k ${order} LIMIT ?4)`;
const RESTS = "lower(group_concat(hex(substr(k, ?1 + 1)), char(10)))";
const SEARCH = `SELECT wanted.key, ${COLUMNS} json_each(?) AS wanted
  CROSS JOIN kv ON kv.k = unhex(wanted.value)`;
const COUNT = `SELECT count(*) FROM (SELECT 1 FROM kv WHERE k > unhex(?) AND k < unhex(?) LIMIT ?)`;
const SINGLE = `SELECT ${COLUMNS} kv WHERE k = unhex(?)`;

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
      single: prepare(file, SINGLE),
      count: prepare(file, COUNT),
    };
    beforeClosing(kv, () => file.isOpen && file.close());
  }

  async findDifference(): Promise<string | null> {
    for (const reverse of [false, true]) {
      for await (const row of this.#kv.list({ prefix: [] }, { limit: SAMPLE_ROWS, reverse })) {
        // If a row differs, compare it again, because another process may have changed it
        // meanwhile.
        if (this.#agrees(row) || this.#agrees(await this.#kv.get(row.key))) continue;
        return "the store's file has other rows than the engine reads from it";
      }
    }
    return null;
  }

  #agrees({ key, value, versionstamp }: Deno.KvEntryMaybe<unknown>): boolean {
    if (!isPlain(key)) return true;
    const [row] = this.#statements.single.all(keyHex(key));
    const [found, encoding, version] = Array.isArray(row) ? row : [];
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
    const range = { from: start + (after ?? ""), to: start + (before ?? ABOVE_ALL) };
    const rows: WalkedRow<Part>[] = [];
    for (let step = STEP_ROWS; rows.length < limit;) {
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
    }
    return rows;
  }

  /** Reads rows of one workspace in the order of `keys`; a missing row is null. */
  async at(keys: readonly PlainKey[]): Promise<readonly BytesAt[] | null> {
    const rows: BytesAt[] = Array.from(keys, () => null);
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

  /** After many reads, waits for one call of Deno KV, so that Deno KV can serve other callers. */
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

  /** An error switches the reader off, unless the file is locked or closed. */
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

export function isPlain(key: Deno.KvKey): key is PlainKey {
  return key.every((part) => typeof part !== "boolean" && typeof part !== "bigint");
}
