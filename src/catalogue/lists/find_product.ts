/**
 * Finds the product that a request names by id or SKU (docs/decisions/catalogue.md), and suggests
 * SKUs that resemble an unknown SKU. Appends market data to the product's JSON for the response.
 */
import { TimeSlice } from "../../platform/event_loop.ts";
import { z } from "@hono/zod-openapi";
import { appendFields, sha256Hex } from "../../base/bytes.ts";
import { noSuch, requireById } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { keepNewest } from "../../base/collections.ts";
import type { PlainKey } from "../../platform/store/direct_reads.ts";
import { composed, normaliseSku } from "../../base/text.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { CompetitorPrice, type MarketSource, ProductMarket } from "../prices/product_market.ts";
import { findIndexRow, IndexRow, indexRowKey, listIndexRows } from "../products/index_row_store.ts";
import { parseProduct, type Product, ProductDocument, SHARD_NUMBERS } from "../products/product.ts";
import { skuError } from "../products/product_fields.ts";
import {
  findDeletedDocument,
  findDocument,
  type StoredDocument,
} from "../products/product_store.ts";

type KeysBeside = (workspaceId: string, id: string) => readonly PlainKey[];

export async function requireDocument(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
  beside?: KeysBeside,
): Promise<StoredDocument> {
  const find = (id: string) => findById(workspace, id, includesDeleted, beside);
  return await requireById("product", id, find);
}

async function findById(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
  beside?: KeysBeside,
): Promise<StoredDocument | null> {
  if (!isId(id)) return null;
  const keys = beside?.(workspace.workspaceId, id);
  return await findDocument(workspace, id, keys) ??
    (includesDeleted ? await findDeletedDocument(workspace, id, keys) : null);
}

export async function requireProduct(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<Product> {
  return parseProduct((await requireDocument(workspace, id, includesDeleted)).bytes);
}

export async function requireByIdOrSku(
  workspace: WorkspaceStore,
  text: string,
  includesDeleted: boolean,
  beside?: KeysBeside,
): Promise<StoredDocument> {
  const byId = (id: string) => findById(workspace, id, includesDeleted, beside);
  const bySku = async (written: string) => {
    const sku = normaliseSku(written);
    if (skuError(sku) !== null) return null;
    const guessed = await findGuessed(workspace, sku, beside);
    const indexRow = guessed ? null : await findIndexRow(workspace, sku);
    if (indexRow) keepNewest(guesses, guessOf(workspace, sku), indexRow.id, 10_000);
    return guessed ?? (indexRow && await byId(indexRow.id));
  };
  const [, prefix, rest = ""] = /^(sku|id):(.*)$/s.exec(text) ?? [];
  const found = await byId(text) ?? await bySku(text) ??
    (prefix === "sku" ? await bySku(rest) : null) ?? (prefix === "id" ? await byId(rest) : null);
  if (found === null) throw noSuch("product", text);
  return found;
}

/** Caches product ids by SKU. Entries may be outdated: compare the id with the index row's. */
const guesses = new Map<string, string>();

const guessOf = ({ workspaceId }: WorkspaceStore, sku: string) => `${workspaceId} ${sku}`;

/** Reads product and index row in one call; null unless `guesses` has the product's present id. */
async function findGuessed(
  workspace: WorkspaceStore,
  sku: string,
  beside?: KeysBeside,
): Promise<StoredDocument | null> {
  const id = guesses.get(guessOf(workspace, sku));
  if (id === undefined) return null;
  const { workspaceId } = workspace;
  const keys = [...beside?.(workspaceId, id) ?? [], indexRowKey(workspaceId, sku)];
  const document = await findDocument(workspace, id, keys);
  const row = document?.beside?.at(-1);
  return document && row && new IndexRow(row.value).id === id ? document : null;
}

export const SingleProduct = ProductDocument.extend({
  competitorPrices: z.array(CompetitorPrice),
  market: ProductMarket.nullable(),
}).meta({ id: "SingleProduct" });

export interface BesideProduct {
  readonly beside: KeysBeside;
  /** `document.beside` must contain the rows of the keys that `beside` returns. */
  competitorPrices(
    workspace: WorkspaceStore,
    document: StoredDocument,
  ): Promise<readonly CompetitorPrice[]>;
  readonly market: MarketSource;
}

export async function productInMarket(
  ctx: Context,
  { competitorPrices, market: source }: BesideProduct,
  document: StoredDocument,
  asksForOffers = false,
): Promise<StoredDocument> {
  const { id } = document;
  const [{ markets }, found, prices] = await Promise.all([
    source.beside(ctx, [id]),
    asksForOffers ? source.offersOf(ctx, [id]) : null,
    competitorPrices(ctx, document),
  ]);
  const market = markets.get(id) ?? null;
  const offers = found && (found.get(id) ?? []);
  const fields = { competitorPrices: prices, market };
  const bytes = appendFields(
    document.bytes,
    offers === null ? fields : { ...fields, competitorOffers: offers },
  );
  const isSilent = market === null || (market.links === 0 && market.proposal === null &&
    market.rule === null && market.marginPct === null);
  if (offers === null && prices.length === 0 && isSilent) return { ...document, bytes };
  // The ETag also depends on the appended market data, which can change without the document.
  const hash = sha256Hex(bytes.subarray(document.bytes.length)).slice(0, 16);
  return { ...document, bytes, etag: `${document.etag}-${hash}` };
}

/** If more SKUs than this resemble an unknown SKU, the error suggests none of them. */
export const NEAR_SKUS_MAX = 3;
const ROWS_PER_YIELD = 1_000;

/** Returns a SKU's letters and digits in upper case, with 0 for O, and 1 for I and L. */
function formOf(sku: string): string {
  return composed(sku, "NFKC").toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}

/** For each unknown SKU, finds SKUs of active products for which `formOf` returns the same text. */
export async function findNearSkus(
  workspace: WorkspaceStore,
  unknown: ReadonlySet<string>,
  goOn: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const near = new Map<string, string[]>();
  const slice = new TimeSlice();
  for (const sku of unknown) {
    near.set(formOf(sku), []);
    await slice.yield();
  }
  near.delete("");
  let passed = 0;
  for (const shard of SHARD_NUMBERS) {
    for await (const { sku, indexRow } of listIndexRows(workspace, shard)) {
      const same = near.get(formOf(sku));
      if (same && same.length <= NEAR_SKUS_MAX && !indexRow.isDeleted) same.push(sku);
      if (++passed % ROWS_PER_YIELD === 0) await goOn();
    }
  }
  const found = new Map<string, readonly string[]>();
  for (const sku of unknown) {
    const same = near.get(formOf(sku)) ?? [];
    if (same.length > 0 && same.length <= NEAR_SKUS_MAX) found.set(sku, same.toSorted());
    await slice.yield();
  }
  return found;
}
