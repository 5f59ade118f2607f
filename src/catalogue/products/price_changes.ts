/**
 * Reads the history of our prices. The history of an imported product has no row until the price
 * changes, so this module reads the first price from the product.
 */
import { mergeSorted } from "../../base/collections.ts";
import { DAY_MS } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  createSenderFinder,
  findImportActor,
  firstPriceOf,
  listPriceRows,
  type PriceChange,
  type SenderOf,
  type Stretch,
  walkPriceRows,
} from "../prices/price_rows.ts";
import { findIndexRow, findIndexRows, type IndexRow } from "./index_row_store.ts";
import { parseProduct, type Product } from "./product.ts";
import {
  documentPages,
  findAnyProduct,
  listDeletedDocuments,
  listDocuments,
} from "./product_store.ts";

export async function listPriceChanges(
  workspace: WorkspaceStore,
  productId: string,
  stretch: Stretch,
  limit: number,
): Promise<PriceChange[]> {
  const read = () => listPriceRows(workspace, productId, stretch, limit);
  const rows = await read();
  if (rows.length > 0) return rows;
  const first = await findFirstPrice(workspace, productId);
  if (first === null) return await read();
  const atMs = Date.parse(first.at);
  return atMs >= stretch.fromMs && atMs < stretch.beforeMs ? [first] : [];
}

/**
 * Returns our price 24 hours ago, or our first price if that was set later. Returns null if there
 * is no such price, or if its currency is not `currency`.
 */
export async function priceDayAgo(
  workspace: WorkspaceStore,
  { id, currency }: Pick<Product, "id" | "currency">,
  now: Date,
): Promise<number | null> {
  const dayAgoMs = now.getTime() - DAY_MS;
  const [before] = await listPriceChanges(workspace, id, { fromMs: 0, beforeMs: dayAgoMs }, 1);
  const change = before ?? await findFirstChange(workspace, id, dayAgoMs);
  return change?.currency === currency ? change.toCents : null;
}

async function findFirstChange(workspace: WorkspaceStore, id: string, fromMs: number) {
  const stretch = { fromMs, beforeMs: Number.MAX_SAFE_INTEGER };
  return (await listPriceChanges(workspace, id, stretch, CHANGES_OF_A_DAY)).at(-1) ?? null;
}

const CHANGES_OF_A_DAY = 1_000;

/**
 * Until the price changes, `firstPriceJob` of the index row is the import that set the first price.
 * The product is read before the index row, so that a changed price is not used as the first price.
 */
async function findFirstPrice(
  workspace: WorkspaceStore,
  productId: string,
): Promise<PriceChange | null> {
  const found = await findAnyProduct(workspace, productId);
  if (!found || found.product.ourPriceCents === null) return null;
  const indexRow = await findIndexRow(workspace, found.product.sku);
  if (indexRow === null || indexRow.firstPriceJob === null) return null;
  const actor = await findImportActor(workspace, indexRow.firstPriceJob);
  return firstPriceOf(found.product, indexRow.firstPriceJob, actor);
}

export interface WalkedChange {
  readonly productId: string;
  readonly atMs: number;
  readonly change: PriceChange;
}

export function walkPriceChanges(workspace: WorkspaceStore): AsyncGenerator<WalkedChange> {
  return mergeSorted([
    walkFirstPrices(workspace, listDocuments),
    walkFirstPrices(workspace, listDeletedDocuments),
    walkPriceRows(workspace),
  ], productOf);
}

/**
 * Yields changes in the order of product ids, and the oldest change of a product first. `products`
 * must be sorted by id. The result may contain changes of products that are not in `products`. A
 * price that changes during the iteration may be missing.
 */
export function walkPriceChangesOf(
  workspace: WorkspaceStore,
  products: readonly Product[],
  known?: ReadonlyMap<string, IndexRow>,
): AsyncGenerator<WalkedChange> {
  const [first, last] = [products.at(0), products.at(-1)];
  return mergeSorted([
    walkFirstPricesOf(workspace, products, createSenderFinder(workspace), known),
    walkPriceRows(workspace, first && last && { first: first.id, last: last.id }),
  ], productOf);
}

const productOf = ({ productId }: WalkedChange) => productId;

const DOCUMENTS_PER_READ = 500;

async function* walkFirstPrices(
  workspace: WorkspaceStore,
  list: typeof listDocuments,
): AsyncGenerator<WalkedChange> {
  const senderOf = createSenderFinder(workspace);
  for await (const documents of documentPages(workspace, list, DOCUMENTS_PER_READ)) {
    const products = documents.map(({ bytes }) => parseProduct(bytes));
    yield* walkFirstPricesOf(workspace, products, senderOf);
  }
}

async function* walkFirstPricesOf(
  workspace: WorkspaceStore,
  products: readonly Product[],
  senderOf: SenderOf,
  known?: ReadonlyMap<string, IndexRow>,
): AsyncGenerator<WalkedChange> {
  const priced = products.filter(({ ourPriceCents }) => ourPriceCents !== null);
  const indexRows = known ?? await findIndexRows(workspace, priced.map(({ sku }) => sku));
  for (const product of priced) {
    const jobId = indexRows.get(product.sku)?.firstPriceJob ?? null;
    if (jobId === null) continue;
    const change = firstPriceOf(product, jobId, await senderOf(jobId));
    if (change) yield { productId: product.id, atMs: Date.parse(change.at), change };
  }
}
