/**
 * The consistency of products and the rows that follow from them: index rows, blocks of filter fields,
 * holds and price changes. Each kind of row is checked twice: by sums over the whole workspace, and
 * one by one for the group of products whose sums differ.
 */

import type { RowSums } from "../base/row_sums.ts";
import { iso } from "../base/time.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { PriceChange } from "./prices/price_history.ts";
import { exportedChanges, isBySender, listKnownImports } from "./prices/price_rows.ts";
import { decodeBlock, type FieldBlock, rowsOfBlock } from "./products/field_block.ts";
import { listBlocks, listFieldVersions, type StoredBlock } from "./products/field_block_store.ts";
import { holds } from "./products/hold_store.ts";
import {
  hasSamePrices,
  type IndexRow,
  type IndexRowPrices,
  listIndexRows,
  PRICE_NUMBERS,
} from "./products/index_row_store.ts";
import { walkPriceChanges } from "./products/price_changes.ts";
import { holdEndMs, type Product, searchText, shard, SHARD_NUMBERS } from "./products/product.ts";
import { INDEXED_NAMES } from "./products/product_field_table.ts";
import {
  documentPages,
  listDeletedDocuments,
  listDocuments,
  type StoredDocument,
} from "./products/product_store.ts";
import { type FilterFields, filterFieldsOf } from "./products/product_counters.ts";
import { parseProduct } from "./products/product_wire.ts";
import { listVersionCounters } from "./products/version_counter_store.ts";

/** A product as its document says it, and on which side of the table that stands. */
interface CheckedProduct {
  readonly product: Product;
  readonly isDeleted: boolean;
}

/** The products whose rows are looked at one by one. */
interface CheckedGroup {
  /** By id. */
  readonly products: ReadonlyMap<string, CheckedProduct>;
  /** True for ids of the group, also of products that there are not. */
  has(productId: string): boolean;
}

/**
 * Rows that follow from products. They are compared twice: by sums, in which what stands there and what
 * must is nothing but text, and by `compare` where the sums differ. Whatever `compare` names must
 * make a difference there.
 */
interface DerivedRows {
  /** The rows that a product must have, each as one text. */
  expect(product: CheckedProduct): Iterable<string>;
  /** Tells the sums of every row that is there, and names what is wrong with one by itself. */
  survey(workspace: WorkspaceStore, sums: RowSums): AsyncGenerator<string>;
  /** Names what is missing, too much or different in a group. */
  compare(workspace: WorkspaceStore, group: CheckedGroup): AsyncGenerator<string>;
}

/** One for each product, of its SKU. */
const CARDS: DerivedRows = {
  expect: ({ product, isDeleted }) => [
    indexRowText(product.sku, { isDeleted, text: searchText(product), prices: product }),
  ],

  async *survey(workspace, sums) {
    const versionCounters = await listVersionCounters(workspace);
    const imports = await listKnownImports(workspace);
    for await (const { sku, card, number } of walkIndexRows(workspace)) {
      const name = indexRowName(sku);
      if (!versionCounters.has(number)) yield `${name} is in shard ${number} without a generation`;
      if (shard(sku) !== number) yield `${name} is in shard ${number} instead of ${shard(sku)}`;
      if (card.firstPriceJob !== null && !imports.has(card.firstPriceJob)) {
        yield `${name} has its price from import ${card.firstPriceJob}, whose sender nobody knows`;
      }
      sums.find(card.id, indexRowText(sku, card));
    }
  },

  async *compare(workspace, { products, has }: CheckedGroup) {
    const found = new Set<string>();
    for await (const { sku, card } of walkIndexRows(workspace)) {
      if (!has(card.id)) continue;
      const name = indexRowName(sku);
      const checked = products.get(card.id);
      if (checked?.product.sku !== sku) {
        yield `${name} names product ${card.id}, which is not there or has another SKU`;
        continue;
      }
      found.add(card.id);
      if (checked.isDeleted !== card.isDeleted) yield `${name} is wrong about deletion`;
      if (searchText(checked.product) !== card.text) yield `${name} has an old text`;
      if (!hasSamePrices(card.prices, checked.product)) yield `${name} has old prices`;
    }
    for (const [id, { product }] of products) {
      if (!found.has(id)) yield `Product ${id} has no card of its SKU "${product.sku}"`;
    }
  },
};

async function* walkIndexRows(workspace: WorkspaceStore) {
  for (const number of SHARD_NUMBERS) {
    for await (const row of listIndexRows(workspace, number)) yield { ...row, number };
  }
}

function indexRowName(sku: string): string {
  return `The card of SKU "${sku}"`;
}

function indexRowText(
  sku: string,
  { isDeleted, text, prices }: Pick<IndexRow, "isDeleted" | "text" | "prices">,
): string {
  return `card\n${sku}\n${isDeleted}\n${text}\n${pricesText(prices)}`;
}

