import { isId } from "../../base/id.ts";
import { misfitOfSku } from "../../catalogue/product_fields.ts";
import { findCards, findDocuments } from "../../catalogue/product_store.ts";
import { parseProduct } from "../../catalogue/product_wire.ts";
import type { WorkspaceStore } from "../../platform/context.ts";
import { type PushedRow, shown } from "./pushed_row.ts";

export interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

/** A row whose product is known. */
export interface PlacedRow {
  readonly row: PushedRow;
  readonly product: ProductRef;
}

/** Finds the active products that rows name; the others are refused by `refuse`. */
export async function placeRows(
  workspace: WorkspaceStore,
  rows: readonly PushedRow[],
  refuse: (row: PushedRow, message: string) => void,
): Promise<PlacedRow[]> {
  const [bySku, byId] = await Promise.all([
    findBySku(workspace, rows.flatMap(({ product }) => "sku" in product ? [product.sku] : [])),
    findById(workspace, rows.flatMap(({ product }) => "id" in product ? [product.id] : [])),
  ]);
  return rows.flatMap((row) => {
    const product = "sku" in row.product ? bySku.get(row.product.sku) : byId.get(row.product.id);
    if (product) return [{ row, product }];
    const name = "sku" in row.product ? row.product.sku : row.product.id;
    refuse(row, `There is no product "${shown(name)}"`);
    return [];
  });
}

async function findBySku(
  workspace: WorkspaceStore,
  skus: readonly string[],
): Promise<Map<string, ProductRef>> {
  const wanted = [...new Set(skus)].filter((sku) => misfitOfSku(sku) === null);
  const found = new Map<string, ProductRef>();
  for (const [sku, { id, isDeleted }] of await findCards(workspace, wanted)) {
    if (!isDeleted) found.set(sku, { id, sku });
  }
  return found;
}

async function findById(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<Map<string, ProductRef>> {
  const documents = await findDocuments(workspace, [...new Set(ids)].filter(isId));
  return new Map(documents.map(({ id, bytes }) => [id, { id, sku: parseProduct(bytes).sku }]));
}
