import { walkAwaitedPrices } from "../../catalogue/prices/awaited_price_store.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import type { Store } from "../../platform/store/kv.ts";

/** Of a workspace; beyond it there are simply many. */
const COUNTED_MAX = 10_000;

/** How many prices that the ERP has fetched have not come back, by what is known of them. */
export async function countAwaitedPrices(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { id } of await listWorkspaces(store)) {
    let counted = 0;
    for await (const { status } of walkAwaitedPrices({ store, workspaceId: id })) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (++counted === COUNTED_MAX) break;
    }
  }
  return counts;
}
