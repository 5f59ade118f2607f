/**
 * Keys (`W`: id of the workspace): `p W id` → packed document of an active product; `px W id` →
 * packed document of a soft-deleted one.
 *
 * The SKU assigns each product to one of 64 shards. Each change of a product changes the version
 * counter of its shard. A commit of one product fails if its document has changed since it was
 * read, or if the SKU of a new product is in use. A commit of many products reads the counters of
 * their shards before the products, and fails if one of these counters has changed.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { BytesAt, PlainKey } from "../../platform/store/direct_reads.ts";
import {
  type BytesRow,
  getBytes,
  getBytesAt,
  idOf,
  listBytes,
  pagesOf,
} from "../../platform/store/rows.ts";
import {
  addPriceChange,
  createSenderFinder,
  findImportActor,
  type FirstPrice,
  firstPriceOf,
  listPriceRows,
  type PriceCause,
  type PriceChange,
  priceChangeOf,
  pricedAt,
  type Stretch,
  walkPriceRows,
} from "../prices/price_rows.ts";
import { termsStepOf, termsSteps } from "../prices/price_terms_store.ts";
import {
  type Counters,
  markForSchedule,
  noteProduct,
  offerVersions,
  productVersions,
} from "./change_log_store.ts";
import {
  findIndexRow,
  findIndexRows,
  type IndexRow,
  type IndexRowState,
  putIndexRow,
} from "./index_row_store.ts";
import { differsForSchedule, parseProduct, parseProducts, type Product, shard } from "./product.ts";
import { packDocument, unpackDocument, unpackDocuments } from "./product_pack.ts";
import { batchesOf, mergeSorted } from "../../base/collections.ts";
import { DAY_MS } from "../../base/time.ts";

/** `bytes` is JSON. `etag` is the stored document's versionstamp; a response may append a hash. */
export interface StoredDocument {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Further rows that were read in the same call as the document. */
  readonly beside?: readonly BytesAt[];
}

export interface StoredProduct extends StoredDocument {
  readonly product: Product;
}

function documentTable(table: "p" | "px") {
  const keyOf = (workspaceId: string, id: string) => [
    table,
    idBytes(workspaceId),
    idBytes(id),
  ];

  async function find(
    { store, workspaceId }: WorkspaceStore,
    id: string,
    keysBeside: readonly PlainKey[] = [],
  ): Promise<StoredDocument | null> {
    const [row, ...beside] = await getBytesAt(store, [keyOf(workspaceId, id), ...keysBeside]);
    if (!row) return null;
    return { id, bytes: unpackDocument(id, row.value), etag: row.versionstamp, beside };
  }

  async function list(
    { store, workspaceId }: WorkspaceStore,
    after: string | null,
    limit: number,
  ): Promise<StoredDocument[]> {
    return documentsOf(await listBytes(store, [table, idBytes(workspaceId)], after, limit));
  }

  return { keyOf, find, list };
}

const ACTIVE = documentTable("p");
const DELETED = documentTable("px");
export const { find: findDocument, list: listDocuments } = ACTIVE;
export const { find: findDeletedDocument, list: listDeletedDocuments } = DELETED;

const keyOf = (workspaceId: string, { id, deletedAt }: Pick<Product, "id" | "deletedAt">) =>
  (deletedAt === null ? ACTIVE : DELETED).keyOf(workspaceId, id);

export async function findProduct(workspace: WorkspaceStore, id: string) {
  return parsed(await findDocument(workspace, id));
}

export async function findDeletedProduct(workspace: WorkspaceStore, id: string) {
  return parsed(await findDeletedDocument(workspace, id));
}

export async function findAnyProduct(workspace: WorkspaceStore, id: string) {
  return await findProduct(workspace, id) ?? await findDeletedProduct(workspace, id);
}

function parsed(document: StoredDocument | null): StoredProduct | null {
  return document && { ...document, product: parseProduct(document.bytes) };
}

export async function findDocuments(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  const rows = await getBytes(store, ["p", idBytes(workspaceId)], ids);
  return documentsOf(rows);
}