function pricesText(prices: IndexRowPrices): string {
  return [prices.currency, ...PRICE_NUMBERS.map((name) => prices[name])].join(" ");
}

/** An active product stands in one block of its shard, a deleted one in none. */
const FIELDS: DerivedRows = {
  expect({ product, isDeleted }) {
    if (isDeleted) return [];
    const [updatedAtMs, fields] = [Date.parse(product.updatedAt), filterFieldsOf(product)];
    return [rowText({ number: shard(product.sku), updatedAtMs, fields })];
  },

  async *survey(workspace, sums) {
    const versions = await listFieldVersions(workspace);
    for (const number of SHARD_NUMBERS) {
      const blocks = await listBlocks(workspace, number);
      if (blocks.length > 0 && !versions.has(number)) {
        yield `The fields of shard ${number} have no version`;
      }
      for (const [at, stored] of blocks.entries()) {
        yield* checkPlaces(number, stored, blocks[at + 1]?.first ?? null);
        for (const row of rowsOf(number, stored)) sums.find(row.id, rowText(row));
      }
    }
  },

  async *compare(workspace, { products, has }) {
    const found = new Set<string>();
    for await (const row of walkRows(workspace)) {
      const { id, number, name, updatedAtMs, fields } = row;
      if (!has(id)) continue;
      const checked = products.get(id);
      const isRight = checked && !checked.isDeleted && shard(checked.product.sku) === number;
      if (!isRight || found.has(id)) {
        yield `Product ${id} is in ${name} too many`;
        continue;
      }
      found.add(id);
      const { product } = checked;
      if (updatedAtMs !== Date.parse(product.updatedAt)) {
        yield `Product ${id} has another time in ${name}`;
      }
      const expected = filterFieldsOf(product);
      for (const [at, field] of fields.entries()) {
        if (field === expected[at]) continue;
        yield `Product ${id} has another ${INDEXED_NAMES[at]} in ${name}`;
      }
    }
    for (const [id, { isDeleted }] of products) {
      if (!isDeleted && !found.has(id)) yield `Product ${id} is in no block of fields`;
    }
  },
};

/** The fields of a product in a block. */
interface FieldRow {
  readonly id: string;
  /** The shard of the block. */
  readonly number: number;
  /** Of the block. */
  readonly name: string;
  readonly updatedAtMs: number;
  readonly fields: FilterFields;
}

async function* walkRows(workspace: WorkspaceStore): AsyncGenerator<FieldRow> {
  for (const number of SHARD_NUMBERS) {
    for (const stored of await listBlocks(workspace, number)) yield* rowsOf(number, stored);
  }
}

/** Empty for an unreadable block: its products are then reported as missing from blocks. */
function* rowsOf(number: number, stored: StoredBlock): Generator<FieldRow> {
  const block = readBlock(stored.bytes);
  if (block === null) return;
  const name = blockName(number, stored);
  for (const [id, row] of rowsOfBlock(block)) yield { id, number, name, ...row };
}

function* checkPlaces(number: number, stored: StoredBlock, end: string | null): Generator<string> {
  const block = readBlock(stored.bytes);
  const name = blockName(number, stored);
  if (block === null) return yield `Nobody can read ${name}`;
  let last = "";
  for (const [id] of rowsOfBlock(block)) {
    if (id < stored.first || id <= last || (end !== null && id >= end)) {
      yield `Product ${id} is at a wrong place in ${name}`;
    }
    last = id;
  }
}

function readBlock(bytes: Uint8Array): FieldBlock | null {
  try {
    return decodeBlock(bytes);
  } catch {
    return null;
  }
}

function blockName(number: number, { first }: StoredBlock): string {
  return `the block of fields "${first}" of shard ${number}`;
}

function rowText({ number, updatedAtMs, fields }: Omit<FieldRow, "id" | "name">): string {
  const values = fields.map((field) => `${typeof field} ${field}`);
  return ["fields", number, updatedAtMs, ...values].join("\n");
}

/** One for each active product whose document says until when its price is or was held. */
const HOLDS: DerivedRows = {
  expect: ({ product }) => {
    const endMs = holdEndMs(product);
    return endMs === null ? [] : [holdText(endMs)];
  },

  async *survey(workspace, sums) {
    for await (const { row: { productId, untilMs } } of holds.walk(workspace)) {
      if (!Number.isSafeInteger(untilMs)) yield `A hold of product ${productId} ends at no time`;
      sums.find(productId, holdText(untilMs));
    }
  },

  async *compare(workspace, { products, has }) {
    const missing = new Map<string, number>();
    for (const [id, { product }] of products) {
      const endMs = holdEndMs(product);
      if (endMs !== null) missing.set(id, endMs);
    }
    for await (const { row: { productId, untilMs } } of holds.walk(workspace)) {
      if (!has(productId)) continue;
      if (missing.get(productId) === untilMs) missing.delete(productId);
      else yield `The hold of product ${productId} until ${iso(untilMs)} is not its own`;
    }
    for (const [id, endMs] of missing) {
      yield `Product ${id} is held until ${iso(endMs)}, which has no row`;
    }
  },
};

