import {
  cutByShard,
  findDeletedProduct,
  findDocuments,
} from "../../catalogue/products/product_store.ts";
import {
  checkOfferVersionCounter,
  findOfferVersionCounters,
  setOfferVersionCounter,
} from "../../catalogue/products/version_counter_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { walkOwners } from "./observation_store.ts";

const MOST = { rows: 100, shards: COMMIT_MAX.checks - 2 };
/** A product takes less than that. */
const NEXT_PRODUCT = shareOfCommit(0.5);

/** Adds what is to be done with a product to the commit; true when there is more to do with it. */
export type ProductWork = (write: Write, productId: string) => Promise<boolean>;

/**
 * Does `work` for products, many per commit. The observations of a product are moved under the
 * generation of its offers: it is read first, checked and set, so that neither a push nor a second
 * worker comes in between.
 */
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

/** Soft-deleted products too: their history stays. */
async function placeProducts(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<PlacedProduct[]> {
  const skus = await findSkus(workspace, ids);
  const lost = ids.find((id) => !skus.has(id));
  if (lost !== undefined) throw new Error(`The observations of ${lost} have no product`);
  return [...skus].map(([id, sku]) => ({ id, shard: shard(sku) }));
}

/** Returns the products that are not done: no room, more work, or just moved to another shard. */
async function commitBatch(
  workspace: WorkspaceStore,
  batch: readonly PlacedProduct[],
  work: ProductWork,
): Promise<string[]> {
  const { workspaceId } = workspace;
  const shards = new Set(batch.map(({ shard }) => shard));
  return await transact(workspace, async (write) => {
    const versionCounters = await findOfferVersionCounters(workspace, [...shards]);
    const left: string[] = [];
    for (const { id, shard } of await placeProducts(workspace, batch.map(({ id }) => id))) {
      const isHere = shards.has(shard) && write.fits(NEXT_PRODUCT);
      const hasMore = !isHere || await work(write, id);
      if (hasMore) left.push(id);
    }
    if (write.isEmpty) return left;
    for (const [shard, versionCounter] of versionCounters) {
      checkOfferVersionCounter(write, workspaceId, shard, versionCounter);
      setOfferVersionCounter(write, workspaceId, shard);
    }
    return left;
  });
}

/** The SKUs of products by their ids. Soft-deleted ones keep theirs: their history stays. */
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

/**
 * Every product (`ob`, `op`) or competitor (`oc`, `oq`) that has observations, loose or packed ones, each
 * once, in the order of ids.
 */
export async function* walkObserved(
  workspace: WorkspaceStore,
  tables: readonly ["ob", "op"] | readonly ["oc", "oq"],
): AsyncGenerator<string> {
  const walks = tables.map((table) => walkOwners(workspace, table));
  const heads = await Promise.all(walks.map((walk) => walk.next()));
  for (;;) {
    const [first] = heads.flatMap(({ done, value }) => done ? [] : [value]).sort();
    if (first === undefined) return;
    yield first;
    for (const [at, walk] of walks.entries()) {
      if (heads[at]?.value === first) heads[at] = await walk.next();
    }
  }
}
