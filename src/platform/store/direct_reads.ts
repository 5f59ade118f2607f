/**
 * Rows of a store's file, read past the engine: it copies each row from its thread into this one and
 * makes a promise for it, which costs four times what reading does. A read here keeps this thread
 * until it is done. So it is for rows whose values are bytes, a bounded number of them at a time, and
 * who wants more lets the engine answer something in between: its answer comes from another thread,
 * and before it has come the process sees to everybody else. What was committed is there for every
 * read that begins after the commit was answered, as with the engine.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { roomLog } from "../log.ts";
import { isOfKnownEngine, readLayout } from "./file_layout.ts";
import { beforeClosing } from "./replace_method.ts";
import { ABOVE_ALL, hexOfBytes, hexOfText, keyHex, lastBytesOf, type PlainKey } from "./key_hex.ts";
import { isBusy, openFileToRead } from "./store_file.ts";

/** A row whose key ends in bytes, and whose value is bytes. */
export interface BytesRow {
  /** The last part of the key: bytes as lower-case hex digits, which is what an id is outside of keys. */
  readonly part: string;
  readonly value: Uint8Array<ArrayBuffer>;
  readonly versionstamp: string;
}

/** A row of bytes whose key who asked for it knows; null where there is none. */
export type BytesAt = Omit<BytesRow, "part"> | null;

/** Reads of a file; parts are those of `BytesRow`. Null where only the engine can answer: it then says what is the matter, too. */
export interface DirectReads {
  /** Up to `limit` rows right below `prefix`, after the one of `after`, in the order of their keys. */
  list(
    prefix: PlainKey,
    after: string | null,
    limit: number,
  ): Promise<readonly BytesRow[] | null>;
  /** As `list`, of rows whose keys end in a text without zeros, which is their part. */
  listTexts(
    prefix: PlainKey,
    after: string | null,
    limit: number,
  ): Promise<readonly BytesRow[] | null>;
  /** The rows of `parts` below `prefix`, in that order; those that there are not are left out. */
  get(prefix: PlainKey, parts: readonly string[]): Promise<readonly BytesRow[] | null>;
  /** The rows of keys of one workspace, in their order. */
  at(keys: readonly PlainKey[]): Promise<readonly BytesAt[] | null>;
  /** How many rows lie below `prefix`, whatever their values; no more than `max` are counted. */
  count(prefix: PlainKey, max: number): Promise<number | null>;
}

/** What is read before others have their turn: about a millisecond. */
const TURN_ROWS = 500;
const TURN_BYTES = 1_000_000;
/** Rows of one statement: they are read before their bytes are known. */
const STEP_ROWS = 64;
/** Rows that are counted and not read cost next to nothing. */
const COUNTED_PER_COST = 50;
/** Rows that lie apart cost a search each, and a page of the file where it is not in memory. */
const COST_OF_SEARCH = 4;
/** How the engine marks values that are bytes. */
const PLAIN_BYTES = 3;

const COLUMNS = "v, v_encoding, version FROM";
/** Rows one behind another: memory for each value by itself costs more than reading it. */
const RANGE = `SELECT CAST(group_concat(CAST(v AS TEXT), '') AS BLOB), json_group_array(length(v)),
  lower(hex(CAST(group_concat(CAST(substr(k, ?1 + 1) AS TEXT), '') AS BLOB))),
  json_group_array(length(k) - ?1), json_group_array(version), min(v_encoding), max(v_encoding)
  FROM (SELECT k, ${COLUMNS} kv WHERE k > unhex(?2) AND k < unhex(?3) ORDER BY k LIMIT ?4)`;
/** The text behind a prefix and the letter of its type, without the zero that ends it. */
const TEXTS = `SELECT CAST(substr(k, ?1 + 2, length(k) - ?1 - 2) AS TEXT), ${COLUMNS} kv
  WHERE k > unhex(?2) AND k < unhex(?3) ORDER BY k LIMIT ?4`;
const SEARCH = `SELECT wanted.key, ${COLUMNS} json_each(?) AS wanted
  CROSS JOIN kv ON kv.k = unhex(wanted.value)`;
const COUNT = `SELECT count(*) FROM (SELECT 1 FROM kv WHERE k > unhex(?) AND k < unhex(?) LIMIT ?)`;
const SINGLE = `SELECT ${COLUMNS} kv WHERE k = unhex(?)`;

