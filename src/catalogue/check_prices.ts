/**
 * Checks that the stored histories of prices, tier prices and VAT rates agree with the products,
 * with the price export, and with the prices that people have marked as errors.
 */

import { batchesOf } from "../base/collections.ts";
import { RowSums } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { awaitedPrices } from "./prices/awaited_price_store.ts";
import { exportedChanges, isBySender, priceMarks, priceRows } from "./prices/price_rows.ts";
import { type TermsStep, termsSteps, tierCents } from "./prices/price_terms_store.ts";
import type { IndexRow } from "./products/index_row_store.ts";
import {
  listPriceChanges,
  type WalkedChange,
  walkPriceChanges,
  walkPriceChangesOf,
} from "./products/price_changes.ts";
import { parseProduct, type Product } from "./products/product.ts";
import { documentsById } from "./products/product_store.ts";

const ROWS_AT_ONCE = 500;

interface History {
  readonly products: readonly Product[];
  readonly rows: ReadonlyMap<string, IndexRow>;
  readonly imports: ReadonlySet<string>;
  readonly sums: RowSums;
}

/** `products` must be sorted by id. */
export async function* checkHistory(
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

export async function hasExports(workspace: WorkspaceStore, expected: RowSums): Promise<boolean> {
  const sums = new RowSums();
  for await (const { row } of exportedChanges.walk(workspace)) sums.add("exports", exportText(row));
  return sums.isSame("exports", expected);
}

export async function* checkExports(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const changes of batchesOf(walkPriceChanges(workspace), ROWS_AT_ONCE)) {
    const exported = await exportedChanges.getMany(workspace, changes);
    for (const [at, placed] of changes.entries()) {
      const row = exported[at]?.row;
      const isRight = placed.change.source === "import"
        ? row === undefined
        : row && exportText(row) === exportText(placed);
      if (!isRight) yield `${changeName(placed)} differs in the price export`;
    }
  }
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

export async function* checkPriceMarks(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { row: { productId, atMs } } of priceMarks.walk(workspace)) {
    const stretch = { fromMs: atMs, beforeMs: atMs + 1 };
    const [change] = await listPriceChanges(workspace, productId, stretch, 1);
    if (change) continue;
    const at = new Date(atMs).toISOString();
    yield `Product ${productId} has a mark at ${at}, where its price did not change`;
  }
}

export async function* checkPriceTerms(workspace: WorkspaceStore): AsyncGenerator<string> {
  let steps = new Map<string, TermsStep[]>();
  for await (const { row } of termsSteps.walk(workspace)) {
    if (!steps.has(row.productId) && steps.size === ROWS_AT_ONCE) {
      yield* checkTermsOf(workspace, steps);
      steps = new Map();
    }
    steps.getOrInsertComputed(row.productId, () => []).push(row);
  }
  yield* checkTermsOf(workspace, steps);
}

async function* checkTermsOf(
  workspace: WorkspaceStore,
  all: ReadonlyMap<string, readonly TermsStep[]>,
): AsyncGenerator<string> {
  const documents = await documentsById(workspace, [...all.keys()]);
  for (const [id, steps] of all) {
    const document = documents.get(id);
    if (document === undefined) yield `There are price terms of the unknown product ${id}`;
    else yield* endsWrongly(id, parseProduct(document.bytes), steps);
  }
}

function* endsWrongly(
  id: string,
  product: Product,
  steps: readonly TermsStep[],
): Generator<string> {
  const rate = steps.findLast(({ vat }) => vat !== null)?.vat;
  if (rate && rate[1] !== product.vatRatePct) {
    yield `Product ${id} has a VAT rate of ${product.vatRatePct}, its history says ${rate[1]}`;
  }
  const last = new Map(
    steps.flatMap(({ tiers }) => tiers)
      .filter(([, currency]) => currency === product.currency)
      .map(([tier, , , cents]) => [tier ?? "", cents]),
  );
  for (const [tier, cents] of last) {
    if (tierCents(product, tier) === cents) continue;
    yield `Tier "${tier}" of product ${id} has another price than its history ends with`;
  }
}

export async function* checkAwaitedPrices(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const prices of batchesOf(awaitedPrices.walk(workspace), ROWS_AT_ONCE)) {
    const known = await documentsById(workspace, prices.map(({ row }) => row.productId));
    for (const { row: { productId } } of prices) {
      if (known.has(productId)) continue;
      yield `A price of the unknown product ${productId} is awaited`;
    }
  }
}

function exportText({ productId, atMs, change }: WalkedChange): string {
  const { fromCents, toCents, currency } = change;
  return `${productId} ${atMs} ${fromCents} ${toCents} ${currency}`;
}
