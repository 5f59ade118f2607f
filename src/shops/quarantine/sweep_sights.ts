import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeSights } from "./shop_watch_store.ts";

const PER_COMMIT = 500;

/** Forgets how much of shops was seen before then; answers how many counts. */
export async function sweepSights(store: Store, before: Date): Promise<number> {
  return await commitInWorkspaces(store, "old counts of sights", PER_COMMIT, (write, workspace) => {
    return removeSights(write, workspace, before.getTime(), PER_COMMIT);
  });
}