declare module "node:sqlite" {
  interface StatementSync {
    /** Rows are arrays from then on: half the work. The engine has it, its types do not. */
    setReturnArrays(isOn: boolean): void;
  }
}

const log = roomLog("store");

/**
 * Reads of the file at `path`, which `kv` has open: they end with it, and its turns are asked for. Null,
 * with a line in the log, where the file cannot be opened or is not laid out as is known here.
 */
export function openDirectReads(path: string, kv: Deno.Kv): DirectReads | null {
  let file: DatabaseSync | null = null;
  try {
    file = openFileToRead(path);
    if (isOfKnownEngine(readLayout(file))) return new FileReads(file, kv);
    log.warning("the store's tables are not those that are known: the engine reads lists, slower");
  } catch (error) {
    log.warning("the store's file cannot be read directly: the engine reads lists, slower", {
      error,
    });
  }
  file?.close();
  return null;
}

class FileReads implements DirectReads {
  readonly #file: DatabaseSync;
  readonly #kv: Deno.Kv;
  readonly #range: StatementSync;
  readonly #texts: StatementSync;
  readonly #search: StatementSync;
  readonly #single: StatementSync;
  readonly #count: StatementSync;
  /** What was read since the engine was last asked. */
  #rows = 0;
  #bytes = 0;
  /** How often a turn has begun. */
  #turns = 0;
  #hasTold = false;

  constructor(file: DatabaseSync, kv: Deno.Kv) {
    this.#file = file;
    this.#kv = kv;
    this.#range = prepare(file, RANGE);
    this.#texts = prepare(file, TEXTS);
    this.#search = prepare(file, SEARCH);
    this.#single = prepare(file, SINGLE);
    this.#count = prepare(file, COUNT);
    beforeClosing(kv, () => file.isOpen && file.close());
  }

  list(prefix: PlainKey, after: string | null, limit: number) {
    const start = keyHex(prefix);
    const end = start + ABOVE_ALL;
    return this.#walk(prefix, after, limit, (last, asked) => {
      const from = last === null ? start : start + hexOfBytes(last);
      this.#rows += asked;
      const [row] = this.#run(this.#range, [start.length / 2, from, end, asked]) ?? [];
      const rows = Array.isArray(row) ? readTogether(row) : null;
      for (const { value } of rows ?? []) this.#bytes += value.length;
      return rows;
    });
  }

  listTexts(prefix: PlainKey, after: string | null, limit: number) {
    const start = keyHex(prefix);
    const end = start + ABOVE_ALL;
    return this.#walk(prefix, after, limit, (last, asked) => {
      const from = last === null ? start : start + hexOfText(last);
      return this.#ask(this.#texts, asked, [start.length / 2, from, end, asked], (text) => text);
    });
  }

  /** Step by step, each behind the last part of the one before. */
  async #walk(
    prefix: PlainKey,
    after: string | null,
    limit: number,
    read: (last: string | null, asked: number) => BytesRow[] | null,
  ): Promise<BytesRow[] | null> {
    const rows: BytesRow[] = [];
    while (rows.length < limit) {
      await this.#turn(prefix);
      const asked = Math.ceil(Math.min(STEP_ROWS, limit - rows.length));
      const found = read(rows.at(-1)?.part ?? after, asked);
      if (found === null) return null;
      rows.push(...found);
      if (found.length < asked) break;
    }
    return rows;
  }

  async get(prefix: PlainKey, parts: readonly string[]) {
    const start = keyHex(prefix);
    const rows: BytesRow[] = [];
    for (let first = 0; first < parts.length; first += STEP_ROWS) {
      await this.#turn(prefix);
      const wanted = parts.slice(first, first + STEP_ROWS);
      const keys = JSON.stringify(wanted.map((part) => start + hexOfBytes(part)));
      const cost = wanted.length * COST_OF_SEARCH;
      const found = this.#ask(this.#search, cost, [keys], (n) => wanted[Number(n)]);
      if (found === null) return null;
      rows.push(...found);
    }
    return rows;
  }

  async at(keys: readonly PlainKey[]) {
    const rows: BytesAt[] = [];
    for (const [n, key] of keys.entries()) {
      if (n % STEP_ROWS === 0) await this.#turn(key);
      this.#rows += COST_OF_SEARCH;
      const found = this.#run(this.#single, [keyHex(key)]);
      if (found === null) return null;
      const [columns] = found;
      const [value, encoding, version] = Array.isArray(columns) ? columns : [];
      const row = columns === undefined ? null : readRow(value, encoding, version);
      if (row === undefined) return null;
      rows.push(row);
      this.#bytes += row?.value.length ?? 0;
    }
    return rows;
  }

  async count(prefix: PlainKey, max: number) {
    await this.#turn(prefix);
    const start = keyHex(prefix);
    const [row] = this.#run(this.#count, [start, start + ABOVE_ALL, max]) ?? [];
    const counted = Array.isArray(row) ? Number(row[0]) : null;
    this.#rows += COST_OF_SEARCH + Math.ceil((counted ?? 0) / COUNTED_PER_COST);
    return counted;
  }

  /**
   * Waits for the engine in the order of its turns, by the workspace that `prefix` names; there is no
   * such row. Of many that wait at once the first begins the next turn, and the others share what is
   * left of it: else each of them would read as much.
   */
  async #turn(prefix: PlainKey): Promise<void> {
    while (this.#rows >= TURN_ROWS || this.#bytes >= TURN_BYTES) {
      const turns = this.#turns;
      await this.#kv.get([...prefix]);
      if (turns !== this.#turns) continue;
      this.#turns++;
      this.#rows = 0;
      this.#bytes = 0;
    }
  }

  /** What is the matter with the file the engine says to whoever asked; a closed one, too. */
  #run(statement: StatementSync, values: readonly (string | number)[]) {
    try {
      const rows: unknown[] = statement.all(...values);
      return rows;
    } catch (error) {
      if (this.#file.isOpen && !this.#hasTold && !isBusy(error)) {
        this.#hasTold = true;
        log.warning("the store's file was not read directly, the engine is asked", { error });
      }
      return null;
    }
  }

  /** Null for values that are no bytes, for keys that have no such part, and for what SQLite refuses. */
  #ask(
    statement: StatementSync,
    cost: number,
    values: readonly (string | number)[],
    partOf: (place: string) => string | null | undefined,
  ): BytesRow[] | null {
    // Rows that are not there were looked for, too.
    this.#rows += cost;
    const rows: BytesRow[] = [];
    for (const row of this.#run(statement, values) ?? [null]) {
      const [place, value, encoding, version] = Array.isArray(row) ? row : [];
      const part = partOf(String(place)) ?? null;
      const read = readRow(value, encoding, version);
      if (part === null || read === undefined) return null;
      rows.push({ part, ...read });
      this.#bytes += read.value.length;
    }
    return rows;
  }
}

