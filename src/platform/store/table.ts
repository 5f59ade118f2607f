/**
 * Declares a table of the store, with methods that read, write and check its rows:
 *
 *     export const views = defineTable<View, "id">({
 *       prefix: "vw",
 *       about: "a saved list of products; few in each workspace",
 *       key: { id: "id" },   // the row's own fields, in the order of the key
 *       version: "vwv",      // each change of a row also writes this key
 *       indexes: { owner: { prefix: "vwo", key: { createdBy: "id" } } },
 *     });
 *     const found = await views.find(ctx, { id });           // { row, versionstamp } or null
 *     await views.listBy(ctx, "owner", { createdBy }, { limit: 50, after: { id: last } });
 *     views.save(write, ctx, found, { ...found.row, name }); // fails if changed; `put` does not
 *     views.remove(write, ctx, found);                       // fails if changed; `drop` does not
 *
 * A row has the key `prefix W field…`, where `W` is the workspace's id; tables of
 * `defineStoreTable` have no `W`. The value contains all fields except those of the key. To keep
 * fields that a newer Kurant has stored, change rows with `{ ...row, field }`. An index row has the
 * key `prefix W field… key…`. In a `unique` index, an index row has the key `prefix W field…`, and
 * its value is the key of the table's row. A row with null in an index field is not in the index.
 */
import { batchesOf } from "../../base/collections.ts";
import { idBytes, RowSums } from "../../base/id.ts";
import type { WorkspaceStore } from "./context.ts";
import { isSameKey, transact, type Write } from "./kv.ts";
import { GET_MANY_MAX, removeInBatches } from "./rows.ts";
import {
  type Declaration,
  type IndexRow,
  indexRowsOf,
  type KeepTerms,
  type SealedTable,
  serialiseKey,
  storedOf,
  type TableKeys,
} from "./table_options.ts";
import { type Found, type Place, TableReads } from "./table_reads.ts";

export type { Found } from "./table_reads.ts";

type WorkspaceOwner = Pick<WorkspaceStore, "workspaceId">;

const EMPTY = new Uint8Array();
const REMOVED_PER_COMMIT = 100;
const CHECKED_PER_COMMIT = 9;

export function defineTable<
  Row extends object,
  Names extends keyof Row = never,
  Index extends string = never,
>(options: Declaration<Row, Names, Index>): Table<Row, Pick<Row, Names>, Index, WorkspaceOwner> {
  return declared(new Table(options, false, ({ workspaceId }) => [idBytes(workspaceId)]));
}

export function defineStoreTable<
  Row extends object,
  Names extends keyof Row = never,
  Index extends string = never,
>(options: Declaration<Row, Names, Index>): Table<Row, Pick<Row, Names>, Index, object> {
  return declared(new Table(options, true, () => []));
}

export interface DeclaredTable {
  readonly options: TableKeys & SealedTable & {
    readonly keep?: KeepTerms;
  };
  readonly isOfStore: boolean;
  sweep(place: WorkspaceStore, before: Date): Promise<number>;
  inconsistencies(place: WorkspaceStore): AsyncGenerator<string>;
}

/** The tables of all modules that this process has loaded. */
export const TABLES: DeclaredTable[] = [];

function declared<T extends DeclaredTable>(table: T): T {
  TABLES.push(table);
  return table;
}

