/** Checks a catalogue for contradictions. Must only run while nothing writes to the store. */
import { batchesOf, mergeSorted } from "../base/collections.ts";
import { RowSums } from "../base/id.ts";
import { iso } from "../base/time.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import {
  checkAwaitedPrices,
  checkExports,
  checkHistory,
  checkPriceMarks,
  checkPriceTerms,
  hasExports,
} from "./check_prices.ts";
import { listKnownImports } from "./prices/price_rows.ts";
import {
  decodeBlock,
  type FieldBlock,
  type FilterFields,
  filterFieldsOf,
  hasRow,
  rowsOfBlock,
} from "./products/field_block.ts";
import {
  findBlock,
  listBlocks,
  listFieldVersions,
  type StoredBlock,
} from "./products/field_block_store.ts";
import { countActiveProducts, holds, productVersions } from "./products/change_log_store.ts";
import { findIndexRows, type IndexRow, listIndexRows } from "./products/index_row_store.ts";
import {
  holdEndMs,
  isDocumentOf,
  parseProduct,
  type Product,
  searchText,
  shard,
  SHARD_NUMBERS,
  toWire,
} from "./products/product.ts";
import { FILTERED_NAMES } from "./products/product_field_table.ts";
import {
  documentPages,
  documentsById,
  findDeletedDocument,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import { Buffer } from "node:buffer";

const ROWS_AT_ONCE = 500;

export async function* checkCatalogue(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const imports = await listKnownImports(workspace);
  const sums = new RowSums();
  let active = 0;
  let lastId = "";
  for await (const checked of batchesOf(walkProducts(workspace), ROWS_AT_ONCE)) {
    for (const one of checked) {
      const { document: { id } } = one;
      if (id === lastId) yield `Product ${id} is both active and deleted`;
      lastId = id;
      if (!one.isDeleted) active++;
      addExpected(sums, one);
      yield* checkDocument(one);
    }
    const products = checked.map(({ product }) => product);
    const rows = await findIndexRows(workspace, products.map(({ sku }) => sku));
    yield* checkOwnIndexRows(rows, checked);
    yield* checkOwnHolds(workspace, checked);
    yield* checkHistory(workspace, { products, rows, imports, sums });
  }
  const counted = await countActiveProducts(workspace);
  if (counted !== active) yield `${active} products are active, the count says ${counted}`;
  yield* checkIndexRows(workspace, imports, sums);
  if (!await hasBlocks(workspace, sums)) yield* checkBlocks(workspace);
  yield* checkHolds(workspace);
  if (!await hasExports(workspace, sums)) yield* checkExports(workspace);
  yield* checkPriceMarks(workspace);
  yield* checkPriceTerms(workspace);
  yield* checkAwaitedPrices(workspace);
}

interface CheckedProduct {
  readonly document: StoredDocument;
  readonly product: Product;
  readonly isDeleted: boolean;
}

function walkProducts(workspace: WorkspaceStore): AsyncGenerator<CheckedProduct> {
  const walk = async function* (list: typeof listDocuments, isDeleted: boolean) {
    for await (const page of documentPages(workspace, list, ROWS_AT_ONCE)) {
      for (const document of page) {
        yield { document, product: parseProduct(document.bytes), isDeleted };
      }
    }
  };
  const sides = [walk(listDocuments, false), walk(listDeletedDocuments, true)];
  return mergeSorted(sides, ({ document }) => document.id);
}

function addExpected(
  sums: RowSums,
  { document: { id }, product, isDeleted }: CheckedProduct,
): void {
  sums.add("index rows", `${id} ${product.sku}`);
  if (isDeleted) return;
  const updatedAtMs = Date.parse(product.updatedAt);
  sums.add("fields", fieldText(shard(product.sku), id, updatedAtMs, filterFieldsOf(product)));
}

function fieldText(number: number, id: string, updatedAtMs: number, fields: FilterFields): string {
  return `${number} ${id} ${updatedAtMs} ${JSON.stringify(fields)}`;
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
  if (!sums.isSame("index rows", expected)) yield* checkNamedProducts(workspace);
}

async function* checkNamedProducts(workspace: WorkspaceStore): AsyncGenerator<string> {
  for (const number of SHARD_NUMBERS) {
    for await (const rows of batchesOf(listIndexRows(workspace, number), ROWS_AT_ONCE)) {
      const documents = await documentsById(workspace, rows.map(({ indexRow }) => indexRow.id));
      for (const { sku, indexRow: { id } } of rows) {
        const document = documents.get(id) ?? await findDeletedDocument(workspace, id);
        if (document !== null && isDocumentOf(document.bytes, id, sku)) continue;
        yield `${indexRowName(sku)} names product ${id}, which does not exist or has another SKU`;
      }
    }
  }
}

function indexRowName(sku: string): string {
  return `The index row of SKU "${sku}"`;
}

async function hasBlocks(workspace: WorkspaceStore, expected: RowSums): Promise<boolean> {
  const versions = await listFieldVersions(workspace);
  const sums = new RowSums();
  for (const number of SHARD_NUMBERS) {
    let last = "";
    for (const [at, stored] of (await listBlocks(workspace, number)).entries()) {
      const block = readBlock(stored);
      if (block === null || !versions.has(number) || (at > 0 && stored.first <= last)) return false;
      for (const [id, { updatedAtMs, fields }] of rowsOfBlock(block)) {
        if (id < stored.first || id <= last) return false;
        last = id;
        sums.add("fields", fieldText(number, id, updatedAtMs, fields));
      }
    }
  }
  return sums.isSame("fields", expected);
}

async function* checkBlocks(workspace: WorkspaceStore): AsyncGenerator<string> {
  const versions = await listFieldVersions(workspace);
  for (const number of SHARD_NUMBERS) {
    const blocks = await listBlocks(workspace, number);
    if (blocks.length > 0 && !versions.has(number)) {
      yield `The fields of shard ${number} have no version`;
    }
    let last = "";
    for (const [at, stored] of blocks.entries()) {
      const name = `the block of fields "${stored.first}" of shard ${number}`;
      const block = readBlock(stored);
      if (block === null) yield `${name} cannot be read`;
      const rows = block === null ? [] : [...rowsOfBlock(block)];
      const documents = await documentsById(workspace, rows.map(([id]) => id));
      const end = blocks[at + 1]?.first ?? null;
      for (const [id, { updatedAtMs, fields }] of rows) {
        const isPlaced = id >= stored.first && id > last && (end === null || id < end);
        if (!isPlaced) yield `Product ${id} is not in order in ${name}`;
        last = id;
        const document = documents.get(id);
        const product = document && parseProduct(document.bytes);
        if (!product || shard(product.sku) !== number) {
          yield `Product ${id} is in ${name}, but not active or not of this shard`;
          continue;
        }
        if (updatedAtMs !== Date.parse(product.updatedAt)) {
          yield `Product ${id} has another change time in ${name}`;
        }
        for (const [place, field] of filterFieldsOf(product).entries()) {
          if (field === fields[place]) continue;
          yield `Product ${id} has another ${FILTERED_NAMES[place]} in ${name}`;
        }
      }
    }
  }
  yield* checkOwnFields(workspace);
}

async function* checkOwnFields(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { document: { id }, product, isDeleted } of walkProducts(workspace)) {
    if (isDeleted) continue;
    const stored = await findBlock(workspace, shard(product.sku), id);
    const ids = stored && readBlock(stored)?.ids;
    if (ids && hasRow(ids, id)) continue;
    yield `Product ${id} is missing in the field blocks`;
  }
}