function prepare(file: DatabaseSync, sql: string): StatementSync {
  const statement = file.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** The columns of `COLUMNS`; undefined for a value that is no bytes. */
function readRow(value: unknown, encoding: unknown, version: unknown) {
  if (encoding !== PLAIN_BYTES || !isBytes(value)) return undefined;
  return { value, versionstamp: versionstampOf(Number(version)) };
}

/** The rows of `RANGE`; null where one has no bytes, or a key that does not end in such a part. */
function readTogether(columns: readonly unknown[]): BytesRow[] | null {
  const [bytes, lengths, keys, keyLengths, versions, firstEncoding, lastEncoding] = columns;
  if (firstEncoding === null) return [];
  if (firstEncoding !== PLAIN_BYTES || lastEncoding !== PLAIN_BYTES || !isBytes(bytes)) return null;
  const numbersOf = (column: unknown): number[] => JSON.parse(String(column));
  const [valueLengths, partLengths] = [numbersOf(lengths), numbersOf(keyLengths)];
  const parts = String(keys);
  const rows: BytesRow[] = [];
  let [at, keyAt, last] = [0, 0, ""];
  for (const [n, version] of numbersOf(versions).entries()) {
    const keyEnd = keyAt + 2 * (partLengths[n] ?? 0);
    const key = parts.slice(keyAt, keyEnd);
    const part = lastBytesOf(key);
    const end = at + (valueLengths[n] ?? 0);
    // SQLite promises no order of what it puts together, and keeps to that of the rows.
    if (part === null || key <= last) return null;
    rows.push({ part, value: bytes.subarray(at, end), versionstamp: versionstampOf(version) });
    [at, keyAt, last] = [end, keyEnd, key];
  }
  return rows;
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** As the engine tells a version: 8 bytes of the commit's number and 2 that it leaves at zero. */
function versionstampOf(version: number): string {
  return `${version.toString(16).padStart(16, "0")}0000`;
}
