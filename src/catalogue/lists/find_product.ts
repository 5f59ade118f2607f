/**
 * Finds the product that a request names by id or SKU (docs/decisions/catalogue.md). Appends market
 * data to the product's JSON for the response.
 */
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findIndexRow } from "../products/index_row_store.ts";
import { parseProduct, type Product, ProductDocument } from "../products/product.ts";
import { skuError } from "../products/product_fields.ts";
import {
  findDeletedDocument,
  findDocument,
  type StoredDocument,
} from "../products/product_store.ts";
import { appendFields, sha256Hex } from "../../base/bytes.ts";
import { CompetitorPrice, type MarketOffer, ProductMarket } from "../prices/product_market.ts";
import { z } from "@hono/zod-openapi";

export function noSuchProduct(text: string): Failure {
  return new Failure("not_found", `There is no product "${text.slice(0, 200).toWellFormed()}"`);
}

export async function requireDocument(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<StoredDocument> {
  const document = await findById(workspace, id, includesDeleted);
  if (!document) throw noSuchProduct(id);
  return document;
}

async function findById(
  workspace: WorkspaceStore,
  id: string,
  includesDeleted: boolean,
): Promise<StoredDocument | null> {
  if (!isId(id)) return null;
  return await findDocument(workspace, id) ??
    (includesDeleted ? await findDeletedDocument(workspace, id) : null);
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
): Promise<StoredDocument> {
  const byId = (id: string) => findById(workspace, id, includesDeleted);
  const bySku = async (written: string) => {
    const sku = normaliseSku(written);
    const indexRow = skuError(sku) === null ? await findIndexRow(workspace, sku) : null;
    return indexRow && await byId(indexRow.id);
  };
  const [, prefix, rest = ""] = /^(sku|id):(.*)$/s.exec(text) ?? [];
  const found = await byId(text) ?? await bySku(text) ??
    (prefix === "sku" ? await bySku(rest) : null) ?? (prefix === "id" ? await byId(rest) : null);
  if (found === null) throw noSuchProduct(text);
  return found;
}

export const SingleProduct = ProductDocument.extend({
  competitorPrices: z.array(CompetitorPrice),
  market: ProductMarket.nullable(),
}).meta({ id: "SingleProduct" });

export type CompetitorPrices = (
  workspace: WorkspaceStore,
  document: StoredDocument,
) => Promise<readonly CompetitorPrice[]>;

interface BesideProduct {
  readonly market: ProductMarket | null;
  readonly offers: readonly MarketOffer[] | null;
}

export async function productInMarket(
  workspace: WorkspaceStore,
  competitorPrices: CompetitorPrices,
  document: StoredDocument,
  { market, offers }: BesideProduct,
): Promise<StoredDocument> {
  const prices = await competitorPrices(workspace, document);
  const fields = { competitorPrices: prices, market };
  const bytes = appendFields(
    document.bytes,
    offers === null ? fields : { ...fields, competitorOffers: offers },
  );
  const isPlain = offers === null && prices.length === 0 && (market === null || isSilent(market));
  if (isPlain) return { ...document, bytes };
  // The ETag covers the appended fields, because these fields can change without the document.
  const hash = sha256Hex(bytes.subarray(document.bytes.length)).slice(0, 16);
  return { ...document, bytes, etag: `${document.etag}-${hash}` };
}

function isSilent({ links, proposal, rule, marginPct }: ProductMarket): boolean {
  return links === 0 && proposal === null && rule === null && marginPct === null;
}
