/**
 * One declaration per kind of row. A table knows its keys, its codec and its index rows; reads, writes
 * and checks of the store follow from it, so a room writes none of them by hand:
 *
 *     export const views = defineTable<View, "id">({
 *       prefix: "vw",
 *       about: "a saved list of products; few in each workspace",
 *       key: { id: "id" },                                   // the row's own fields, in the order of the key
 *       version: "vwv",                                      // a row that changes with each row of the table
 *       indexes: { owner: { prefix: "vwo", key: { createdBy: "id" } } },
 *     });
 *     const found = await views.find(ctx, { id });           // { row, versionstamp } or null
 *     await views.listBy(ctx, "owner", { createdBy }, { limit: 50, after: { id: last } });
 *     views.save(write, ctx, found, { ...found.row, name }); // checked; `put` is not
 *     views.remove(write, ctx, found);                       // checked; `drop` is not
 *
 * The key of a row is `prefix W field…`, where W is the workspace; `defineStoreTable` makes tables of the
 * whole store, whose keys have no W. The key of an index row is `prefix W field… key…`, and it is empty;
 * a `unique` index has no `key…` in its key and leads to it by its value. A row has no index row for a
 * field that is null. Fields of `keyOnly` stand in the key alone; everything else of a row is stored as
 * it is, also fields that this version does not know, so change rows by `{ ...row, field }`.
 *
 * How to convert a store: give the table the prefixes that the store has, name the table in
 * `src/app/composition/tables.ts`, delete the store with its check. The list gives docs/keys.md
 * (UPDATE_DOCS=1 deno test -A tests/keys_document_test.ts) and check-store. Stores that are measured as
 * hot (products, offers, observations, columns of the market) keep keys of their own.
 */
import { batchesOf } from "../../base/collections.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "./context.ts";
import { idIn } from "./id_keys.ts";
import { isSameKey, type Store, type Write } from "./kv.ts";
import type { PlainKey } from "./direct_reads.ts";
import { GET_MANY_MAX, getBytesAt, getRows, removeInBatches } from "./rows.ts";
import {
  type Declaration,
  partIn,
  partsOf,
  serialiseKey,
  type TableIndex,
  type TableOptions,
} from "./table_options.ts";

/** A row with the version that writes check. */
export interface Found<Row> {
  readonly row: Row;
  readonly versionstamp: string;
}

/** Which rows, from where, and how many. */
export interface ListOptions<Key> {
  /** Leading fields of the key. */
  readonly within?: Partial<Key>;
  /** The key of the last row of the page before, or its fields behind `within`; null is the beginning. */
  readonly after?: Partial<Key> | null;
  /** By key; `asc` when absent. */
  readonly order?: "asc" | "desc";
  readonly limit?: number | null;
}

type Place<Owner> = Owner & { readonly store: Store };
type WorkspaceOwner = Pick<WorkspaceStore, "workspaceId">;

const EMPTY = new Uint8Array();
/** Sorts behind all keys that begin with the parts before it. */
const BEHIND_ALL = true;
const BATCH_SIZE = 500;
const ROWS_AT_ONCE = 100;
const REMOVED_PER_COMMIT = 100;

/** A table whose rows belong to workspaces. */
export function defineTable<
  Row extends object,
  Names extends keyof Row = never,
  Index extends string = never,
>(options: Declaration<Row, Names, Index>): Table<Row, Pick<Row, Names>, Index, WorkspaceOwner> {
  return new Table(options, false, ({ workspaceId }) => [idBytes(workspaceId)]);
}

/** A table of the whole store. */
export function defineStoreTable<
  Row extends object,
  Names extends keyof Row = never,
  Index extends string = never,
>(options: Declaration<Row, Names, Index>): Table<Row, Pick<Row, Names>, Index, object> {
  return new Table(options, true, () => []);
}

class Table<Row extends Key, Key extends object, Index extends string, Owner extends object> {
  readonly #indexes: readonly TableIndex<Row>[];

  constructor(
    readonly options: TableOptions<Row>,
    readonly isOfStore: boolean,
    readonly ownerKey: (owner: Owner) => PlainKey,
  ) {
    this.#indexes = Object.values(options.indexes ?? {});
  }

  /** Null for an unknown key, and for that of another workspace. */
  async find(place: Place<Owner>, key: Key): Promise<Found<Row> | null> {
    return this.#found(await place.store.kv.get<Row>(this.keyOf(place, key)));
  }

