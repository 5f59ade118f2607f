/** Methods that read rows of a table (`table.ts`). */
import { batchesOf } from "../../base/collections.ts";
import type { PlainKey } from "./direct_reads.ts";
import { getBytesAt, getRows, idIn } from "./rows.ts";
import type { Store } from "./kv.ts";
import { openText, type SealedText, sealText } from "./secret_store.ts";
import {
  keyFieldsIn,
  partsOf,
  placeOf,
  rowOf,
  secretIn,
  type TableIndex,
  type TableOptions,
} from "./table_options.ts";

export interface Found<Row> {
  readonly row: Row;
  readonly versionstamp: string;
}

interface ListOptions<Key> {
  readonly within?: Partial<Key>;
  /** Key of the last row on the previous page, without the key fields in `within`. */
  readonly after?: Partial<Key> | null;
  /** Reads only rows with keys smaller than `before`; must not be combined with `after`. */
  readonly before?: Partial<Key> | null;
  readonly order?: "asc" | "desc";
  readonly limit?: number | null;
}

export type Place<Owner> = Owner & { readonly store: Store };
const BEHIND_ALL = true;
const BATCH_SIZE = 500;
const ROWS_AT_ONCE = 50;

export abstract class TableReads<
  Row extends Key,
  Key extends object,
  Index extends string,
  Owner extends object,
