import { batchesOf } from "../../base/collections.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findDeletedDocument, findDocuments } from "../products/product_store.ts";
import { unpackMonth } from "./sales_row.ts";
import { walkSalesRows } from "./sales_store.ts";

const ROWS_AT_ONCE = 500;

/** One sentence for each row of sales that nobody can read, or whose product there is not. */
export async function* checkSales(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  for await (const rows of batchesOf(walkSalesRows(workspace), ROWS_AT_ONCE)) {
    const ids = [...new Set(rows.map(({ productId }) => productId))];
    const active = new Set((await findDocuments(workspace, ids)).map(({ id }) => id));
    for (const id of ids.filter((one) => !active.has(one))) {
      if (await findDeletedDocument(workspace, id) === null) yield `Product ${id} has sales alone`;
    }
    for (const { productId, month, bytes } of rows) {
      if (!isReadable(month, bytes)) {
        yield `Nobody can read the sales of product ${productId} in ${month}`;
      }
    }
  }
}

function isReadable(month: number, bytes: Uint8Array): boolean {
  try {
    unpackMonth(month, bytes);
    return true;
  } catch {
    // What is wrong with it helps nobody: the row is lost.
    return false;
  }
}
