import type { WorkspaceStore } from "../platform/store/context.ts";
import { walkPriceMarks } from "./prices/price_mark_store.ts";
import { listPriceChanges } from "./products/price_changes.ts";

/** One sentence for each mark of an entry that the price history does not have. Marks are few. */
export async function* checkPriceMarks(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { productId, atMs } of walkPriceMarks(workspace)) {
    const stretch = { fromMs: atMs, beforeMs: atMs + 1 };
    const [change] = await listPriceChanges(workspace, productId, stretch, 1);
    if (change) continue;
    const at = new Date(atMs).toISOString();
    yield `Product ${productId} has a mark at ${at}, where its price did not change`;
  }
}
