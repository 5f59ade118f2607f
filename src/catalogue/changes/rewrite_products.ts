/** Migrates stored products of earlier versions of Kurant. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { clearTable } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type AwaitedPlace, awaitedPrices, type SeenPrice } from "../prices/awaited_price_store.ts";
import { termsBegins } from "../prices/price_terms_store.ts";
import { agreesWith, findIndexRows, putIndexRowMarks } from "../products/index_row_store.ts";
import { parseProduct, PRODUCT_DEFAULTS } from "../products/product.ts";
import { listDeletedDocuments, listDocuments, rewriteProduct } from "../products/product_store.ts";
import { createCounters, saveCounters } from "../products/change_log_store.ts";

const PRODUCTS_PER_COMMIT = 100;
const NEXT_PRODUCT = shareOfCommit(0.6);
/** While deleted products are rewritten, the stored progress (`after`) begins with this prefix. */
const DELETED = "deleted ";

/** Adds defaults for missing fields to stored products, and removes unknown fields. */
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
  const products = documents.map(({ bytes }) => ({ ...PRODUCT_DEFAULTS, ...parseProduct(bytes) }));
  const indexRows = await findIndexRows(workspace, products.map(({ sku }) => sku));
  let done = last;
  for (const product of products) {
    if (!write.fits(NEXT_PRODUCT)) break;
    rewriteProduct(write, workspace, product, counters);
    const indexRow = indexRows.get(product.sku);
    if (indexRow && !agreesWith(indexRow, product)) {
      putIndexRowMarks(write, workspace.workspaceId, product, indexRow);
    }
    done = product.id;
  }
  saveCounters(write, workspace.workspaceId, counters);
  return `${isOfDeleted ? DELETED : ""}${done ?? ""}`;
}

export async function beginTerms(
  place: WorkspaceStore & { readonly now: () => Date },
): Promise<void> {
  await transact(place, async (write) => {
    if (await termsBegins.find(place, {})) return;
    termsBegins.save(write, place, null, { beganMs: place.now().getTime() });
  });
}

const ROWS_PER_COMMIT = 100;

const broughtRows = defineTable<AwaitedPlace & SeenPrice, "productId" | "tier">({
  prefix: "xas",
  about: "left by an earlier version: the price of a product in the last import",
  key: { productId: "id", tier: "text" },
});

const COPIES = ["pf", "pfv", "pq", "pst", "psv", "mkh", "mkp", "hu", "hup", "bkp", "lpp"];
const FORMER_ROWS = ["spv", "dsq"];

export async function clearCopies(workspace: WorkspaceStore): Promise<void> {
  for (const table of [...COPIES, ...FORMER_ROWS]) await clearTable(workspace, table);
}

export async function clearFormerRows(
  write: Write,
  workspace: WorkspaceStore,
): Promise<string | null> {
  const rows = await broughtRows.list(workspace, { limit: ROWS_PER_COMMIT });
  for (const { row: { productId, tier, ...brought } } of rows) {
    const found = await awaitedPrices.find(workspace, { productId, tier });
    if (found) awaitedPrices.put(write, workspace, { ...found.row, brought });
    broughtRows.drop(write, workspace, { productId, tier });
  }
  return rows.length < ROWS_PER_COMMIT ? null : "";
}
