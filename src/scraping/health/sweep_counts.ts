import { type Store, transact } from "../../platform/store/kv.ts";
import { deleteCounts, listOldCounts, type OldCount } from "./health_store.ts";

const COUNTS_PER_COMMIT = 500;

/** Forgets the counts of fetches in hours before then, which no health shows; answers how many. */
export async function sweepCounts(store: Store, countedBefore: Date): Promise<number> {
  let count = 0;
  let counts: OldCount[] = [];
  const remove = async () => {
    await transact({ store }, (write) => Promise.resolve(deleteCounts(write, counts)));
    count += counts.length;
    counts = [];
  };
  for await (const old of listOldCounts(store, countedBefore.getTime())) {
    counts.push(old);
    if (counts.length === COUNTS_PER_COMMIT) await remove();
  }
  await remove();
  return count;
}
