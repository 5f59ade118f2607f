import { isId } from "../../base/id.ts";
import { findCards } from "../../catalogue/products/index_row_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { misfitOfSku } from "../../catalogue/products/product_fields.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { findGenerations } from "../../catalogue/products/version_counter_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { ProductMemory, ProductRef } from "./product_memory.ts";
import type { PushedRow } from "./pushed_row.ts";

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

/**
 * The active products of rows, one for each row; null for a row that names none. The rows lie in
 * `shards`; what is remembered is proven by their generations, which are read before all else.
 */
export async function findProducts(
  workspace: WorkspaceStore,
  memory: ProductMemory,
  { rows, shards }: { readonly rows: readonly PushedRow[]; readonly shards: readonly number[] },
): Promise<(ProductRef | null)[]> {
  const generations = new Map(await findGenerations(workspace, shards));
  const [bySku, byId] = await Promise.all([
    findBySku(workspace, memory, rows, generations),
    findById(workspace, rows),
  ]);
  return rows.map(({ product }) =>
    ("sku" in product ? bySku.get(product.sku) : byId.get(product.id)) ?? null
  );
}

async function findBySku(
  workspace: WorkspaceStore,
  memory: ProductMemory,
  rows: readonly PushedRow[],
  generations: ReadonlyMap<number, string | null>,
): Promise<Map<string, ProductRef>> {
  const { workspaceId } = workspace;
  const generationOf = (sku: string) => generations.get(shard(sku)) ?? null;
  const found = new Map<string, ProductRef>();
  const unknown = new Set<string>();
  for (const { product } of rows) {
    if (!("sku" in product) || misfitOfSku(product.sku) !== null) continue;
    const generation = generationOf(product.sku);
    const known = generation && memory.find(workspaceId, product.sku, generation);
    if (known) found.set(product.sku, known);
    else unknown.add(product.sku);
  }
  for (const [sku, { id, isDeleted }] of await findCards(workspace, [...unknown])) {
    if (isDeleted) continue;
    found.set(sku, { id, sku });
    const generation = generationOf(sku);
    if (generation) memory.note(workspaceId, { id, sku }, generation);
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
