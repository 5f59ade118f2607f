import { batchesOf } from "../base/batches.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { walkAwaitedPrices } from "./prices/awaited_price_store.ts";
import { findDeletedProduct, findDocuments } from "./products/product_store.ts";

const ROWS_AT_ONCE = 200;

/** One sentence for each awaited price of a product that there never was. */
export async function* checkAwaitedPrices(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const prices of batchesOf(walkAwaitedPrices(workspace), ROWS_AT_ONCE)) {
    const documents = await findDocuments(workspace, prices.map(({ productId }) => productId));
    const active = new Set(documents.map(({ id }) => id));
    for (const { productId } of prices) {
      if (active.has(productId) || await findDeletedProduct(workspace, productId)) continue;
      yield `A price is awaited of product ${productId}, which is not there`;
    }
  }
}
