/** Migration steps for products. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { idKey, removeInCommits, removeRows } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type AwaitedPlace, awaitedPrices, type SeenPrice } from "../prices/awaited_price_store.ts";
import { termsBegins } from "../prices/price_terms_store.ts";
import { agreesWith, findIndexRows, putIndexRowMarks } from "../products/index_row_store.ts";
import { parseProduct, productDefaults, searchText, shard } from "../products/product.ts";
import { listDeletedDocuments, listDocuments, rewriteProduct } from "../products/product_store.ts";
import { createCounters, saveCounters } from "../products/change_log_store.ts";

const PRODUCTS_PER_COMMIT = 100;
/** Another product is added to a commit only while this share of the commit is free. */
const NEXT_PRODUCT = shareOfCommit(0.6);
/** Prefix of the returned position while deleted products are rewritten. */
const DELETED = "deleted ";

/** Missing fields get defaults, and unknown fields are dropped. */
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
      if (indexRow.text !== searchText(product)) counters.searched.add(shard(product.sku));
    }
    done = product.id;
  }
  // No checks are needed, because a migration is the only writer.
  saveCounters(write, workspace.workspaceId, counters);
  return `${isOfDeleted ? DELETED : ""}${done ?? ""}`;
}

/** Stores the current time as the start of the history of VAT rates and tier prices. Idempotent. */
export async function beginTerms(
  place: WorkspaceStore & { readonly now: () => Date },
): Promise<void> {
  await transact(place, async (write) => {
    if (await termsBegins.find(place, {})) return;
    termsBegins.save(write, place, null, { beganMs: place.now().getTime() });
  });
}

const ROWS_PER_COMMIT = 100;

/** Only stores from before version 1.0.0 contain these rows. */
export const broughtRows = defineTable<AwaitedPlace & SeenPrice, "productId" | "tier">({
  prefix: "xas",
  about: "left by an earlier version: the price of a product in the last import",
  key: { productId: "id", tier: "text" },
});

interface SearchPart {
  readonly shard: number;
  readonly n: number;
}

const SEARCH_PARTS = {
  about: "left by an earlier version: a part of the search text of a shard",
  key: { shard: "number", n: "number" },
  codec: { decode: () => ({}) },
} as const;

export const searchParts = defineTable<SearchPart, "shard" | "n">({
  prefix: "pq",
  ...SEARCH_PARTS,
});

export const searchCopies = defineTable<SearchPart, "shard" | "n">({
  prefix: "pst",
  ...SEARCH_PARTS,
});

export const marketCopies = defineTable<object>({
  prefix: "mkh",
  about: "left by an earlier version: the head of a copy of the market table",
  key: {},
});

export const marketCopyParts = defineTable<
  { readonly generation: string; readonly n: number },
  "generation" | "n"
>({
  prefix: "mkp",
  about: "left by an earlier version: a part of a copy of the market table",
  key: { generation: "id", n: "number" },
  codec: { decode: () => ({}) },
});

/** Blocks of filterable fields, and the versions of the blocks. */
const FIELD_BLOCKS = ["pf", "pfv"];

/**
 * Deletes copies of search texts, market tables and filterable fields. Runs every night and not as
 * a migration step, because stores of the present layout contain them too.
 */
export async function clearCopies(workspace: WorkspaceStore): Promise<void> {
  for (const table of FIELD_BLOCKS) {
    const key = idKey(table, workspace.workspaceId);
    await removeInCommits(workspace, ROWS_PER_COMMIT, async (write, limit) => {
      const removed = await removeRows(write, workspace.store, key, limit);
      if (removed > 0) write.delete(key);
      return removed;
    });
  }
  await searchCopies.clear(workspace, {});
  await marketCopyParts.clear(workspace, {});
  if (await marketCopies.find(workspace, {}) === null) return;
  await transact(workspace, (write) => {
    marketCopies.drop(write, workspace, {});
    return Promise.resolve();
  });
}

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