> {
  protected readonly indexes: readonly TableIndex<Row>[];

  constructor(
    readonly options: TableOptions<Row>,
    readonly isOfStore: boolean,
    readonly ownerKey: (owner: Owner) => PlainKey,
  ) {
    this.indexes = Object.values(options.indexes ?? {});
  }

  async find(place: Place<Owner>, key: Key): Promise<Found<Row> | null> {
    return this.foundAt(await place.store.kv.get<Row>(this.keyOf(place, key)));
  }

  /** Reads the rows in the order of `keys`; null for a missing row. */
  async getMany(place: Place<Owner>, keys: readonly Key[]): Promise<(Found<Row> | null)[]> {
    const rows = await getRows<Row>(place.store, keys.map((key) => this.keyOf(place, key)));
    return rows.map((entry) => this.foundAt(entry));
  }

  async *walk(place: Place<Owner>, options: ListOptions<Key> = {}): AsyncGenerator<Found<Row>> {
    const prefix = this.prefixOf(place, this.options.prefix);
    for await (const entry of this.entries<Row>(place.store, prefix, options)) {
      const found = this.foundAt(entry);
      if (found) yield found;
    }
  }

  async list(place: Place<Owner>, options: ListOptions<Key> = {}): Promise<Found<Row>[]> {
    return await Array.fromAsync(this.walk(place, options));
  }

  async *walkAll(store: Store): AsyncGenerator<Found<Row> & { readonly workspaceId: string }> {
    for await (const entry of this.entries<Row>(store, [this.options.prefix], {})) {
      const found = this.foundAt(entry);
      if (found) yield { ...found, workspaceId: idIn(entry.key, 1) };
    }
  }

  async *walkIndex(
    place: Place<Owner>,
    index: Index,
    values: object,
    options: ListOptions<Key> = {},
    batchSize?: number,
  ): AsyncGenerator<{ readonly key: Key; readonly value: unknown }> {
    const { prefix, key, unique } = this.indexNamed(index);
    const all = [...this.prefixOf(place, prefix), ...partsOf(key, values)];
    for await (const entry of this.entries<unknown>(place.store, all, options, batchSize)) {
      yield { key: this.keyIn(unique ? [entry.value] : entry.key), value: entry.value };
    }
  }

  /** Yields rows whose first index fields equal `values`; skips rows that are deleted meanwhile. */
  async *walkBy(
    place: Place<Owner>,
    index: Index,
    values: object,
    { limit = null, ...range }: ListOptions<Key> = {},
  ): AsyncGenerator<Found<Row>> {
    let left = limit ?? Infinity;
    const batchSize = Math.min(limit ?? BATCH_SIZE, BATCH_SIZE);
    const keys = this.walkIndex(place, index, values, range, batchSize);
    for await (const batch of batchesOf(keys, Math.min(left, ROWS_AT_ONCE))) {
      for (const found of await this.getMany(place, batch.map(({ key }) => key))) {
        if (!found) continue;
        yield found;
        if (--left <= 0) return;
      }
    }
  }

  async listBy(
    place: Place<Owner>,
    index: Index,
    values: object,
    options: ListOptions<Key> = {},
  ): Promise<Found<Row>[]> {
    return await Array.fromAsync(this.walkBy(place, index, values, options));
  }

  async findBy(place: Place<Owner>, index: Index, values: object): Promise<Found<Row> | null> {
    const { prefix, key } = this.indexNamed(index);
    const at = [...this.prefixOf(place, prefix), ...partsOf(key, values)];
    const { value } = await place.store.kv.get<unknown>(at);
    return value === null ? null : await this.find(place, this.keyIn([value]));
  }

  async count(place: Place<Owner>, index: Index): Promise<number> {
    const { count, prefix } = this.indexNamed(index);
    if (count === undefined) throw new Error(`The index "${prefix}" is not counted`);
    return await this.countAt(place, count);
  }

  protected async countAt(place: Place<Owner>, prefix: string): Promise<number> {
    const { value } = await place.store.kv.get<Deno.KvU64>(this.prefixOf(place, prefix));
    return Number(value?.value ?? 0n);
  }

  /** Call this before reading rows; `checkVersion` then fails the commit if rows have changed. */
  async version(place: Place<Owner>): Promise<string | null> {
    const [row] = await getBytesAt(place.store, [this.versionKey(place)]);
    return row?.versionstamp ?? null;
  }

  async seal(place: Place<Owner>, key: Key, field: string, text: string): Promise<SealedText> {
    return await sealText(place.store, placeOf(this.options, this.keyOf(place, key), field), text);
  }

  async open(place: Place<Owner>, row: Row, field: string): Promise<string> {
    const secret = secretIn(row, field);
    if (secret === null) throw new Error(`"${this.options.prefix}" has no "${field}"`);
    const at = placeOf(this.options, this.keyOf(place, row), field);
    return await openText(place.store, at, secret);
  }

  keyOf(owner: Owner, key: Key): PlainKey {
    const parts = partsOf(this.options.key, key);
    const isWhole = parts.length === Object.keys(this.options.key).length;
    if (!isWhole) throw new Error(`A key of "${this.options.prefix}" lacks a field`);
    return [...this.prefixOf(owner, this.options.prefix), ...parts];
  }

  protected prefixOf(owner: Owner, prefix: string): (string | number | Uint8Array)[] {
    return [prefix, ...this.ownerKey(owner)];
  }

  protected versionKey(owner: Owner): (string | number | Uint8Array)[] {
    const { version, prefix } = this.options;
    if (version === undefined) throw new Error(`"${prefix}" has no version`);
    return this.prefixOf(owner, version);
  }

  protected indexNamed(name: string): TableIndex<Row> {
    const index = this.options.indexes?.[name];
    if (!index) throw new Error(`"${this.options.prefix}" has no index "${name}"`);
    return index;
  }

  protected foundAt({ key, value, versionstamp }: Deno.KvEntryMaybe<Row>): Found<Row> | null {
    return versionstamp === null ? null : { row: rowOf(this.options, key, value), versionstamp };
  }

  protected keyIn(parts: readonly unknown[]): Key {
    return Object(keyFieldsIn(this.options.key, parts));
  }

  protected entries<T>(
    store: Store,
    prefix: Deno.KvKey,
    { within = {}, after = null, before = null, order = "asc", limit = null }: ListOptions<Key>,
    batchSize = Math.min(limit ?? Infinity, this.options.batchSize ?? BATCH_SIZE),
  ): Deno.KvListIterator<T> {
    const all = [...prefix, ...partsOf(this.options.key, within)];
    const edge = [...prefix, ...partsOf(this.options.key, { ...within, ...after, ...before })];
    const bounds = order === "asc" && after ? { start: [...edge, BEHIND_ALL] } : { end: edge };
    const selector = after || before ? { prefix: all, ...bounds } : { prefix: all };
    const bound = limit === null ? {} : { limit };
    return store.kv.list<T>(selector, { ...bound, batchSize, reverse: order === "desc" });
  }
}
