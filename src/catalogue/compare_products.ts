/** Products one by one, with all rows that follow from them. */

import { iso } from "../base/time.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { CARDS } from "./check_cards.ts";
import { FIELDS } from "./check_fields.ts";
import { PRICE_HISTORY } from "./check_price_history.ts";
import type { CheckedProduct, DerivedRows } from "./derived_rows.ts";
import { walkHolds } from "./products/hold_store.ts";
import { holdEndMs } from "./products/product.ts";
import {
  documentPages,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import { parseProduct } from "./products/product_wire.ts";

const ALL = { after: -1, toMs: 8.64e15 } as const;

/** One for each active product whose document says until when its price is or was held. */
const HOLDS: DerivedRows = {
  expect: ({ product }) => {
    const endMs = holdEndMs(product);
    return endMs === null ? [] : [holdText(endMs)];
  },

  async *survey(workspace, sums) {
    for await (const { productId, untilMs } of walkHolds(workspace, ALL)) {
      if (!Number.isSafeInteger(untilMs)) yield `A hold of product ${productId} ends at no time`;
      sums.find(productId, holdText(untilMs));
    }
  },

  async *compare(workspace, { products, has }) {
    const missing = new Map<string, number>();
    for (const [id, { product }] of products) {
      const endMs = holdEndMs(product);
      if (endMs !== null) missing.set(id, endMs);
    }
    for await (const { productId, untilMs } of walkHolds(workspace, ALL)) {
      if (!has(productId)) continue;
      if (missing.get(productId) === untilMs) missing.delete(productId);
      else yield `The hold of product ${productId} until ${iso(untilMs)} is not its own`;
    }
    for (const [id, endMs] of missing) {
      yield `Product ${id} is held until ${iso(endMs)}, which has no row`;
    }
  },
};

const holdText = (endMs: number) => `held ${endMs}`;

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
