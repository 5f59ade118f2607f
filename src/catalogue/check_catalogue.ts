/**
 * Looks for disagreements between the rows of one workspace's catalogue (docs/decisions/keys.md).
 * Meant for a store at rest: what others write meanwhile may look like one. Keeps about 500 bytes
 * per product.
 */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import type { PriceChange } from "./prices/price_history.ts";
import { listKnownImports, walkExportedChanges } from "./prices/price_history_store.ts";
import { walkPriceChanges } from "./products/price_changes.ts";
import { type Product, searchText, shard, SHARD_NUMBERS } from "./products/product.ts";
import { countActiveProducts } from "./products/product_count_store.ts";
import { checkFields } from "./check_fields.ts";
import { listCards } from "./products/card_store.ts";
import { listGenerations } from "./products/generation_store.ts";
import {
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import { type FilterFields, filterFieldsOf } from "./products/filter_fields.ts";
import { parseProduct, toWire } from "./products/product_wire.ts";

const ROWS_PER_READ = 1_000;

/** What the other rows of a product must agree with. */
interface Expected {
  readonly sku: string;
  readonly isDeleted: boolean;
  readonly text: string;
  readonly fields: FilterFields;
  readonly updatedAtMs: number;
  readonly price: string;
  /** Ticked off as they are found. */
  hasFields: boolean;
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
  yield* checkDocuments(workspace, catalogue);
  yield* checkCards(workspace, catalogue);
  yield* checkFields(workspace, catalogue);
  yield* checkCount(workspace, catalogue);
  yield* checkHistory(workspace, catalogue);
}

async function* checkDocuments(workspace: WorkspaceStore, catalogue: Catalogue) {
  for (const [list, isDeleted] of [[listDocuments, false], [listDeletedDocuments, true]] as const) {
    for await (const document of walk(list, workspace)) {
      const product = parseProduct(document.bytes);
      yield* checkDocument(document, product, isDeleted);
      if (catalogue.has(product.id)) yield `Product ${product.id} is both active and deleted`;
      catalogue.set(product.id, expectationOf(product, isDeleted));
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
    updatedAtMs: Date.parse(product.updatedAt),
    hasFields: false,
    hasCard: false,
  };
}

function priceText(cents: number | null, currency: string): string {
  return cents === null ? "none" : `${cents} ${currency}`;
}

async function* checkCards(workspace: WorkspaceStore, catalogue: Catalogue) {
  const generations = await listGenerations(workspace);
  const imports = await listKnownImports(workspace);
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
      if (card.firstPriceJob !== null && !imports.has(card.firstPriceJob)) {
        yield `${name} has its price from import ${card.firstPriceJob}, whose sender nobody knows`;
      }
      if (product.isDeleted !== card.isDeleted) yield `${name} is wrong about deletion`;
      if (product.text !== card.text) yield `${name} has an old text`;
    }
  }
  for (const [id, { hasCard, sku }] of catalogue) {
    if (!hasCard) yield `Product ${id} has no card of its SKU "${sku}"`;
  }
}

async function* checkCount(workspace: WorkspaceStore, catalogue: Catalogue) {
  const counted = await countActiveProducts(workspace);
  const active = catalogue.values().filter(({ isDeleted }) => !isDeleted).toArray().length;
  if (counted !== active) yield `${active} products are active, the count says ${counted}`;
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