/** Includes the documents of soft-deleted products. */
export async function documentsById(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const active = await findDocuments(workspace, ids);
  const documents = new Map(active.map((document) => [document.id, document]));
  for (const id of ids) {
    const deleted = documents.has(id) ? null : await findDeletedDocument(workspace, id);
    if (deleted) documents.set(id, deleted);
  }
  return documents;
}

/** Includes soft-deleted products. */
export async function productsById(
  workspace: WorkspaceStore,
  ids: Iterable<string>,
): Promise<Map<string, Product>> {
  const documents = await documentsById(workspace, [...new Set(ids)].sort());
  const products = parseProducts([...documents.values()].map(({ bytes }) => bytes));
  return new Map(products.map((product) => [product.id, product]));
}

export function documentPages(
  workspace: WorkspaceStore,
  list: typeof listDocuments,
  size: number,
  after: string | null = null,
): AsyncGenerator<readonly StoredDocument[]> {
  return pagesOf((...at) => list(workspace, ...at), idOf, size, after);
}

const DOCUMENTS_PER_READ = 500;

/** Yields active and deleted products, sorted by id. */
export function walkAllProducts(workspace: WorkspaceStore) {
  const walk = async function* (list: typeof listDocuments, isDeleted: boolean) {
    for await (const page of documentPages(workspace, list, DOCUMENTS_PER_READ)) {
      for (const document of page) {
        yield { document, product: parseProduct(document.bytes), isDeleted };
      }
    }
  };
  const sides = [walk(listDocuments, false), walk(listDeletedDocuments, true)];
  return mergeSorted(sides, ({ document }) => document.id);
}

function documentsOf(rows: readonly BytesRow[]): StoredDocument[] {
  return unpackDocuments(
    rows,
    ({ part, versionstamp }, bytes) => ({ id: part, bytes, etag: versionstamp }),
  );
}

export function checkProduct(write: Write, workspaceId: string, found: StoredProduct): void {
  write.check(keyOf(workspaceId, found.product), found.etag);
}

/** Stores the time of a visit to a linked page; `updatedAt` does not change. */
export function putLastScraped(
  write: Write,
  workspaceId: string,
  found: StoredProduct,
  lastScrapedAt: string,
): void {
  checkProduct(write, workspaceId, found);
  write.set(ACTIVE.keyOf(workspaceId, found.id), packDocument({ ...found.product, lastScrapedAt }));
  productVersions.set(write, workspaceId, shard(found.product.sku));
}

/** Changes no timestamp, such as `updatedAt`, and publishes no event. */
export function rewriteProduct(
  write: Write,
  { workspaceId }: WorkspaceStore,
  product: Product,
  counters: Counters,
): void {
  write.set(keyOf(workspaceId, product), packDocument(product));
  counters.shards.add(shard(product.sku));
}

export interface ProductChange {
  readonly before: IndexRowState | null;
  /** If a new product has `marks.firstPriceJob`, its price gets no row in the price history. */
  readonly after: IndexRowState;
  readonly textBefore?: string;
  readonly cause: PriceCause;
}

/** The caller must check the version of the product or of its shard, and call `saveCounters`. */
export function putProduct(
  write: Write,
  workspaceId: string,
  change: ProductChange,
  counters: Counters,
): void {
  const { before, after } = change;
  write.set(keyOf(workspaceId, after.product), packDocument(after.product));
  const isActive = after.product.deletedAt === null;
  const wasActive = before !== null && before.product.deletedAt === null;
  if (before && wasActive !== isActive) write.delete(keyOf(workspaceId, before.product));
  noteProduct(write, workspaceId, after.product.id);
  const firstPriceJob = putPriceChange(write, workspaceId, change);
  const terms = before && termsStepOf(before.product, after.product);
  if (terms) termsSteps.put(write, { workspaceId }, { ...terms, productId: after.product.id });
  const marks = { ...after.marks, firstPriceJob };
  putIndexRow(write, workspaceId, before, { product: after.product, marks }, change.textBefore);
  counters.products += Number(isActive) - Number(wasActive);
  for (const { product } of before ? [before, after] : [after]) {
    counters.shards.add(shard(product.sku));
  }
  if (before && before.product.sku !== after.product.sku) {
    // A new SKU can move offers to another shard, so the counters of both shards must change.
    for (const { product: { sku } } of [before, after]) {
      offerVersions.set(write, workspaceId, shard(sku));
    }
  }
  if (before && differsForSchedule(before.product, after.product)) {
    markForSchedule(write, workspaceId, after.product.id);
  }
}

