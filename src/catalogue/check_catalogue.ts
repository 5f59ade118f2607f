/**
 * Checks that the rows of a catalogue agree, in both directions (docs/decisions/keys.md). For a
 * store at rest: concurrent writes look like disagreements. Memory does not grow with rows.
 */

import { batchesOf, mergeSorted } from "../base/collections.ts";
import { iso } from "../base/time.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { awaitedPrices } from "./prices/awaited_price_store.ts";
import { exportedChanges, isBySender, listKnownImports, priceRows } from "./prices/price_rows.ts";
import { priceMarks } from "./prices/price_mark.ts";
import { type TermsStep, termsSteps, tierCents } from "./prices/price_terms_store.ts";
import { decodeBlock, type FieldBlock, hasRow, rowsOfBlock } from "./products/field_block.ts";
import {
  findBlock,
  listBlocks,
  listFieldVersions,
  type StoredBlock,
} from "./products/field_block_store.ts";
import { holds } from "./products/hold_store.ts";
import { findIndexRows, hasSamePrices, listIndexRows } from "./products/index_row_store.ts";
import {
  listPriceChanges,
  type WalkedChange,
  walkPriceChangesOf,
} from "./products/price_changes.ts";
import { holdEndMs, type Product, searchText, shard, SHARD_NUMBERS } from "./products/product.ts";
import { filterFieldsOf } from "./products/product_counters.ts";
import { INDEXED_NAMES } from "./products/product_field_table.ts";
import {
  documentPages,
  findAnyProduct,
  findDeletedDocument,
  findDeletedProduct,
  findDocuments,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import { isDocumentOf, parseProduct, toWire } from "./products/product_wire.ts";
import { countActiveProducts, listVersionCounters } from "./products/version_counter_store.ts";
import { Buffer } from "node:buffer";

const ROWS_AT_ONCE = 200;

export async function* checkCatalogue(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const imports = await listKnownImports(workspace);
  let active = 0;
  let lastId = "";
  for await (const checked of batchesOf(walkProducts(workspace), ROWS_AT_ONCE)) {
    for (const one of checked) {
      const { document: { id } } = one;
      if (id === lastId) yield `Product ${id} is both active and deleted`;
      lastId = id;
      if (!one.isDeleted) active++;
      yield* checkDocument(one);
    }
    yield* checkOwnIndexRows(workspace, checked);
    yield* checkOwnHolds(workspace, checked);
    yield* checkHistory(workspace, checked.map(({ product }) => product), imports);
  }
  const counted = await countActiveProducts(workspace);
  if (counted !== active) yield `${active} products are active, the count says ${counted}`;
  yield* checkIndexRows(workspace, imports);
  yield* checkBlocks(workspace, active);
  yield* checkHolds(workspace);
  yield* checkExports(workspace);
  yield* checkPriceMarks(workspace);
  yield* checkPriceTerms(workspace);
  yield* checkAwaitedPrices(workspace);
}

/** Whether its document is stored as active or deleted. */
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

function* checkDocument({ document, product, isDeleted }: CheckedProduct): Generator<string> {
  const { id, bytes } = document;
  if (product.id !== id) yield `Product ${id} calls itself ${product.id}`;
  if ((product.deletedAt !== null) !== isDeleted) {
    yield `Product ${id} stands on the wrong side of deletion`;
  }
  if (Buffer.compare(toWire(product), bytes) !== 0) {
    yield `Product ${id} is stored in another form than it is answered`;
  }
}

async function* checkOwnIndexRows(
  workspace: WorkspaceStore,
  checked: readonly CheckedProduct[],
): AsyncGenerator<string> {
  const rows = await findIndexRows(workspace, checked.map(({ product }) => product.sku));
  for (const { document: { id }, product, isDeleted } of checked) {
    const { sku } = product;
    const row = rows.get(sku);
    const name = indexRowName(sku);
    if (row?.id !== id) yield `Product ${id} has no card of its SKU "${sku}"`;
    else {
      if (row.isDeleted !== isDeleted) yield `${name} is wrong about deletion`;
      if (row.text !== searchText(product)) yield `${name} has an old text`;
      if (!hasSamePrices(row.prices, product)) yield `${name} has old prices`;
    }
  }
}

async function* checkIndexRows(
  workspace: WorkspaceStore,
  imports: ReadonlySet<string>,
): AsyncGenerator<string> {
  const versionCounters = await listVersionCounters(workspace);
  for (const number of SHARD_NUMBERS) {
    for await (const rows of batchesOf(listIndexRows(workspace, number), ROWS_AT_ONCE)) {
      const documents = await documentsOf(workspace, rows.map(({ card }) => card.id));
      for (const { sku, card: { id, firstPriceJob } } of rows) {
        const name = indexRowName(sku);
        if (!versionCounters.has(number)) {
          yield `${name} is in shard ${number} without a generation`;
        }
        if (shard(sku) !== number) yield `${name} is in shard ${number} instead of ${shard(sku)}`;
        if (firstPriceJob !== null && !imports.has(firstPriceJob)) {
          yield `${name} has its price from import ${firstPriceJob}, whose sender nobody knows`;
        }
        const document = documents.get(id) ?? await findDeletedDocument(workspace, id);
        if (document === null || !isDocumentOf(document.bytes, id, sku)) {
          yield `${name} names product ${id}, which is not there or has another SKU`;
        }
      }
    }
  }
}

function indexRowName(sku: string): string {
  return `The card of SKU "${sku}"`;
}

async function documentsOf(workspace: WorkspaceStore, ids: readonly string[]) {
  const documents = await findDocuments(workspace, ids);
  return new Map(documents.map((document) => [document.id, document]));
}

/** An active product is in exactly one block of its shard, a deleted one in none. */
async function* checkBlocks(workspace: WorkspaceStore, active: number): AsyncGenerator<string> {
  const versions = await listFieldVersions(workspace);
  let found = 0;
  for (const number of SHARD_NUMBERS) {
    const blocks = await listBlocks(workspace, number);
    if (blocks.length > 0 && !versions.has(number)) {
      yield `The fields of shard ${number} have no version`;
    }
    let last = "";
    for (const [at, stored] of blocks.entries()) {
      const name = `the block of fields "${stored.first}" of shard ${number}`;
      const block = readBlock(stored);
      if (block === null) yield `Nobody can read ${name}`;
      const rows = block === null ? [] : [...rowsOfBlock(block)];
      const documents = await documentsOf(workspace, rows.map(([id]) => id));
      const end = blocks[at + 1]?.first ?? null;
      for (const [id, { updatedAtMs, fields }] of rows) {
        const isPlaced = id >= stored.first && id > last && (end === null || id < end);
        if (!isPlaced) yield `Product ${id} is at a wrong place in ${name}`;
        last = id;
        const document = documents.get(id);
        const product = document && parseProduct(document.bytes);
        if (!product || shard(product.sku) !== number) {
          yield `Product ${id} is in ${name} too many`;
          continue;
        }
        if (isPlaced) found++;
        if (updatedAtMs !== Date.parse(product.updatedAt)) {
          yield `Product ${id} has another time in ${name}`;
        }
        for (const [place, field] of filterFieldsOf(product).entries()) {
          if (field === fields[place]) continue;
          yield `Product ${id} has another ${INDEXED_NAMES[place]} in ${name}`;
        }
      }
    }
  }
  if (found !== active) yield* checkOwnFields(workspace);
}

async function* checkOwnFields(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { document: { id }, product, isDeleted } of walkProducts(workspace)) {
    if (isDeleted) continue;
    const stored = await findBlock(workspace, shard(product.sku), id);
    const ids = stored && readBlock(stored)?.ids;
    if (ids && hasRow(ids, id)) continue;
    yield `Product ${id} is in no block of fields`;
  }
}

