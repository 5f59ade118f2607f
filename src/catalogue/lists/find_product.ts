/**
 * Finds the single product that the path of a request names by id or SKU
 * (docs/decisions/catalogue.md), and appends market data to its stored bytes.
 */
import { keepNewest } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findIndexRow } from "../products/index_row_store.ts";
import type { CatalogueCache } from "./catalogue_cache.ts";
import { isDocumentOf, parseProduct, type Product, ProductDocument } from "../products/product.ts";
import { skuError } from "../products/product_fields.ts";
import {
  type DocumentBeside,
  findAnyProduct,
  findDeletedDocument,
  findDocument,
  findDocumentBeside,
  type KeyBeside,
  type StoredDocument,
} from "../products/product_store.ts";
import { appendFields, sha256Hex } from "../../base/bytes.ts";
import { CompetitorPrice, type MarketOffer, ProductMarket } from "../prices/product_market.ts";
import { z } from "@hono/zod-openapi";

export function noSuchProduct(text: string): Failure {
  return new Failure("not_found", `There is no product "${text.slice(0, 200).toWellFormed()}"`);
}

/** Throws `not_found`. */
export async function requireDocument(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<StoredDocument> {
  const document = isId(id)
    ? await findDocument(workspace, id) ??
      (includesDeleted ? await findDeletedDocument(workspace, id) : null)
    : null;
  if (!document) throw noSuchProduct(id);
  return document;
}

export async function requireProduct(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<Product> {
  return parseProduct((await requireDocument(workspace, id, includesDeleted)).bytes);
}

export async function requireDocumentBeside(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
  keyBeside: KeyBeside,
): Promise<DocumentBeside<StoredDocument>> {
  if (!isId(id)) throw noSuchProduct(id);
  const { document, beside } = await findDocumentBeside(workspace, id, keyBeside);
  const found = document ?? (includesDeleted ? await findDeletedDocument(workspace, id) : null);
  if (!found) throw noSuchProduct(id);
  return { document: found, beside };
}

interface Search {
  readonly workspace: WorkspaceStore;
  readonly skus: CatalogueCache["skus"];
  readonly keyBeside: KeyBeside;
}

/** Accepts an id, a SKU, `id:` with an id, or `sku:` with a SKU. Throws `not_found`. */
export async function requireByIdOrSku(
  search: Search,
  text: string,
): Promise<DocumentBeside<StoredDocument>> {
  return await firstNamed(text, (id) => findById(search, id), (sku) => findBySku(search, sku));
}

/** Also accepts deleted products. Throws `not_found`. */
export async function requireIdOf(workspace: WorkspaceStore, text: string): Promise<string> {
  const idOf = async (id: string) =>
    isId(id) ? (await findAnyProduct(workspace, id))?.id ?? null : null;
  const idOfSku = async (written: string) => {
    const sku = normaliseSku(written);
    return skuError(sku) === null ? (await findIndexRow(workspace, sku))?.id ?? null : null;
  };
  return await firstNamed(text, idOf, idOfSku);
}

async function firstNamed<Named>(
  text: string,
  byId: (id: string) => Promise<Named | null>,
  bySku: (sku: string) => Promise<Named | null>,
): Promise<Named> {
  const [, prefix, rest = ""] = /^(sku|id):(.*)$/s.exec(text) ?? [];
  const found = await byId(text) ?? await bySku(text) ??
    (prefix === "sku" ? await bySku(rest) : null) ?? (prefix === "id" ? await byId(rest) : null);
  if (found === null) throw noSuchProduct(text);
  return found;
}

type Found = DocumentBeside<StoredDocument> | null;

async function findById({ workspace, keyBeside }: Search, id: string): Promise<Found> {
  if (!isId(id)) return null;
  const { document, beside } = await findDocumentBeside(workspace, id, keyBeside);
  return document && { document, beside };
}

async function findBySku(search: Search, text: string): Promise<Found> {
  const { workspace, skus } = search;
  const sku = normaliseSku(text);
  if (skuError(sku) !== null) return null;
  const guess = skus.get(workspace.workspaceId + sku);
  if (guess !== undefined) {
    const found = await findById(search, guess);
    if (found && isDocumentOf(found.document.bytes, guess, sku)) return found;
  }
  const indexRow = await findIndexRow(workspace, sku);
  if (!indexRow || indexRow.isDeleted) return null;
  keepNewest(skus, workspace.workspaceId + sku, indexRow.id, 50_000);
  return await findById(search, indexRow.id);
}

export const SingleProduct = ProductDocument.extend({
  competitorPrices: z.array(CompetitorPrice),
  market: ProductMarket.nullable(),
}).meta({ id: "SingleProduct" });

export interface CompetitorPrices {
  /** Key of a row that is read together with the product. */
  readonly keyBeside: KeyBeside;
  of(
    workspace: WorkspaceStore,
    document: StoredDocument,
    beside: Uint8Array,
  ): Promise<readonly CompetitorPrice[]>;
}

interface BesideProduct {
  readonly market: ProductMarket | null;
  readonly offers: readonly MarketOffer[] | null;
}

export async function productInMarket(
  workspace: WorkspaceStore,
  competitorPrices: CompetitorPrices,
  found: DocumentBeside<StoredDocument>,
  { market, offers }: BesideProduct,
): Promise<StoredDocument> {
  const { document, beside } = found;
  const prices = beside === null ? [] : await competitorPrices.of(workspace, document, beside);
  const fields = { competitorPrices: prices, market };
  const bytes = appendFields(
    document.bytes,
    offers === null ? fields : { ...fields, competitorOffers: offers },
  );
  const isPlain = offers === null && prices.length === 0 && (market === null || isSilent(market));
  if (isPlain) return { ...document, bytes };
  // The appended fields change without the document.
  const hash = sha256Hex(bytes.subarray(document.bytes.length)).slice(0, 16);
  return { ...document, bytes, etag: `${document.etag}-${hash}` };
}

function isSilent({ links, proposal, rule, marginPct }: ProductMarket): boolean {
  return links === 0 && proposal === null && rule === null && marginPct === null;
}
