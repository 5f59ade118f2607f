import { batchesOf } from "../../base/collections.ts";
import type { BytesAt, BytesRow } from "./direct_reads.ts";
import type { PlainKey } from "./key_hex.ts";
import { bytesIn } from "./id_keys.ts";
import { type Store, transact, type Write } from "./kv.ts";

/** Maximum number of keys that every store reads in one call. */
export const GET_MANY_MAX = 10;
/** Maximum number of rows that every store lists in one call. */
const LIST_BATCH_MAX = 1_000;

/** The first or last row of a list; null if it is empty. Reads only this row. */
export async function firstRow<T>(
  { kv }: Pick<Store, "kv">,
  selector: Deno.KvListSelector,
  { reverse = false }: Pick<Deno.KvListOptions, "reverse"> = {},
): Promise<Deno.KvEntry<T> | null> {
  for await (const row of kv.list<T>(selector, { limit: 1, reverse })) return row;
  return null;
}

/** The rows of up to `GET_MANY_MAX` keys of different tables, in one read. */
export async function getMixedRows<Rows extends readonly unknown[]>(
  { kv }: Pick<Store, "kv">,
  keys: readonly [...{ [At in keyof Rows]: Deno.KvKey }],
): Promise<{ [At in keyof Rows]: Deno.KvEntryMaybe<Rows[At]> }> {
  return await kv.getMany<Rows>(keys);
}

/** The rows with these keys, of any number, in the same order. */
export async function getRows<T>(
  { kv }: Store,
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<T>[]> {
  const slices: Promise<Deno.KvEntryMaybe<T>[]>[] = [];
  for (let at = 0; at < keys.length; at += GET_MANY_MAX) {
    slices.push(kv.getMany<T[]>(keys.slice(at, at + GET_MANY_MAX)));
  }
  return (await Promise.all(slices)).flat();
}

/**
 * Up to `limit` byte rows directly below `prefix`, after the key that ends in `after`, by the
 * store's fastest method. Parts of keys have the form that `BytesRow` has.
 */
export async function listBytes(
  { kv, direct }: Store,
  prefix: PlainKey,
  after: string | null,
  limit: number,
): Promise<readonly BytesRow[]> {
  const rows = await direct?.list(prefix, after, limit);
  if (rows) return rows;
  const selector = after === null
    ? { prefix: [...prefix] }
    : { prefix: [...prefix], start: [...prefix, justAfter(after)] };
  const options = { limit, batchSize: Math.min(limit, LIST_BATCH_MAX) };
  // This is one seventh faster than a loop that awaits each row.
  const found = await Array.fromAsync(kv.list<Uint8Array<ArrayBuffer>>(selector, options));
  return found.map(({ key, value, versionstamp }) => ({
    part: bytesIn(key, -1).toHex(),
    value,
    versionstamp,
  }));
}

/** Like `listBytes`, for rows whose keys end in a text, which is their part. */
export async function listTextRows(
  { kv, direct }: Store,
  prefix: PlainKey,
  after: string | null,
  limit: number,
): Promise<readonly { readonly part: string; readonly value: Uint8Array }[]> {
  const rows = await direct?.listTexts(prefix, after, limit);
  if (rows) return rows;
  const selector = after === null
    ? { prefix: [...prefix] }
    : { prefix: [...prefix], start: [...prefix, `${after}\0`] };
  const options = { limit, batchSize: Math.min(limit, LIST_BATCH_MAX) };
  const found = await Array.fromAsync(kv.list<Uint8Array>(selector, options));
  return found.map(({ key, value }) => ({ part: String(key.at(-1)), value }));
}

/** The existing byte rows whose keys are `prefix` and one of `parts`, in that order. */
export async function getBytes(
  store: Store,
  prefix: PlainKey,
  parts: readonly string[],
): Promise<readonly BytesRow[]> {
  const found = await store.direct?.get(prefix, parts);
  if (found) return found;
  const keys = parts.map((part) => [...prefix, Uint8Array.fromHex(part)]);
  const rows = await getRows<Uint8Array<ArrayBuffer>>(store, keys);
  return rows.flatMap(({ key, value, versionstamp }) =>
    value === null ? [] : [{ part: bytesIn(key, -1).toHex(), value, versionstamp }]
  );
}

/**
 * The versionstamps of the rows directly below `prefix` whose keys end in a number, by that number.
 */
export async function listVersions(
  { kv }: Store,
  prefix: Deno.KvKey,
): Promise<Map<number, string>> {
  const versions = new Map<number, string>();
  for await (const { key, versionstamp } of kv.list({ prefix })) {
    versions.set(Number(key.at(-1)), versionstamp);
  }
  return versions;
}

/**
 * The byte rows with these keys of one workspace, in the same order, by the store's fastest method.
 */
export async function getBytesAt(
  store: Store,
  keys: readonly PlainKey[],
): Promise<readonly BytesAt[]> {
  const found = await store.direct?.at(keys);
  if (found) return found;
  const rows = await getRows<Uint8Array<ArrayBuffer>>(store, keys.map((key) => [...key]));
  return rows.map(({ value, versionstamp }) => value === null ? null : { value, versionstamp });
}

/** The number of rows below `prefix`, at most `max`, by the store's fastest method. */
export async function countRows(
  { kv, direct }: Store,
  prefix: PlainKey,
  max: number,
): Promise<number> {
  const counted = await direct?.count(prefix, max);
  if (typeof counted === "number") return counted;
  const options = { limit: max, batchSize: Math.min(max, LIST_BATCH_MAX) };
  return (await Array.fromAsync(kv.list({ prefix: [...prefix] }, options))).length;
}

/** The smallest byte string that is greater. */
function justAfter(part: string): Uint8Array {
  return Uint8Array.fromHex(`${part}00`);
}

/**
 * Deletes up to `limit` rows below `prefix`; with `before`, only those whose next key part is less.
 * Returns their number.
 */
export async function removeRows(
  write: Write,
  { kv }: Store,
  prefix: Deno.KvKey,
  limit: number,
  before?: Deno.KvKeyPart,
): Promise<number> {
  const selector = before === undefined ? { prefix } : { prefix, end: [...prefix, before] };
  let count = 0;
  for await (const { key } of kv.list(selector, { limit, batchSize: limit })) {
    write.delete(key);
    count++;
  }
  return count;
}

/**
 * Repeats commits until one removes fewer than `limit` rows. `remove` returns how many it has
 * removed. Returns the total.
 */
export async function removeInCommits(
  at: { readonly store: Store },
  limit: number,
  remove: (write: Write, limit: number) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let size = limit; size === limit; count += size) {
    size = await transact(at, (write) => remove(write, limit));
  }
  return count;
}

/** Removes the yielded rows, up to `batchSize` per commit. Returns their number. */
export async function removeInBatches<Row>(
  store: Store,
  found: AsyncIterable<Row>,
  batchSize: number,
  remove: (write: Write, row: Row) => void,
): Promise<number> {
  let count = 0;
  for await (const batch of batchesOf(found, batchSize)) {
    await transact({ store }, (write) => {
      for (const row of batch) remove(write, row);
    });
    count += batch.length;
  }
  return count;
}
