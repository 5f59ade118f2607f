/**
 * Looks for disagreements between the rows of one workspace's catalogue (docs/decisions/keys.md).
 * Meant for a store at rest: what others write meanwhile may look like one. Memory does not grow with
 * the catalogue: rows are compared by sums first, and one by one only where those differ.
 */

import { batchesOf } from "../base/collections.ts";
import { RowSums } from "../base/row_sums.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { compareProducts, DERIVED, DOCUMENTS_PER_READ, walkProducts } from "./compare_products.ts";
import { awaitedPrices } from "./prices/awaited_price_store.ts";
import { priceMarks } from "./prices/price_mark.ts";
import { type TermsStep, termsSteps, tierCents } from "./prices/price_terms_store.ts";
import { listPriceChanges } from "./products/price_changes.ts";
import {
  documentPages,
  findAnyProduct,
  findDeletedProduct,
  findDocuments,
  listDeletedDocuments,
} from "./products/product_store.ts";
import { toWire } from "./products/product_wire.ts";
import { countActiveProducts } from "./products/version_counter_store.ts";
import { Buffer } from "node:buffer";

const ROWS_AT_ONCE = 200;

/** One sentence for each awaited price of a product that there never was. */
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

/** Of some 5,000 products. */
const ROWS_PER_GROUP = 30_000;

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkCatalogue(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const sums = new RowSums();
  const active = yield* surveyDocuments(workspace, sums);
  for (const derived of DERIVED) yield* derived.survey(workspace, sums);
  for (const has of sums.unequal(ROWS_PER_GROUP)) yield* compareProducts(workspace, has);
  const counted = await countActiveProducts(workspace);
  if (counted !== active) yield `${active} products are active, the count says ${counted}`;
  yield* checkPriceMarks(workspace);
  yield* checkPriceTerms(workspace);
  yield* checkAwaitedPrices(workspace);
}

/** Answers how many products are active. */
async function* surveyDocuments(
  workspace: WorkspaceStore,
  sums: RowSums,
): AsyncGenerator<string, number> {
  let active = 0;
  for await (const { document, product, isDeleted } of walkProducts(workspace)) {
    if (product.id !== document.id) {
      yield `Product ${document.id} calls itself ${product.id}`;
      sums.suspect(product.id);
    }
    if ((product.deletedAt !== null) !== isDeleted) {
      yield `Product ${document.id} stands on the wrong side of deletion`;
    }
    if (Buffer.compare(toWire(product), document.bytes) !== 0) {
      yield `Product ${document.id} is stored in another form than it is answered`;
    }
    for (const derived of DERIVED) {
      for (const row of derived.expect({ product, isDeleted })) sums.expect(product.id, row);
    }
    if (!isDeleted) active++;
  }
  for await (const page of documentPages(workspace, listDeletedDocuments, DOCUMENTS_PER_READ)) {
    const twins = await findDocuments(workspace, page.map(({ id }) => id));
    for (const { id } of twins) sums.suspect(id);
  }
  return active;
}

/** One sentence for each mark of an entry that the price history does not have. Marks are few. */
async function* checkPriceMarks(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { row: { productId, atMs } } of priceMarks.walk(workspace)) {
    const stretch = { fromMs: atMs, beforeMs: atMs + 1 };
    const [change] = await listPriceChanges(workspace, productId, stretch, 1);
    if (change) continue;
    const at = new Date(atMs).toISOString();
    yield `Product ${productId} has a mark at ${at}, where its price did not change`;
  }
}

/** One sentence for each product whose steps of terms do not end at what it says now. */
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
