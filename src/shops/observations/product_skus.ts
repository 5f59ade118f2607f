import { findDeletedProduct, findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";

/** The SKUs of products by their ids. Soft-deleted ones keep theirs: their history stays. */
export async function findSkus(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const documents = await findDocuments(workspace, productIds);
  const skus = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes).sku]));
  for (const id of productIds) {
    if (skus.has(id)) continue;
    const deleted = await findDeletedProduct(workspace, id);
    if (deleted) skus.set(id, deleted.product.sku);
  }
  return skus;
}
