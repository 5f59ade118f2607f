import type { WorkspaceStore } from "../platform/store/context.ts";
import { type AwaitedPrice, walkAwaitedPrices } from "./prices/awaited_price_store.ts";
import { findDeletedProduct, findDocuments } from "./products/product_store.ts";

const ROWS_AT_ONCE = 200;

/** One sentence for each awaited price of a product that there never was. */
export async function* checkAwaitedPrices(workspace: WorkspaceStore): AsyncGenerator<string> {
  let part: AwaitedPrice[] = [];
  for await (const price of walkAwaitedPrices(workspace)) {
    if (part.push(price) < ROWS_AT_ONCE) continue;
    yield* strangersAmong(workspace, part);
    part = [];
  }
  yield* strangersAmong(workspace, part);
}

async function* strangersAmong(
  workspace: WorkspaceStore,
  prices: readonly AwaitedPrice[],
): AsyncGenerator<string> {
  const documents = await findDocuments(workspace, prices.map(({ productId }) => productId));
  const active = new Set(documents.map(({ id }) => id));
  for (const { productId } of prices) {
    if (active.has(productId) || await findDeletedProduct(workspace, productId)) continue;
    yield `A price is awaited of product ${productId}, which is not there`;
  }
}
