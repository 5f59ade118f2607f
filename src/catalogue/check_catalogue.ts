/**
 * Checks the rows of a catalogue (products, index rows, prices) for contradictions. Nothing may
 * write to the store during the check.
 */
import { batchesOf } from "../base/collections.ts";
import { RowSums } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { exportedChanges, isBySender, listKnownImports } from "./prices/price_rows.ts";
import { countActiveProducts, productVersions } from "./products/change_log_store.ts";
import { findIndexRows, type IndexRow, listIndexRows } from "./products/index_row_store.ts";
import { type Product, searchText, shard, SHARD_NUMBERS, toWire } from "./products/product.ts";
import {
  type StoredDocument,
  walkAllProducts,
  type WalkedChange,
  walkPriceChangesOf,
} from "./products/product_store.ts";
import { Buffer } from "node:buffer";

const ROWS_AT_ONCE = 500;

export async function* checkCatalogue(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const imports = await listKnownImports(workspace);
  const sums = new RowSums();
  let active = 0;
  let lastId = "";
  for await (const checked of batchesOf(walkAllProducts(workspace), ROWS_AT_ONCE)) {
    for (const one of checked) {
      const { document: { id }, product } = one;
      if (id === lastId) yield `Product ${id} is both active and deleted`;
      lastId = id;
      if (!one.isDeleted) active++;
      sums.add("index rows", `${id} ${product.sku}`);
      yield* checkDocument(one);
    }
    const products = checked.map(({ product }) => product);
    const rows = await findIndexRows(workspace, products.map(({ sku }) => sku));
    yield* checkOwnIndexRows(rows, checked);
    yield* checkHistory(workspace, { products, rows, imports, sums });
  }
  const counted = await countActiveProducts(workspace);
  if (counted !== active) yield `${active} products are active, the count says ${counted}`;
  yield* checkIndexRows(workspace, imports, sums);
  yield* checkExports(workspace, sums);
}

interface CheckedProduct {
  readonly document: StoredDocument;
  readonly product: Product;
  readonly isDeleted: boolean;
}

function* checkDocument({ document, product, isDeleted }: CheckedProduct): Generator<string> {
  const { id, bytes } = document;
  if (product.id !== id) yield `Product ${id} has the id ${product.id} in its document`;
  if ((product.deletedAt !== null) !== isDeleted) {
    yield `Product ${id} is active but stored as deleted, or the other way round`;
  }
  if (Buffer.compare(toWire(product), bytes) !== 0) {
    yield `Product ${id} is stored in another form than the interface returns`;
  }
}

function* checkOwnIndexRows(
  rows: ReadonlyMap<string, IndexRow>,
  checked: readonly CheckedProduct[],
): Generator<string> {
  for (const { document: { id }, product, isDeleted } of checked) {
    const { sku } = product;
    const row = rows.get(sku);
    const name = indexRowName(sku);
    if (row?.id !== id) yield `Product ${id} has no index row of its SKU "${sku}"`;
    else {
      if (row.isDeleted !== isDeleted) yield `${name} differs from its product in deletion`;
      if (row.text !== searchText(product)) yield `${name} has an old text`;
    }
  }
}

async function* checkIndexRows(
  workspace: WorkspaceStore,
  imports: ReadonlySet<string>,
  expected: RowSums,
): AsyncGenerator<string> {
  const versionCounters = await productVersions.list(workspace);
  const sums = new RowSums();
  for (const number of SHARD_NUMBERS) {
    for await (const { sku, indexRow: { id, firstPriceJob } } of listIndexRows(workspace, number)) {
      const name = indexRowName(sku);
      sums.add("index rows", `${id} ${sku}`);
      if (!versionCounters.has(number)) {
        yield `${name} is in shard ${number}, which has no version counter`;
      }
      if (shard(sku) !== number) yield `${name} is in shard ${number} instead of ${shard(sku)}`;
      if (firstPriceJob !== null && !imports.has(firstPriceJob)) {
        yield `${name} has its price from import ${firstPriceJob}, whose sender is unknown`;
      }
    }
  }
  if (!sums.isSame("index rows", expected)) yield "The index rows differ from the products";
}

function indexRowName(sku: string): string {
  return `The index row of SKU "${sku}"`;
}

interface History {
  readonly products: readonly Product[];
  readonly rows: ReadonlyMap<string, IndexRow>;
  readonly imports: ReadonlySet<string>;
  readonly sums: RowSums;
}

/** `products` must be sorted by id. */
async function* checkHistory(
  workspace: WorkspaceStore,
  { products, rows, imports, sums }: History,
): AsyncGenerator<string> {
  const newest = new Map<string, WalkedChange>();
  for await (const placed of walkPriceChangesOf(workspace, products, rows)) {
    const { productId, change } = placed;
    const before = newest.get(productId);
    newest.set(productId, placed);
    if ((before?.change.toCents ?? null) !== change.fromCents) {
      yield `${changeName(placed)} starts at another price`;
    }
    if (change.source !== "import") sums.add("exports", exportText(placed));
    const isSecond = before?.change.fromCents === null;
    for (const row of before === undefined ? [] : isSecond ? [before, placed] : [placed]) {
      if (!isBySender(row.change) || imports.has(row.change.ref)) continue;
      yield `${changeName(row)} is of import ${row.change.ref}, whose sender is unknown`;
    }
  }
  for (const { id, ourPriceCents, currency } of products) {
    const change = newest.get(id)?.change;
    const says = change ? priceText(change.toCents, change.currency) : NO_PRICE;
    const price = priceText(ourPriceCents, currency);
    if (says !== price) yield `Product ${id} has the price ${price}, its history says ${says}`;
  }
}

async function* checkExports(
  workspace: WorkspaceStore,
  expected: RowSums,
): AsyncGenerator<string> {
  const sums = new RowSums();
  for await (const { row } of exportedChanges.walk(workspace)) sums.add("exports", exportText(row));
  if (!sums.isSame("exports", expected)) yield "The price export differs from the price history";
}

const NO_PRICE = "none";

function changeName({ productId, change: { at } }: WalkedChange): string {
  return `The price change of product ${productId} at ${at}`;
}

function priceText(cents: number | null, currency: string): string {
  return cents === null ? NO_PRICE : `${cents} ${currency}`;
}

function exportText({ productId, atMs, change }: WalkedChange): string {
  const { fromCents, toCents, currency } = change;
  return `${productId} ${atMs} ${fromCents} ${toCents} ${currency}`;
}
