import { type Store, transact, type Write } from "./kv.ts";

/** Every store reads so many keys in one call, and no more. */
export const GET_MANY_MAX = 10;

/** The rows of any number of keys, in their order. */
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

/** Takes away up to `limit` rows below `prefix`; answers how many. */
export async function removeRows(
  write: Write,
  { kv }: Store,
  prefix: Deno.KvKey,
  limit: number,
): Promise<number> {
  let count = 0;
  for await (const { key } of kv.list({ prefix }, { limit, batchSize: limit })) {
    write.delete(key);
    count++;
  }
  return count;
}

/** Takes away what comes, up to `batchSize` in a commit; answers how much that was. */
export async function removeInBatches<Row>(
  store: Store,
  found: AsyncIterable<Row>,
  batchSize: number,
  remove: (write: Write, row: Row) => void,
): Promise<number> {
  let count = 0;
  let batch: Row[] = [];
  const removeBatch = async () => {
    await transact({ store }, (write) => {
      for (const row of batch) remove(write, row);
    });
    count += batch.length;
    batch = [];
  };
  for await (const row of found) if (batch.push(row) === batchSize) await removeBatch();
  await removeBatch();
  return count;
}
