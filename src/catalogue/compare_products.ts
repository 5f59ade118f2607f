/** Products one by one, with all rows that follow from them. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import { CARDS } from "./check_cards.ts";
import { FIELDS } from "./check_fields.ts";
import { HOLDS } from "./check_holds.ts";
import { PRICE_HISTORY } from "./check_price_history.ts";
import type { CheckedProduct, DerivedRows } from "./derived_rows.ts";
import {
  documentPages,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import { parseProduct } from "./products/product_wire.ts";

/** What follows from products, in tables of its own. */
export const DERIVED: readonly DerivedRows[] = [CARDS, FIELDS, HOLDS, PRICE_HISTORY];

export const DOCUMENTS_PER_READ = 250;

/** Every product, active ones first. */
export async function* walkProducts(
  workspace: WorkspaceStore,
): AsyncGenerator<CheckedProduct & { readonly document: StoredDocument }> {
  for (const [list, isDeleted] of [[listDocuments, false], [listDeletedDocuments, true]] as const) {
    for await (const page of documentPages(workspace, list, DOCUMENTS_PER_READ)) {
      for (const document of page) {
        yield { document, product: parseProduct(document.bytes), isDeleted };
      }
    }
  }
}

/**
 * Names what does not agree between the products of a group and the rows that follow from them. Keeps
 * the group in memory: some 2 kB a product.
 */
export async function* compareProducts(
  workspace: WorkspaceStore,
  has: (productId: string) => boolean,
): AsyncGenerator<string> {
  const products = new Map<string, CheckedProduct>();
  for await (const { product, isDeleted } of walkProducts(workspace)) {
    if (!has(product.id)) continue;
    if (products.has(product.id)) yield `Product ${product.id} is both active and deleted`;
    products.set(product.id, { product, isDeleted });
  }
  for (const derived of DERIVED) yield* derived.compare(workspace, { products, has });
}