function readBlock({ bytes }: StoredBlock): FieldBlock | null {
  try {
    return decodeBlock(bytes);
  } catch {
    return null;
  }
}

/** Checks that each active product with `heldUntil` has a row in the table of holds. */
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
    if (!rows[at]) yield `Product ${productId} is held until ${iso(untilMs)}, which has no row`;
  }
}

async function* checkHolds(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const rows of batchesOf(holds.walk(workspace), ROWS_AT_ONCE)) {
    const documents = await documentsOf(workspace, rows.map(({ row }) => row.productId));
    for (const { row: { productId, untilMs } } of rows) {
      if (!Number.isSafeInteger(untilMs)) yield `A hold of product ${productId} ends at no time`;
      const document = documents.get(productId);
      if (document && holdEndMs(parseProduct(document.bytes)) === untilMs) continue;
      yield `The hold of product ${productId} until ${iso(untilMs)} is not its own`;
    }
  }
}

/**
 * Each product has the last price of its history, each change starts where the previous one ended,
 * and the export has the changes that no import made. `products` ascend by id.
 */
async function* checkHistory(
  workspace: WorkspaceStore,
  products: readonly Product[],
  imports: ReadonlySet<string>,
): AsyncGenerator<string> {
  const newest = new Map<string, WalkedChange>();
  for await (const changes of batchesOf(walkPriceChangesOf(workspace, products), ROWS_AT_ONCE)) {
    const exported = await exportedChanges.getMany(workspace, changes);
    for (const [at, placed] of changes.entries()) {
      const { productId, change } = placed;
      const before = newest.get(productId);
      newest.set(productId, placed);
      const name = changeName(placed);
      if ((before?.change.toCents ?? null) !== change.fromCents) {
        yield `${name} starts at another price`;
      }
      if ((exported[at] !== null) === (change.source === "import")) {
        yield `${name} is exported wrongly`;
      }
      // A first price that is current has no row; its index row is checked elsewhere.
      const isSecond = before?.change.fromCents === null;
      for (const row of before === undefined ? [] : isSecond ? [before, placed] : [placed]) {
        if (!isBySender(row.change) || imports.has(row.change.ref)) continue;
        yield `${changeName(row)} is of import ${row.change.ref}, whose sender nobody knows`;
      }
    }
  }
  for (const { id, ourPriceCents, currency } of products) {
    const change = newest.get(id)?.change;
    const says = change ? priceText(change.toCents, change.currency) : NO_PRICE;
    const price = priceText(ourPriceCents, currency);
    if (says !== price) yield `Product ${id} costs ${price}, its history says ${says}`;
  }
}

