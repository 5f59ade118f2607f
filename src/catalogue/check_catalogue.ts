/**
 * Looks for disagreements between the rows of one workspace's catalogue (docs/decisions/keys.md).
 * Meant for a store at rest: what others write meanwhile may look like one. Memory does not grow with the
 * catalogue, but for a number per value that is counted: rows are compared by sums first, and one by
 * one only where those differ.
 */
import { Buffer } from "node:buffer";
import { RowSums } from "../base/row_sums.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { checkCounts } from "./check_index_rows.ts";
import { checkSearchTexts } from "./check_search.ts";
import { compareProducts, DERIVED, pagesOf, walkProducts } from "./compare_products.ts";
import { findDocuments, listDeletedDocuments } from "./products/product_store.ts";
import { countProduct, createTally, filterFieldsOf, type Tally } from "./products/product_tally.ts";
import { toWire } from "./products/product_wire.ts";

/** Of some 5,000 products. */
const ROWS_PER_GROUP = 30_000;

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkCatalogue(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const tally = createTally();
  const sums = new RowSums();
  yield* surveyDocuments(workspace, sums, tally);
  for (const derived of DERIVED) yield* derived.survey(workspace, sums);
  for (const has of sums.unequal(ROWS_PER_GROUP)) yield* compareProducts(workspace, has);
  yield* checkCounts(workspace, tally);
  yield* checkSearchTexts(workspace);
}

async function* surveyDocuments(workspace: WorkspaceStore, sums: RowSums, tally: Tally) {
  for await (const { document, product, isDeleted } of walkProducts(workspace)) {
    if (product.id !== document.id) {
      yield `Product ${document.id} calls itself ${product.id}`;
      sums.suspect(product.id);
    }
    if ((product.deletedAt !== null) !== isDeleted) {
      yield `Product ${document.id} stands on the wrong side of deletion`;
    }
    if (Buffer.compare(toWire(product), document.bytes) !== 0) {
      yield `Product ${document.id} is stored in another form than it is answered`;
    }
    for (const derived of DERIVED) {
      for (const row of derived.expect({ product, isDeleted })) sums.expect(product.id, row);
    }
    if (!isDeleted) countProduct(tally, filterFieldsOf(product), 1);
  }
  for await (const page of pagesOf(workspace, listDeletedDocuments)) {
    const twins = await findDocuments(workspace, page.map(({ id }) => id));
    for (const { id } of twins) sums.suspect(id);
  }
}
