/** Rewrites every stored product in the present shape, as a step of a migration. */

import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type AwaitedPlace, awaitedPrices, type SeenPrice } from "../prices/awaited_price_store.ts";
import { termsBegins } from "../prices/price_terms_store.ts";
import { agreesWith, findIndexRows, putIndexRowMarks } from "../products/index_row_store.ts";
import { productDefaults, searchText } from "../products/product.ts";
import { listDeletedDocuments, listDocuments, rewriteProduct } from "../products/product_store.ts";
import { createCounters, touchSearch } from "../products/product_counters.ts";
import { parseProduct } from "../products/product_wire.ts";
import { blocksOfStore, saveCountersTo } from "../products/save_counters.ts";

const PRODUCTS_PER_COMMIT = 100;
/** A product of the largest size; and the blocks of fields of all shards, which are written last. */
const NEXT_PRODUCT = shareOfCommit(0.6);
/** Stands before the id of the last product once all active ones are done. */
const DELETED = "deleted ";

/**
 * The step of a migration that is needed when the shape of products changes, for one workspace: a field that
 * a stored product lacks gets its default, one that is no more goes, and a field that is indexed now comes
 * into the blocks of fields; its card gets today's form and says of it what cards say now. Active products
 * come before deleted ones. A commit takes up to 100 products, or as many as fit.
 */
export async function rewriteProducts(
  write: Write,
  workspace: WorkspaceStore,
  after: string | null,
): Promise<string | null> {
  const isOfDeleted = after?.startsWith(DELETED) ?? false;
  const last = after?.slice(isOfDeleted ? DELETED.length : 0) || null;
  const list = isOfDeleted ? listDeletedDocuments : listDocuments;
  const documents = await list(workspace, last, PRODUCTS_PER_COMMIT);
  if (documents.length === 0) return isOfDeleted ? null : DELETED;
  const counters = createCounters();
  const products = documents.map(({ bytes }) => ({ ...productDefaults(), ...parseProduct(bytes) }));
  const indexRows = await findIndexRows(workspace, products.map(({ sku }) => sku));
  let done = last;
  for (const product of products) {
    if (!write.fits(NEXT_PRODUCT)) break;
    rewriteProduct(write, workspace, product, counters);
    const indexRow = indexRows.get(product.sku);
    if (indexRow && !agreesWith(indexRow, product)) {
      putIndexRowMarks(write, workspace.workspaceId, product, indexRow);
      if (indexRow.text !== searchText(product)) touchSearch(counters, product.sku);
    }
    done = product.id;
  }
  // A migration is the only writer.
  await saveCountersTo(write, workspace, counters, blocksOfStore(workspace, true));
  return `${isOfDeleted ? DELETED : ""}${done ?? ""}`;
}

/**
 * Says once that changes of VAT and of the prices of tiers are kept from now on: what was before is not
 * known. Done twice it changes nothing.
 */
export async function beginTerms(
  place: WorkspaceStore & { readonly now: () => Date },
): Promise<void> {
  await transact(place, async (write) => {
    if (await termsBegins.find(place, {})) return;
    termsBegins.save(write, place, null, { beganMs: place.now().getTime() });
  });
}

const ROWS_PER_COMMIT = 100;

/** Of stores from before version 1.0.0. */
export const broughtRows = defineTable<AwaitedPlace & SeenPrice, "productId" | "tier">({
  prefix: "xas",
  about: "of an earlier version: what an import brought in the place of an awaited price",
  key: { productId: "id", tier: "text" },
  keyOnly: ["productId", "tier"],
});

export const searchParts = defineTable<
  { readonly shard: number; readonly n: number },
  "shard" | "n"
>({
  prefix: "pq",
  about: "of an earlier version: a part of the search text of a shard",
  key: { shard: "number", n: "number" },
  keyOnly: ["shard", "n"],
  codec: { decode: () => ({}) },
});

/**
 * A step of a migration: awaited prices say what was brought in their place, and stored search texts go.
 * Returns null behind the end.
 */
export async function clearFormerRows(
  write: Write,
  workspace: WorkspaceStore,
): Promise<string | null> {
  const range = { limit: ROWS_PER_COMMIT };
  const parts = await searchParts.list(workspace, range);
  for (const { row } of parts) searchParts.drop(write, workspace, row);
  const rows = await broughtRows.list(workspace, range);
  for (const { row: { productId, tier, ...brought } } of rows) {
    const found = await awaitedPrices.find(workspace, { productId, tier });
    if (found) awaitedPrices.put(write, workspace, { ...found.row, brought });
    broughtRows.drop(write, workspace, { productId, tier });
  }
  return Math.max(parts.length, rows.length) < ROWS_PER_COMMIT ? null : "";
}