function putPriceChange(
  write: Write,
  workspaceId: string,
  { before, after, cause }: ProductChange,
): string | null {
  const change = priceChangeOf(before?.product ?? null, after.product, cause);
  const given = (before ?? after).marks.firstPriceJob;
  if (change === null) return before ? given : null;
  if (given !== null && before === null) return given;
  const first = before && given !== null ? firstPrice(before.product, given) : null;
  addPriceChange(write, workspaceId, after.product.id, change, first);
  return null;
}

function firstPrice(product: Product, jobId: string): FirstPrice | null {
  if (product.ourPriceCents === null) return null;
  return { atMs: Date.parse(pricedAt(product)), jobId, currency: product.currency };
}

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
 * Returns our price of 24 hours ago if it is in the product's currency. Otherwise returns the first
 * price after the last change to this currency, or else a price in another currency.
 */
export async function priceDayAgo(
  workspace: WorkspaceStore,
  { id, currency }: Pick<Product, "id" | "currency">,
  now: Date,
): Promise<PriceChange | null> {
  const dayAgoMs = now.getTime() - DAY_MS;
  const [before] = await listPriceChanges(workspace, id, { fromMs: 0, beforeMs: dayAgoMs }, 1);
  if (before?.currency === currency) return before;
  const stretch = { fromMs: dayAgoMs, beforeMs: Number.MAX_SAFE_INTEGER };
  const since = await listPriceChanges(workspace, id, stretch, CHANGES_OF_A_DAY);
  const foreign = since.findIndex((change) => change.currency !== currency);
  const own = foreign === -1 ? since : since.slice(0, foreign);
  return own.at(-1) ?? before ?? since.at(-1) ?? null;
}

const CHANGES_OF_A_DAY = 1_000;

/**
 * Returns null if the first price has changed or no import set it. Reads the product before the
 * index row, so that no change in between is missed.
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

export async function* walkPriceChanges(workspace: WorkspaceStore): AsyncGenerator<WalkedChange> {
  for await (const walked of batchesOf(walkAllProducts(workspace), DOCUMENTS_PER_READ)) {
    yield* walkPriceChangesOf(workspace, walked.map(({ product }) => product));
  }
}

/**
 * Yields changes in the order of product ids, the oldest change of a product first. `products` must
 * be sorted by id; changes of other products between these ids may be yielded, too. A price that
 * changes during the iteration may be missing.
 */
export function walkPriceChangesOf(
  workspace: WorkspaceStore,
  products: readonly Product[],
  known?: ReadonlyMap<string, IndexRow>,
): AsyncGenerator<WalkedChange> {
  const [first, last] = [products.at(0), products.at(-1)];
  return mergeSorted([
    walkFirstPrices(workspace, products, known),
    walkPriceRows(workspace, first && last && { first: first.id, last: last.id }),
  ], ({ productId }) => productId);
}

async function* walkFirstPrices(
  workspace: WorkspaceStore,
  products: readonly Product[],
  known?: ReadonlyMap<string, IndexRow>,
): AsyncGenerator<WalkedChange> {
  const senderOf = createSenderFinder(workspace);
  const priced = products.filter(({ ourPriceCents }) => ourPriceCents !== null);
  const indexRows = known ?? await findIndexRows(workspace, priced.map(({ sku }) => sku));
  for (const product of priced) {
    const jobId = indexRows.get(product.sku)?.firstPriceJob ?? null;
    if (jobId === null) continue;
    const change = firstPriceOf(product, jobId, await senderOf(jobId));
    if (change) yield { productId: product.id, atMs: Date.parse(change.at), change };
  }
}
