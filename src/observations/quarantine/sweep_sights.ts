import { listWorkspaces } from "../../identity/workspace_store.ts";
import { eachApart } from "../../platform/jobs/each_apart.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { removeSights } from "./shop_watch_store.ts";

const PER_COMMIT = 500;

/** Forgets how much of shops was seen before then; answers how many counts. */
export async function sweepSights(store: Store, before: Date): Promise<number> {
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old counts of sights", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    for (let removed = PER_COMMIT; removed === PER_COMMIT;) {
      removed = await transact(
        workspace,
        (write) => removeSights(write, workspace, before.getTime(), PER_COMMIT),
      );
      count += removed;
    }
  });
  return count;
}
