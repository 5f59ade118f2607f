/**
 * Changes the observations of many products in few commits. Products of the same shards share a
 * commit, which checks and sets the version counters of these shards. A product that does not fit,
 * or has more work, is left for a later commit.
 */
import { mergeSorted } from "../../base/collections.ts";
import {
  cutByShard,
  findDeletedProduct,
  findDocuments,
} from "../../catalogue/products/product_store.ts";
import { offerVersions } from "../../catalogue/products/change_log_store.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { walkOwners } from "./observation_store.ts";

const MOST = { rows: 100, shards: COMMIT_MAX.checks - 2 };
/** Part of a commit that must be free for one more product. */
const NEXT_PRODUCT = shareOfCommit(0.5);

/** Returns true if the product needs another commit. */
type ProductWork = (write: Write, productId: string) => Promise<boolean>;

export async function workOnProducts(
  workspace: WorkspaceStore,
  productIds: Iterable<string>,
  work: ProductWork,
  beat: () => Promise<void>,
): Promise<void> {
  const queue = await cutProducts(workspace, [...new Set(productIds)]);
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    const left = await commitBatch(workspace, batch, work);
    if (left.length > 0) queue.unshift(...await cutProducts(workspace, left));
    await beat();
  }
}

interface PlacedProduct {
  readonly id: string;
  readonly shard: number;
}

async function cutProducts(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<PlacedProduct[][]> {
  const products = await placeProducts(workspace, ids);
  return cutByShard(products.sort((a, b) => a.shard - b.shard), MOST);
}

/** Also finds soft-deleted products. */
async function placeProducts(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<PlacedProduct[]> {
  const skus = await findSkus(workspace, ids);
  const lost = ids.find((id) => !skus.has(id));
  if (lost !== undefined) throw new Error(`The product ${lost} of observations is missing`);
  return [...skus].map(([id, sku]) => ({ id, shard: shard(sku) }));
}

/** Returns the products that did not fit, need another commit, or moved to another shard. */
async function commitBatch(
  workspace: WorkspaceStore,
  batch: readonly PlacedProduct[],
  work: ProductWork,
): Promise<string[]> {
  const { workspaceId } = workspace;
  const shards = new Set(batch.map(({ shard }) => shard));
  return await transact(workspace, async (write) => {
    const versions = await offerVersions.find(workspace, [...shards]);
    const left: string[] = [];
    for (const { id, shard } of await placeProducts(workspace, batch.map(({ id }) => id))) {
      const isHere = shards.has(shard) && write.fits(NEXT_PRODUCT);
      const hasMore = !isHere || await work(write, id);
      if (hasMore) left.push(id);
    }
    if (write.isEmpty) return left;
    offerVersions.check(write, workspaceId, versions);
    for (const shard of shards) offerVersions.set(write, workspaceId, shard);
    return left;
  });
}

export async function findSkus(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const documents = await findDocuments(workspace, productIds);
  const skus = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes).sku]));
  for (const id of productIds) {
    if (skus.has(id)) continue;
    const deleted = await findDeletedProduct(workspace, id);
    if (deleted) skus.set(id, deleted.product.sku);
  }
  return skus;
}

/** Yields product ids in ascending order. */
export async function* walkObserved(workspace: WorkspaceStore): AsyncGenerator<string> {
  const walks = (["ob", "op"] as const).map((table) => walkOwners(workspace, table));
  let last = "";
  for await (const id of mergeSorted(walks, (one) => one)) {
    if (id !== last) yield id;
    last = id;
  }
}
