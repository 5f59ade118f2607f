import type { Store } from "./kv.ts";

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
