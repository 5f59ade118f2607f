/**
 * Keys (`W`: id of the workspace): `p W id` → packed document of an active product; `px W id` →
 * packed document of a soft-deleted one.
 *
 * The SKU assigns each product to one of 64 shards, and each shard has a version counter. A commit
 * that changes a product sets the counter of the product's shard. A commit of one product checks
 * the product's document or, for a new product, that the SKU is free. A commit of many products
 * first reads and later checks the counters of the products' shards.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
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
  type FirstPrice,
  type PriceCause,
  priceChangeOf,
  pricedAt,
} from "../prices/price_rows.ts";
import { termsStepOf, termsSteps } from "../prices/price_terms_store.ts";
import {
  type Counters,
  markForSchedule,
  noteProduct,
  offerVersions,
  productVersions,
  putHold,
} from "./change_log_store.ts";
import { type IndexRowState, putIndexRow } from "./index_row_store.ts";
import { differsForSchedule, parseProduct, parseProducts, type Product, shard } from "./product.ts";
import { packDocument, unpackDocument, unpackDocuments } from "./product_pack.ts";

/** `bytes` is JSON. `etag` is the versionstamp of the stored document. */
export interface StoredDocument {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
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
  ): Promise<StoredDocument | null> {
    const [row] = await getBytesAt(store, [keyOf(workspaceId, id)]);
    return row ? { id, bytes: unpackDocument(id, row.value), etag: row.versionstamp } : null;
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

/** The result also has the documents of soft-deleted products. */
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

/** The result also has soft-deleted products. */
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

function documentsOf(rows: readonly BytesRow[]): StoredDocument[] {
  return unpackDocuments(
    rows,
    ({ part, versionstamp }, bytes) => ({ id: part, bytes, etag: versionstamp }),
  );
}

export function checkProduct(write: Write, workspaceId: string, found: StoredProduct): void {
  write.check(keyOf(workspaceId, found.product), found.etag);
}

/** A visit of a linked page does not change `updatedAt`. */
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

/** Leaves all timestamps, such as `updatedAt`, unchanged, and publishes no event. */
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
  /** If a new product has `marks.firstPriceJob`, the price history gets no row for its price. */
  readonly after: IndexRowState;
  readonly textBefore?: string;
  readonly cause: PriceCause;
}

/** The caller must also check the version of the product or its shard, and save `counters`. */
export function putProduct(
  write: Write,
  workspaceId: string,
  change: ProductChange,
  counters: Counters,
): void {
  const { before, after } = change;
  putDocument(write, workspaceId, before?.product ?? null, after.product);
  putHold(write, workspaceId, before?.product ?? null, after.product);
  const firstPriceJob = putPriceChange(write, workspaceId, change);
  const terms = before && termsStepOf(before.product, after.product);
  if (terms) termsSteps.put(write, { workspaceId }, { ...terms, productId: after.product.id });
  const marks = { ...after.marks, firstPriceJob };
  putIndexRow(write, workspaceId, before, { product: after.product, marks }, change.textBefore);
  const wasActive = before !== null && before.product.deletedAt === null;
  counters.products += (after.product.deletedAt === null ? 1 : 0) - (wasActive ? 1 : 0);
  for (const { product } of before ? [before, after] : [after]) {
    counters.shards.add(shard(product.sku));
  }
  if (before && before.product.sku !== after.product.sku) {
    // A new SKU may move the product's offers to another shard, so both counters must change.
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

function putDocument(
  write: Write,
  workspaceId: string,
  before: Product | null,
  after: Product,
): void {
  write.set(keyOf(workspaceId, after), packDocument(after));
  const isMoved = before !== null && (before.deletedAt === null) !== (after.deletedAt === null);
  if (isMoved) write.delete(keyOf(workspaceId, before));
  noteProduct(write, workspaceId, after.id);
}

interface CutRow {
  readonly shard: number;
  readonly rows?: number;
  readonly bytes?: number;
}

interface CutLimits {
  readonly rows: number;
  readonly shards: number;
  readonly bytes?: number;
}

/** `sorted` must be sorted by shard. An item that exceeds a limit gets a batch of its own. */
export function cutByShard<Row extends CutRow>(sorted: readonly Row[], most: CutLimits): Row[][] {
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let [rows, bytes, shards] = [0, 0, new Set<number>()];
  for (const row of sorted) {
    const own = { rows: row.rows ?? 1, bytes: row.bytes ?? 0 };
    const isFull = rows + own.rows > most.rows || bytes + own.bytes > (most.bytes ?? Infinity) ||
      (!shards.has(row.shard) && shards.size === most.shards);
    if (isFull && batch.length > 0) {
      batches.push(batch);
      batch = [];
      [rows, bytes, shards] = [0, 0, new Set()];
    }
    batch.push(row);
    rows += own.rows;
    bytes += own.bytes;
    shards.add(row.shard);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
