import {
  type AwaitedPrice,
  removeAwaitedPrice,
  walkAwaitedPrices,
} from "../../catalogue/prices/awaited_price_store.ts";
import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";

const ROWS_PER_COMMIT = 200;

/** Forgets awaited prices that were told before then; answers how many. */
export async function sweepAwaited(store: Store, before: Date): Promise<number> {
  return await countInWorkspaces(store, "old awaited prices", (workspace) => {
    const old = toldBefore(walkAwaitedPrices(workspace), before.getTime());
    return removeInBatches(store, old, ROWS_PER_COMMIT, (write, price) => {
      removeAwaitedPrice(write, workspace.workspaceId, price);
    });
  });
}

async function* toldBefore(prices: AsyncIterable<AwaitedPrice>, beforeMs: number) {
  for await (const price of prices) if (price.toldAtMs < beforeMs) yield price;
}
