import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { deleteCount, listOldCounts } from "./health_store.ts";

const COUNTS_PER_COMMIT = 500;

/** Forgets the counts of fetches in hours before then, which no health shows; answers how many. */
export async function sweepCounts(store: Store, countedBefore: Date): Promise<number> {
  const old = listOldCounts(store, countedBefore.getTime());
  return await removeInBatches(store, old, COUNTS_PER_COMMIT, deleteCount);
}