function readBlock({ bytes }: StoredBlock): FieldBlock | null {
  try {
    return decodeBlock(bytes);
  } catch {
    return null;
  }
}

async function* checkOwnHolds(
  workspace: WorkspaceStore,
  checked: readonly CheckedProduct[],
): AsyncGenerator<string> {
  const held = checked.flatMap(({ product }) => {
    const untilMs = holdEndMs(product);
    return untilMs === null ? [] : [{ productId: product.id, untilMs }];
  });
  const rows = await holds.getMany(workspace, held);
  for (const [at, { productId, untilMs }] of held.entries()) {
    if (!rows[at]) yield `The hold of product ${productId} until ${iso(untilMs)} has no row`;
  }
}

async function* checkHolds(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const rows of batchesOf(holds.walk(workspace), ROWS_AT_ONCE)) {
    const documents = await documentsById(workspace, rows.map(({ row }) => row.productId));
    for (const { row: { productId, untilMs } } of rows) {
      if (!Number.isSafeInteger(untilMs)) yield `A hold of product ${productId} has no valid end`;
      const document = documents.get(productId);
      if (document && holdEndMs(parseProduct(document.bytes)) === untilMs) continue;
      yield `The hold of product ${productId} until ${iso(untilMs)} differs from the product`;
    }
  }
}