async function* checkExports(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const rows of batchesOf(exportedChanges.walk(workspace), ROWS_AT_ONCE)) {
    const found = await priceRows.getMany(workspace, rows.map(({ row }) => row));
    for (const [at, { row: { productId, atMs } }] of rows.entries()) {
      if (found[at]) continue;
      yield `The price export has a change without history: ${productId} ${atMs}`;
    }
  }
}

const NO_PRICE = "none";

function changeName({ productId, change: { at } }: WalkedChange): string {
  return `The price change of product ${productId} at ${at}`;
}

function priceText(cents: number | null, currency: string): string {
  return cents === null ? NO_PRICE : `${cents} ${currency}`;
}

/** Marks need their entry in the price history. */
async function* checkPriceMarks(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { row: { productId, atMs } } of priceMarks.walk(workspace)) {
    const stretch = { fromMs: atMs, beforeMs: atMs + 1 };
    const [change] = await listPriceChanges(workspace, productId, stretch, 1);
    if (change) continue;
    const at = new Date(atMs).toISOString();
    yield `Product ${productId} has a mark at ${at}, where its price did not change`;
  }
}

/** Yields a sentence for each product whose last step of terms differs from its current terms. */
async function* checkPriceTerms(workspace: WorkspaceStore): AsyncGenerator<string> {
  let productId: string | null = null;
  let steps: TermsStep[] = [];
  for await (const { row } of termsSteps.walk(workspace)) {
    if (productId !== null && productId !== row.productId) {
      yield* endsWrongly(workspace, productId, steps);
      steps = [];
    }
    productId = row.productId;
    steps.push(row);
  }
  if (productId !== null) yield* endsWrongly(workspace, productId, steps);
}

async function* endsWrongly(
  workspace: WorkspaceStore,
  id: string,
  steps: readonly TermsStep[],
): AsyncGenerator<string> {
  const found = await findAnyProduct(workspace, id);
  if (!found) return yield `There are terms of prices of product ${id}, which is none`;
  const { product } = found;
  const rate = steps.findLast(({ vat }) => vat !== null)?.vat;
  if (rate && rate[1] !== product.vatRatePct) {
    yield `Product ${id} has a VAT rate of ${product.vatRatePct}, its past ends at ${rate[1]}`;
  }
  const last = new Map(
    steps.flatMap(({ tiers }) => tiers)
      .filter(([, currency]) => currency === product.currency)
      .map(([tier, , , cents]) => [tier ?? "", cents]),
  );
  for (const [tier, cents] of last) {
    if (tierCents(product, tier) === cents) continue;
    yield `Tier "${tier}" of product ${id} ends in its past at another price than it has`;
  }
}

/** Yields a sentence for each awaited price whose product never existed. */
async function* checkAwaitedPrices(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const prices of batchesOf(awaitedPrices.walk(workspace), ROWS_AT_ONCE)) {
    const documents = await findDocuments(workspace, prices.map(({ row }) => row.productId));
    const active = new Set(documents.map(({ id }) => id));
    for (const { row: { productId } } of prices) {
      if (active.has(productId) || await findDeletedProduct(workspace, productId)) continue;
      yield `A price is awaited of product ${productId}, which is not there`;
    }
  }
}
