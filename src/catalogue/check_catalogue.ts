/**
 * Looks for disagreements between the rows of one workspace's catalogue (docs/decisions/keys.md).
 * Meant for a store at rest: what others write meanwhile may look like one. Keeps about 500 bytes
 * per product.
 */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { checkSearchTexts } from "./check_search.ts";
import { readDictionary } from "./lists/dictionary_store.ts";
import type { PriceChange } from "./prices/price_history.ts";
import { walkExportedChanges, walkPriceChanges } from "./prices/price_history_store.ts";
import { type Product, searchText, shard, SHARD_NUMBERS } from "./products/product.ts";
import { expectedIndexRows, walkIndexRows } from "./products/product_index_store.ts";
import { listCards } from "./products/card_store.ts";
import { listGenerations } from "./products/generation_store.ts";
import {
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import {
  countProduct,
  createTally,
  DIMENSIONS,
  type FilterFields,
  filterFieldsOf,
  type Tally,
} from "./products/product_tally.ts";
import { parseProduct, toWire } from "./products/product_wire.ts";

const ROWS_PER_READ = 1_000;

/** What the other rows of a product must agree with. */
interface Expected {
  readonly sku: string;
  readonly isDeleted: boolean;
  readonly text: string;
  readonly fields: FilterFields;
  readonly price: string;
  /** Ticked off as they are found. */
  readonly indexRows: Set<string>;
  hasCard: boolean;
}

type Catalogue = Map<string, Expected>;

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkCatalogue(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const catalogue: Catalogue = new Map();
  const tally = createTally();
  yield* checkDocuments(workspace, catalogue, tally);
  yield* checkCards(workspace, catalogue);
  yield* checkIndexRows(workspace, catalogue);
  yield* checkCounts(workspace, tally);
  yield* checkHistory(workspace, catalogue);
  yield* checkSearchTexts(workspace);
}

async function* checkDocuments(workspace: WorkspaceStore, catalogue: Catalogue, tally: Tally) {
  for (const [list, isDeleted] of [[listDocuments, false], [listDeletedDocuments, true]] as const) {
    for await (const document of walk(list, workspace)) {
      const product = parseProduct(document.bytes);
      yield* checkDocument(document, product, isDeleted);
      if (catalogue.has(product.id)) yield `Product ${product.id} is both active and deleted`;
      catalogue.set(product.id, expectationOf(product, isDeleted));
      if (!isDeleted) countProduct(tally, filterFieldsOf(product), 1);
    }
  }
}

async function* walk(list: typeof listDocuments, workspace: WorkspaceStore) {
  for (let after: string | null = null;;) {
    const documents: StoredDocument[] = await list(workspace, after, ROWS_PER_READ);
    yield* documents;
    after = documents.at(-1)?.id ?? after;
    if (documents.length < ROWS_PER_READ) return;
  }
}

function* checkDocument({ id, bytes }: StoredDocument, product: Product, isDeleted: boolean) {
  if (product.id !== id) yield `Product ${id} calls itself ${product.id}`;
  if ((product.deletedAt !== null) !== isDeleted) {
    yield `Product ${id} stands on the wrong side of deletion`;
  }
  if (toWire(product).toHex() !== bytes.toHex()) {
    yield `Product ${id} is stored in another form than it is answered`;
  }
}

function expectationOf(product: Product, isDeleted: boolean): Expected {
  return {
    sku: product.sku,
    isDeleted,
    text: searchText(product),
    fields: filterFieldsOf(product),
    price: priceText(product.ourPriceCents, product.currency),
    indexRows: new Set(isDeleted ? [] : expectedIndexRows(product)),
    hasCard: false,
  };
}

function priceText(cents: number | null, currency: string): string {
  return cents === null ? "none" : `${cents} ${currency}`;
}

async function* checkCards(workspace: WorkspaceStore, catalogue: Catalogue) {
  const generations = await listGenerations(workspace);
  for (const number of SHARD_NUMBERS) {
    for await (const { sku, card } of listCards(workspace, number)) {
      const name = `The card of SKU "${sku}"`;
      if (!generations.has(number)) yield `${name} is in shard ${number} without a generation`;
      if (shard(sku) !== number) yield `${name} is in shard ${number} instead of ${shard(sku)}`;
      const product = catalogue.get(card.id);
      if (!product || product.sku !== sku) {
        yield `${name} names product ${card.id}, which is not there or has another SKU`;
        continue;
      }
      product.hasCard = true;
      if (product.isDeleted !== card.isDeleted) yield `${name} is wrong about deletion`;
      if (product.text !== card.text) yield `${name} has an old text`;
    }
  }
  for (const [id, { hasCard, sku }] of catalogue) {
    if (!hasCard) yield `Product ${id} has no card of its SKU "${sku}"`;
  }
}

async function* checkIndexRows(workspace: WorkspaceStore, catalogue: Catalogue) {
  for await (const { table, value, id, fields } of walkIndexRows(workspace)) {
    const row = `${table} ${String(value)}`;
    const product = catalogue.get(id);
    if (!product?.indexRows.delete(row)) yield `Product ${id} has the index row "${row}" too many`;
    else if (table !== "pu" && product.fields.some((field, at) => field !== fields[at])) {
      yield `Product ${id} has other filter fields in its index row "${row}"`;
    }
  }
  for (const [id, { indexRows }] of catalogue) {
    for (const row of indexRows) yield `Product ${id} lacks the index row "${row}"`;
  }
}

async function* checkCounts(workspace: WorkspaceStore, tally: Tally) {
  const { dictionary } = await readDictionary(workspace);
  if (dictionary.total !== tally.products) {
    yield `${tally.products} products are active, the count says ${dictionary.total}`;
  }
  for (const dimension of DIMENSIONS) {
    const stored = dictionary.values[dimension];
    const counted = tally.values[dimension];
    for (const value of new Set([...stored.keys(), ...counted.keys()])) {
      const [is, says] = [counted.get(value) ?? 0, stored.get(value) ?? 0];
      if (is !== says) yield `${is} products have ${dimension} "${value}", the count says ${says}`;
    }
  }
}

/** Each change starts where the one before ended, the last one at today's price. */
async function* checkHistory(workspace: WorkspaceStore, catalogue: Catalogue) {
  const exported = new Set<string>(await Array.fromAsync(walkExportedChanges(workspace)));
  const newest = new Map<string, PriceChange>();
  for await (const { productId, atMs, change } of walkPriceChanges(workspace)) {
    const name = `The price change of product ${productId} at ${change.at}`;
    const last = newest.get(productId);
    if ((last?.toCents ?? null) !== change.fromCents) yield `${name} starts at another price`;
    if (Date.parse(change.at) !== atMs) yield `${name} stands at another time`;
    const isExported = exported.delete(`${productId} ${atMs}`);
    if (isExported !== (change.source !== "import")) yield `${name} is exported wrongly`;
    newest.set(productId, change);
  }
  for (const row of exported) yield `The price export has a change without history: ${row}`;
  for (const [id, { price }] of catalogue) {
    const last = newest.get(id);
    const says = last ? priceText(last.toCents, last.currency) : "none";
    if (says !== price) yield `Product ${id} costs ${price}, its history says ${says}`;
  }
}