  /** In the order of `keys`, null for each that is not there. */
  async getMany(place: Place<Owner>, keys: readonly Key[]): Promise<(Found<Row> | null)[]> {
    const rows = await getRows<Row>(place.store, keys.map((key) => this.keyOf(place, key)));
    return rows.map((entry) => this.#found(entry));
  }

  /** Rows by key; reads as far as the caller walks. */
  async *walk(place: Place<Owner>, options: ListOptions<Key> = {}): AsyncGenerator<Found<Row>> {
    const prefix = this.#prefix(place, this.options.prefix);
    for await (const entry of this.#entries<Row>(place.store, prefix, options)) {
      const found = this.#found(entry);
      if (found) yield found;
    }
  }

  async list(place: Place<Owner>, options: ListOptions<Key> = {}): Promise<Found<Row>[]> {
    return await Array.fromAsync(this.walk(place, options));
  }

  /** The rows of all workspaces. */
  async *walkAll(store: Store): AsyncGenerator<Found<Row> & { readonly workspaceId: string }> {
    for await (const entry of this.#entries<Row>(store, [this.options.prefix], {})) {
      const found = this.#found(entry);
      if (found) yield { ...found, workspaceId: idIn(entry.key, 1) };
    }
  }

  /** Keys and values of an index in the order of its keys, without a look at the rows that it leads to. */
  async *walkIndex(
    place: Place<Owner>,
    index: Index,
    values: object,
    options: ListOptions<Key> = {},
    batchSize?: number,
  ): AsyncGenerator<{ readonly key: Key; readonly value: unknown }> {
    const { prefix, key, unique } = this.#index(index);
    const all = [...this.#prefix(place, prefix), ...partsOf(key, values)];
    for await (const entry of this.#entries<unknown>(place.store, all, options, batchSize)) {
      yield { key: this.#keyIn(unique ? [entry.value] : entry.key), value: entry.value };
    }
  }

  /** Rows of an index in the order of their keys; `values` are its leading fields. Rows that go meanwhile are passed over. */
  async *walkBy(
    place: Place<Owner>,
    index: Index,
    values: object,
    { limit = null, ...range }: ListOptions<Key> = {},
  ): AsyncGenerator<Found<Row>> {
    let left = limit ?? Infinity;
    // All that are asked for are read side by side; a walk without a limit may end soon and reads few at first.
    let atOnce = Math.min(limit ?? GET_MANY_MAX, ROWS_AT_ONCE);
    let keys: Key[] = [];
    const batchSize = Math.min(limit ?? BATCH_SIZE, BATCH_SIZE);
    for await (const { key } of this.walkIndex(place, index, values, range, batchSize)) {
      keys.push(key);
      if (keys.length < Math.min(atOnce, left)) continue;
      for (const found of await this.getMany(place, keys)) {
        if (!found) continue;
        yield found;
        if (--left <= 0) return;
      }
      keys = [];
      atOnce = Math.min(2 * atOnce, ROWS_AT_ONCE);
    }
    for (const found of await this.getMany(place, keys)) if (found) yield found;
  }

  async listBy(
    place: Place<Owner>,
    index: Index,
    values: object,
    options: ListOptions<Key> = {},
  ): Promise<Found<Row>[]> {
    return await Array.fromAsync(this.walkBy(place, index, values, options));
  }

  /** The row of a unique index. */
  async findBy(place: Place<Owner>, index: Index, values: object): Promise<Found<Row> | null> {
    const { prefix, key } = this.#index(index);
    const at = [...this.#prefix(place, prefix), ...partsOf(key, values)];
    const { value } = await place.store.kv.get<unknown>(at);
    return value === null ? null : await this.find(place, this.#keyIn([value]));
  }

  /** Of all rows together: read before them, and checked by `checkVersion`. */
  async version(place: Place<Owner>): Promise<string | null> {
    const [row] = await getBytesAt(place.store, [this.#versionKey(place)]);
    return row?.versionstamp ?? null;
  }

  /** The commit fails when any row was written since the version was read. */
  checkVersion(write: Write, owner: Owner, version: string | null): void {
    write.check(this.#versionKey(owner), version);
  }

  /** The commit fails when the row is not as it was found; null: when there is one. */
  check(write: Write, owner: Owner, key: Key, found: Found<Row> | null): void {
    write.check(this.keyOf(owner, key), found?.versionstamp ?? null);
  }

  /** The commit fails when the row has changed since `before` (null: there is one), or its unique keys are taken. */
  save(write: Write, owner: Owner, before: Found<Row> | null, after: Row): void {
    this.check(write, owner, before?.row ?? after, before);
    this.#putUnique(write, owner, before?.row ?? null, after);
  }

  /** A row with an id that is new: the commit fails when its unique keys are taken. */
  add(write: Write, owner: Owner, row: Row): void {
    this.#putUnique(write, owner, null, row);
  }

  #putUnique(write: Write, owner: Owner, before: Row | null, after: Row): void {
    for (const { key, isUnique } of this.#put(write, owner, before, after)) {
      if (isUnique) write.check(key, null);
    }
  }

  /** As `save`, checking nothing; `before` is needed where index rows may differ. */
  put(write: Write, owner: Owner, after: Row, before: Row | null = null): void {
    this.#put(write, owner, before, after);
  }

  /** The commit fails when the row has changed since it was found. */
  remove(write: Write, owner: Owner, found: Found<Row>): void {
    this.check(write, owner, found.row, found);
    this.#drop(write, owner, found.row);
  }

  /** As `remove`, checking nothing. The key alone does for a table without indexes. */
  drop(
    write: Write,
    owner: Owner,
    row: [Index] extends [never] ? Key : Row,
  ): void;
  drop(write: Write, owner: Owner, row: Row): void {
    this.#drop(write, owner, row);
  }

  #drop(write: Write, owner: Owner, row: Row): void {
    write.delete(this.keyOf(owner, row));
    for (const { key } of this.#indexRows(owner, row)) write.delete(key);
    this.#touch(write, owner);
  }

  /** Removes the rows whose keys begin with `within` and go on, or those of them that `goes` names, in commits of its own. */
  async clear(
    place: Place<Owner>,
    within: Partial<Key>,
    goes: (row: Row) => boolean = () => true,
  ): Promise<void> {
    const rows = filtered(this.walk(place, { within }), goes);
    await removeInBatches(place.store, rows, REMOVED_PER_COMMIT, (write, { row }) => {
      this.#drop(write, place, row);
    });
  }

  /** Removes the old rows of all workspaces, in commits of its own; answers how many. */
  async sweep(store: Store, isOld: (row: Row) => boolean): Promise<number> {
    const old = filtered(this.walkAll(store), isOld);
    return await removeInBatches(store, old, REMOVED_PER_COMMIT, (write, { row, ...place }) => {
      this.#drop(write, Object(place), row);
    });
  }

  /** For reads together with rows of other tables. */
  keyOf(owner: Owner, key: Key): Deno.KvKey {
    const parts = partsOf(this.options.key, key);
    const isWhole = parts.length === Object.keys(this.options.key).length;
    if (!isWhole) throw new Error(`A key of "${this.options.prefix}" lacks a field`);
    return [...this.#prefix(owner, this.options.prefix), ...parts];
  }

  /** A sentence for each index row that is missing, too many or wrong, and for what `check` says of a row. */
  async *inconsistencies(place: Owner & WorkspaceStore): AsyncGenerator<string> {
    const { prefix, most = Infinity } = this.options;
    const missing = new Map<string, number>();
    let count = 0;
    for await (const { row } of this.walk(place)) {
      count++;
      const trouble = await this.options.check?.(row, place);
      if (trouble) yield trouble;
      for (const { table } of this.#indexRows(place, row)) {
        missing.set(table, (missing.get(table) ?? 0) + 1);
      }
    }
    for (const index of this.#indexes) {
      const entries = this.#entries<unknown>(place.store, this.#prefix(place, index.prefix), {});
      for await (const batch of batchesOf(entries, GET_MANY_MAX)) {
        const keys = batch.map(({ key, value }) => this.#keyIn(index.unique ? [value] : key));
        for (const [at, found] of (await this.getMany(place, keys)).entries()) {
          const key = batch[at]?.key ?? [];
          const own = found ? this.#indexRows(place, found.row) : [];
          if (own.some((one) => isSameKey(one.key, key))) {
            missing.set(index.prefix, (missing.get(index.prefix) ?? 0) - 1);
          } else {
            const target = found ? "another row" : "no row";
            yield `The index row "${serialiseKey(key)}" leads to ${target} of "${prefix}"`;
          }
        }
      }
    }
    for (const [table, left] of missing) {
      if (left > 0) yield `"${prefix}" lacks ${left} index rows "${table}"`;
    }
    if (count > most) yield `There are ${count} rows of "${prefix}", more than ${most}`;
  }

  #prefix(owner: Owner, prefix: string): (string | number | Uint8Array)[] {
    return [prefix, ...this.ownerKey(owner)];
  }

  #versionKey(owner: Owner): (string | number | Uint8Array)[] {
    const { version, prefix } = this.options;
    if (version === undefined) throw new Error(`"${prefix}" has no version`);
    return this.#prefix(owner, version);
  }

  #touch(write: Write, owner: Owner): void {
    if (this.options.version !== undefined) write.set(this.#versionKey(owner), EMPTY);
  }

  #index(name: string): TableIndex<Row> {
    const index = this.options.indexes?.[name];
    if (!index) throw new Error(`"${this.options.prefix}" has no index "${name}"`);
    return index;
  }

  #indexRows(owner: Owner, row: Row) {
    const own = partsOf(this.options.key, row);
    const [name = ""] = Object.keys(this.options.key);
    return this.#indexes.flatMap(({ prefix: table, key: fields, of, unique, value: valueOf }) =>
      (of?.(row) ?? [row]).flatMap((values) => {
        const parts = partsOf(fields, values);
        if (parts.length < Object.keys(fields).length) return [];
        const start = [...this.#prefix(owner, table), ...parts];
        return unique
          ? { table, key: start, value: Reflect.get(row, name), isUnique: true, isFixed: true }
          : {
            table,
            key: [...start, ...own],
            value: valueOf ? valueOf(row) : EMPTY,
            isUnique: false,
            isFixed: valueOf === undefined,
          };
      })
    );
  }

  /** Writes the row and the difference of its index rows; answers those that are new. */
  #put(write: Write, owner: Owner, before: Row | null, after: Row) {
    const { expireInMs } = this.options;
    const key = this.keyOf(owner, after);
    const oldKey = before ? this.keyOf(owner, before) : key;
    if (!isSameKey(oldKey, key)) write.delete(oldKey);
    write.set(key, this.#stored(after), expireInMs);
    const had = before ? this.#indexRows(owner, before) : [];
    const has = this.#indexRows(owner, after);
    const isIn = (rows: typeof has, one: { readonly key: Deno.KvKey }) =>
      rows.some((other) => isSameKey(other.key, one.key));
    for (const old of had) if (!isIn(has, old)) write.delete(old.key);
    const added = has.filter((one) => !isIn(had, one));
    for (const one of has) {
      const stays = one.isFixed && expireInMs === undefined && !added.includes(one);
      if (!stays) write.set(one.key, one.value, expireInMs);
    }
    this.#touch(write, owner);
    return added;
  }

  #stored(row: Row): unknown {
    const { keyOnly, codec } = this.options;
    if (codec?.encode) return codec.encode(row);
    if (!keyOnly) return row;
    return Object.fromEntries(Object.entries(row).filter(([name]) => !keyOnly.includes(name)));
  }

  #found({ key, value, versionstamp }: Deno.KvEntryMaybe<Row>): Found<Row> | null {
    // A row without fields beside those of its key may be stored as null.
    if (versionstamp === null) return null;
    const { keyOnly, codec } = this.options;
    const own = keyOnly ? this.#keyIn(key) : {};
    const decoded = codec?.decode ? codec.decode(value, Object(own)) : value;
    const row: Row = Object(keyOnly ? { ...decoded, ...own } : decoded);
    return { row, versionstamp };
  }

  /** The key that the last parts are. */
  #keyIn(parts: readonly unknown[]): Key {
    const fields = Object.entries(this.options.key);
    const start = parts.length - fields.length;
    const found = fields.map(([name, kind], at) =>
      [name, partIn(kind, parts[start + at])] as const
    );
    return Object(Object.fromEntries(found));
  }

  #entries<T>(
    store: Store,
    prefix: Deno.KvKey,
    { within = {}, after = null, order = "asc", limit = null }: ListOptions<Key>,
    batchSize = Math.min(limit ?? BATCH_SIZE, BATCH_SIZE),
  ): Deno.KvListIterator<T> {
    const all = [...prefix, ...partsOf(this.options.key, within)];
    const edge = [...prefix, ...partsOf(this.options.key, { ...within, ...after })];
    const bounds = order === "asc" ? { start: [...edge, BEHIND_ALL] } : { end: edge };
    const selector = after === null ? { prefix: all } : { prefix: all, ...bounds };
    const bound = limit === null ? {} : { limit };
    return store.kv.list<T>(selector, { ...bound, batchSize, reverse: order === "desc" });
  }
}

async function* filtered<Row, One extends Found<Row>>(
  all: AsyncIterable<One>,
  takes: (row: Row) => boolean,
): AsyncGenerator<One> {
  for await (const found of all) if (takes(found.row)) yield found;
}
