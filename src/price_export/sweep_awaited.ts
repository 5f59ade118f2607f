import {
  type AwaitedPrice,
  removeAwaitedPrice,
  walkAwaitedPrices,
} from "../catalogue/prices/awaited_price_store.ts";
import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";

const ROWS_PER_COMMIT = 200;

/** Forgets awaited prices that were told before then; answers how many. */
export async function sweepAwaited(store: Store, before: Date): Promise<number> {
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old awaited prices", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    let old: AwaitedPrice[] = [];
    const forget = async () => {
      await transact(workspace, (write) => {
        for (const price of old) removeAwaitedPrice(write, workspaceId, price);
        return Promise.resolve();
      });
      count += old.length;
      old = [];
    };
    for await (const price of walkAwaitedPrices(workspace)) {
      if (price.toldAtMs >= before.getTime()) continue;
      if (old.push(price) === ROWS_PER_COMMIT) await forget();
    }
    if (old.length > 0) await forget();
  });
  return count;
}