const holdText = (endMs: number) => `held ${endMs}`;

interface PlacedChange {
  readonly productId: string;
  readonly atMs: number;
  readonly change: PriceChange;
}

/**
 * The last price of the history of a product is its own one, and the price export has the changes that no
 * import made.
 */
const PRICE_HISTORY: DerivedRows = {
  expect: ({ product: { ourPriceCents, currency } }) =>
    ourPriceCents === null ? [] : [lastText(priceText(ourPriceCents, currency))],

  /** Each change starts where the one before ended. */
  async *survey(workspace, sums) {
    const end = ({ productId, change: { toCents, currency } }: PlacedChange) => {
      if (toCents !== null) sums.find(productId, lastText(priceText(toCents, currency)));
    };
    const imports = await listKnownImports(workspace);
    let last: PlacedChange | null = null;
    for await (const placed of walkPriceChanges(workspace)) {
      const { productId, atMs, change } = placed;
      if (last && last.productId !== productId) {
        end(last);
        last = null;
      }
      const name = changeName(placed);
      if ((last?.change.toCents ?? null) !== change.fromCents) {
        yield `${name} starts at another price`;
      }
      // A price that is still the first has no row: its card names the import, and is checked.
      const isSecond = last?.change.fromCents === null;
      for (const row of last === null ? [] : isSecond ? [last, placed] : [placed]) {
        if (!isBySender(row.change) || imports.has(row.change.ref)) continue;
        yield `${changeName(row)} is of import ${row.change.ref}, whose sender nobody knows`;
      }
      if (change.source !== "import") sums.expect(productId, exportText(productId, atMs));
      last = placed;
    }
    if (last) end(last);
    for await (const { row } of exportedChanges.walk(workspace)) {
      sums.find(row.productId, exportText(row.productId, row.atMs));
    }
  },

  async *compare(workspace, group) {
    const exported = await exportedIn(workspace, group);
    const newest = new Map<string, string>();
    for await (const placed of walkPriceChanges(workspace)) {
      const { productId, atMs, change } = placed;
      if (!group.has(productId)) continue;
      const isExported = exported.delete(`${productId} ${atMs}`);
      if (isExported !== (change.source !== "import")) {
        yield `${changeName(placed)} is exported wrongly`;
      }
      newest.set(productId, priceText(change.toCents, change.currency));
    }
    for (const row of exported) yield `The price export has a change without history: ${row}`;
    for (const [id, { product }] of group.products) {
      const price = priceText(product.ourPriceCents, product.currency);
      const says = newest.get(id) ?? NO_PRICE;
      if (says !== price) yield `Product ${id} costs ${price}, its history says ${says}`;
    }
  },
};

const NO_PRICE = "none";

async function exportedIn(workspace: WorkspaceStore, { has }: CheckedGroup): Promise<Set<string>> {
  const rows = new Set<string>();
  for await (const { row: { productId, atMs } } of exportedChanges.walk(workspace)) {
    if (has(productId)) rows.add(`${productId} ${atMs}`);
  }
  return rows;
}

function changeName({ productId, change: { at } }: PlacedChange): string {
  return `The price change of product ${productId} at ${at}`;
}

function priceText(cents: number | null, currency: string): string {
  return cents === null ? NO_PRICE : `${cents} ${currency}`;
}

function lastText(price: string): string {
  return `costs ${price}`;
}

function exportText(productId: string, atMs: number): string {
  return `exported ${productId} ${atMs}`;
}

/** Tables whose rows are derived from products. */
export const DERIVED: readonly DerivedRows[] = [CARDS, FIELDS, HOLDS, PRICE_HISTORY];

export const DOCUMENTS_PER_READ = 250;

/** Every product, active ones first. */
export async function* walkProducts(
  workspace: WorkspaceStore,
): AsyncGenerator<CheckedProduct & { readonly document: StoredDocument }> {
  for (const [list, isDeleted] of [[listDocuments, false], [listDeletedDocuments, true]] as const) {
    for await (const page of documentPages(workspace, list, DOCUMENTS_PER_READ)) {
      for (const document of page) {
        yield { document, product: parseProduct(document.bytes), isDeleted };
      }
    }
  }
}

/**
 * Names what does not agree between the products of a group and the rows that follow from them. Keeps
 * the group in memory: some 2 kB a product.
 */
export async function* compareProducts(
  workspace: WorkspaceStore,
  has: (productId: string) => boolean,
): AsyncGenerator<string> {
  const products = new Map<string, CheckedProduct>();
  for await (const { product, isDeleted } of walkProducts(workspace)) {
    if (!has(product.id)) continue;
    if (products.has(product.id)) yield `Product ${product.id} is both active and deleted`;
    products.set(product.id, { product, isDeleted });
  }
  for (const derived of DERIVED) yield* derived.compare(workspace, { products, has });
}
