import { isId } from "../../base/id.ts";
import { shard } from "../../catalogue/product.ts";
import { misfitOfSku } from "../../catalogue/product_fields.ts";
import { findCards, findDocuments } from "../../catalogue/product_store.ts";
import { parseProduct } from "../../catalogue/product_wire.ts";
import type { WorkspaceStore } from "../../platform/context.ts";
import type { PushedRow } from "./pushed_row.ts";

export interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

/** A row with the shard in which its product must lie, if there is one. */
export interface PlacedRow {
  readonly row: PushedRow;
  readonly shard: number;
}

/** A SKU says itself in which shard it lies; an id is looked up. */
export async function placeRows(
  workspace: WorkspaceStore,
  rows: readonly PushedRow[],
): Promise<PlacedRow[]> {
  const byId = await findById(workspace, rows);
  return rows.map((row) => {
    const { product } = row;
    const sku = "sku" in product ? product.sku : byId.get(product.id)?.sku;
    return { row, shard: sku === undefined ? 0 : shard(sku) };
  });
}

/** The active products of rows, one for each row; null for a row that names none. */
export async function findProducts(
  workspace: WorkspaceStore,
  rows: readonly PushedRow[],
): Promise<(ProductRef | null)[]> {
  const [bySku, byId] = await Promise.all([findBySku(workspace, rows), findById(workspace, rows)]);
  return rows.map(({ product }) =>
    ("sku" in product ? bySku.get(product.sku) : byId.get(product.id)) ?? null
  );
}

async function findBySku(
  workspace: WorkspaceStore,
  rows: readonly PushedRow[],
): Promise<Map<string, ProductRef>> {
  const skus = new Set(rows.flatMap(({ product }) => "sku" in product ? [product.sku] : []));
  const wanted = [...skus].filter((sku) => misfitOfSku(sku) === null);
  const found = new Map<string, ProductRef>();
  for (const [sku, { id, isDeleted }] of await findCards(workspace, wanted)) {
    if (!isDeleted) found.set(sku, { id, sku });
  }
  return found;
}

async function findById(
  workspace: WorkspaceStore,
  rows: readonly PushedRow[],
): Promise<Map<string, ProductRef>> {
  const ids = new Set(rows.flatMap(({ product }) => "id" in product ? [product.id] : []));
  const documents = await findDocuments(workspace, [...ids].filter(isId));
  return new Map(documents.map(({ id, bytes }) => [id, { id, sku: parseProduct(bytes).sku }]));
}
