import { type Store, transact } from "../../platform/kv.ts";
import { deleteCounts, listOldCounts } from "./health_store.ts";

const KEYS_PER_COMMIT = 500;

/** Forgets the counts of hours that no health shows any more; answers how many. */
export async function sweepCounts(store: Store, now: Date): Promise<number> {
  let count = 0;
  let keys: Deno.KvKey[] = [];
  const remove = async () => {
    await transact({ store }, (write) => Promise.resolve(deleteCounts(write, keys)));
    count += keys.length;
    keys = [];
  };
  for await (const key of listOldCounts(store, now.getTime())) {
    keys.push(key);
    if (keys.length === KEYS_PER_COMMIT) await remove();
  }
  await remove();
  return count;
}