class Table<Row extends Key, Key extends object, Index extends string, Owner extends object>
  extends TableReads<Row, Key, Index, Owner> {
  /** The commit fails if any row of the table was written since `version` was read. */
  checkVersion(write: Write, owner: Owner, version: string | null): void {
    write.check(this.versionKey(owner), version);
  }

  check(write: Write, owner: Owner, key: Key, found: Found<Row> | null): void {
    write.check(this.keyOf(owner, key), found?.versionstamp ?? null);
  }

  /** The commit fails if the row has changed, or if another row has the same unique key. */
  save(write: Write, owner: Owner, before: Found<Row> | null, after: Row): void {
    this.check(write, owner, before?.row ?? after, before);
    this.#putUnique(write, owner, before?.row ?? null, after);
  }

  /** `row` must have a new id, because the commit checks only the keys of unique indexes. */
  add(write: Write, owner: Owner, row: Row): void {
    this.#putUnique(write, owner, null, row);
  }

  #putUnique(write: Write, owner: Owner, before: Row | null, after: Row): void {
    for (const { key, isUnique } of this.#put(write, owner, before, after)) {
      if (isUnique) write.check(key, null);
    }
  }

  /** Saves a row without checks; `before`, the stored row, is needed if index rows may change. */
  put(write: Write, owner: Owner, after: Row, before: Row | null = null): void {
    this.#put(write, owner, before, after);
  }

  remove(write: Write, owner: Owner, found: Found<Row>): void {
    this.check(write, owner, found.row, found);
    this.#drop(write, owner, found.row);
  }

  /** Removes a row without checks; in a table without indexes, `row` may be only the row's key. */
  drop(write: Write, owner: Owner, row: [Index] extends [never] ? Key : Row): void;
  drop(write: Write, owner: Owner, row: Row): void {
    this.#drop(write, owner, row);
  }

  #drop(write: Write, owner: Owner, row: Row): void {
    write.delete(this.keyOf(owner, row));
    const gone = this.#indexRows(owner, row);
    for (const { key } of gone) write.delete(key);
    this.#countRows(write, owner, [], gone);
    this.#touch(write, owner);
  }

  async clear(
    place: Place<Owner>,
    within: Partial<Key>,
    goes: (row: Row) => boolean = () => true,
  ): Promise<void> {
    const rows = this.walk(place, { within });
    await removeInBatches(place.store, rows, REMOVED_PER_COMMIT, (write, { row }) => {
      if (goes(row)) this.#drop(write, place, row);
    });
  }

  async sweep(place: Owner & WorkspaceStore, before: Date): Promise<number> {
    const isChecked = this.indexes.length > 0 && this.options.version === undefined;
    let count = 0;
    const batches = batchesOf(
      this.#walkOld(place, before),
      isChecked ? CHECKED_PER_COMMIT : REMOVED_PER_COMMIT,
    );
    for await (const batch of batches) {
      count += await transact(place, async (write) => {
        const { version } = this.options;
        if (version !== undefined) this.checkVersion(write, place, await this.version(place));
        const found = (await this.getMany(place, batch)).flatMap((one) => one ?? []);
        for (const one of found) {
          if (isChecked) this.check(write, place, one.row, one);
          this.#drop(write, place, one.row);
        }
        return found.length;
      });
    }
    return count;
  }

  async *#walkOld(place: Place<Owner>, before: Date): AsyncGenerator<Row> {
    const { keep } = this.options;
    if (!keep) return;
    for await (const { row } of this.walk(place)) {
      if (keep.isOld(row, before)) yield row;
      else if (keep.isInOrder) return;
    }
  }

  async *inconsistencies(place: Owner & WorkspaceStore): AsyncGenerator<string> {
    const { prefix, check, most = Infinity } = this.options;
    if (!check && this.indexes.length === 0 && most === Infinity) return;
    const expected = new RowSums();
    let count = 0;
    for await (const { row } of this.walk(place)) {
      count++;
      const trouble = await check?.(row, place);
      if (trouble) yield trouble;
      for (const { table, key, value, isUnique } of this.#indexRows(place, row)) {
        expected.add(table, textOf(key, isUnique ? value : ""));
      }
    }
    for (const index of this.indexes) {
      let missing = expected.count(index.prefix);
      if (index.count !== undefined) {
        const counted = await this.countAt(place, index.count);
        if (counted !== missing) yield `"${index.count}" counts ${counted} instead of ${missing}`;
      }
      const prefixOfIndex = this.prefixOf(place, index.prefix);
      const actual = new RowSums();
      for await (const { key, value } of this.entries<unknown>(place.store, prefixOfIndex, {})) {
        actual.add(index.prefix, textOf(key, index.unique ? value : ""));
      }
      if (actual.isSame(index.prefix, expected)) continue;
      const entries = this.entries<unknown>(place.store, prefixOfIndex, {});
      for await (const batch of batchesOf(entries, GET_MANY_MAX)) {
        const keys = batch.map(({ key, value }) => this.keyIn(index.unique ? [value] : key));
        for (const [at, found] of (await this.getMany(place, keys)).entries()) {
          const key = batch[at]?.key ?? [];
          const own = found ? this.#indexRows(place, found.row) : [];
          if (own.some((one) => isSameKey(one.key, key))) missing--;
          else {
            const target = found ? "another row" : "no row";
            yield `The index row "${serialiseKey(key)}" leads to ${target} of "${prefix}"`;
          }
        }
      }
      if (missing > 0) yield `"${prefix}" lacks ${missing} index rows "${index.prefix}"`;
    }
    if (count > most) yield `There are ${count} rows of "${prefix}", more than ${most}`;
  }

  #indexRows(owner: Owner, row: Row): IndexRow[] {
    return indexRowsOf(this.options, this.ownerKey(owner), row);
  }

  #put(write: Write, owner: Owner, before: Row | null, after: Row) {
    const { expireInMs } = this.options;
    const key = this.keyOf(owner, after);
    const oldKey = before ? this.keyOf(owner, before) : key;
    if (!isSameKey(oldKey, key)) write.delete(oldKey);
    write.set(key, storedOf(this.options, after), expireInMs);
    this.#touch(write, owner);
    if (this.indexes.length === 0) return [];
    const had = before ? this.#indexRows(owner, before) : [];
    const has = this.#indexRows(owner, after);
    const isIn = (rows: typeof has, one: { readonly key: Deno.KvKey }) =>
      rows.some((other) => isSameKey(other.key, one.key));
    const gone = had.filter((one) => !isIn(has, one));
    for (const one of gone) write.delete(one.key);
    const added = has.filter((one) => !isIn(had, one));
    for (const one of has) {
      const stays = one.isFixed && expireInMs === undefined && !added.includes(one);
      if (!stays) write.set(one.key, one.value, expireInMs);
    }
    this.#countRows(write, owner, added, gone);
    return added;
  }

  #countRows(
    write: Write,
    owner: Owner,
    added: readonly IndexRow[],
    gone: readonly IndexRow[],
  ): void {
    for (const { prefix, count } of this.indexes) {
      if (count === undefined) continue;
      const numberOf = (rows: readonly IndexRow[]) =>
        rows.filter(({ table }) => table === prefix).length;
      const more = numberOf(added) - numberOf(gone);
      if (more !== 0) write.sum(this.prefixOf(owner, count), more);
    }
  }

  #touch(write: Write, owner: Owner): void {
    if (this.options.version !== undefined) write.set(this.versionKey(owner), EMPTY);
  }
}

function textOf(key: Deno.KvKey, value: unknown): string {
  const leadsTo = value instanceof Uint8Array ? value.toHex() : String(value);
  return `${serialiseKey(key)} ${leadsTo}`;
}
