/**
 * Looks for disagreements between the rows of one workspace's catalogue (docs/decisions/keys.md).
 * Meant for a store at rest: what others write meanwhile may look like one. Memory does not grow with
 * the catalogue: rows are compared by sums first, and one by one only where those differ.
 */
import { Buffer } from "node:buffer";
import { RowSums } from "../base/row_sums.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { checkAwaitedPrices } from "./check_awaited_prices.ts";
import { checkPriceMarks } from "./check_price_marks.ts";
import { checkPriceTerms } from "./check_price_terms.ts";
import { checkSearchTexts } from "./check_search.ts";
import { compareProducts, DERIVED, DOCUMENTS_PER_READ, walkProducts } from "./compare_products.ts";
import { countActiveProducts } from "./products/product_count_store.ts";
import { documentPages, findDocuments, listDeletedDocuments } from "./products/product_store.ts";
import { toWire } from "./products/product_wire.ts";

/** Of some 5,000 products. */
const ROWS_PER_GROUP = 30_000;

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkCatalogue(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const sums = new RowSums();
  const active = yield* surveyDocuments(workspace, sums);
  for (const derived of DERIVED) yield* derived.survey(workspace, sums);
  for (const has of sums.unequal(ROWS_PER_GROUP)) yield* compareProducts(workspace, has);
  const counted = await countActiveProducts(workspace);
  if (counted !== active) yield `${active} products are active, the count says ${counted}`;
  yield* checkPriceMarks(workspace);
  yield* checkPriceTerms(workspace);
  yield* checkAwaitedPrices(workspace);
  yield* checkSearchTexts(workspace);
}

/** Answers how many products are active. */
async function* surveyDocuments(
  workspace: WorkspaceStore,
  sums: RowSums,
): AsyncGenerator<string, number> {
  let active = 0;
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
    if (!isDeleted) active++;
  }
  for await (const page of documentPages(workspace, listDeletedDocuments, DOCUMENTS_PER_READ)) {
    const twins = await findDocuments(workspace, page.map(({ id }) => id));
    for (const { id } of twins) sums.suspect(id);
  }
  return active;
}
