import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { deletePage, listOldPages } from "./recipe_store.ts";

const PAGES_PER_COMMIT = 500;

/** Forgets the pages that nobody has visited since then; answers how many. */
export async function sweepPages(store: Store, keptBefore: Date): Promise<number> {
  const old = listOldPages(store, keptBefore.getTime());
  return await removeInBatches(store, old, PAGES_PER_COMMIT, deletePage);
}
