import { addAuditRow } from "../../audit/audit_store.ts";
import { isId } from "../../base/id.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import {
  type BulkChange,
  type BulkOutcome,
  type BulkSet,
  cutBatches,
  type Target,
  withSettings,
} from "./bulk_products.ts";
import type { CatalogueMemory } from "../lists/catalogue_memory.ts";
import { type Product, shard, stampChange } from "../products/product.ts";
import { filterOf, type FilterTexts } from "../lists/product_filter.ts";
import { walkProducts } from "../lists/product_list.ts";
import { checkGeneration, findGenerations } from "../products/generation_store.ts";
import { findDocuments, putProduct, type StoredDocument } from "../products/product_store.ts";
import { createTally } from "../products/product_tally.ts";
import { parseProduct } from "../products/product_wire.ts";
import { blocksOfStore, saveTallyTo } from "../products/save_tally.ts";
import { causedByApi } from "./write_change.ts";

const WALKED_ROWS = 500;
const NO_MARKS = { importHash: null, isFromImport: false, firstPriceJob: null };

/**
 * Gives settings to many products, up to 100 per commit: each commit is whole and has its audit row,
 * and asking again finishes what a crash left undone.
 */
export async function changeProducts(
  ctx: Context,
  memory: CatalogueMemory,
  { ids, filter, set }: BulkChange,
): Promise<BulkOutcome> {
  const known = ids && [...new Set(ids)];
  const targets = known
    ? (await findDocuments(ctx, known.filter(isId))).map(targetOf)
    : await Array.fromAsync(walkAll(ctx, memory, filter ?? {}), targetOf);
  const found = new Set(targets.map(({ id }) => id));
  const outcome = await changeAll(ctx, targets, set);
  return { ...outcome, missing: known?.filter((id) => !found.has(id)) ?? [] };
}

function walkAll(ctx: Context, memory: CatalogueMemory, filter: FilterTexts) {
  const request = { includeDeleted: false, after: null, limit: WALKED_ROWS };
  return walkProducts(ctx, memory, { ...request, filter: filterOf(filter) });
}

function targetOf({ id, bytes }: StoredDocument): Target {
  return { id, shard: shard(parseProduct(bytes).sku), bytes: bytes.length };
}

async function changeAll(ctx: Context, targets: readonly Target[], set: BulkSet) {
  let changed = 0;
  let unchanged = 0;
  const batches = cutBatches(targets);
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const isLast = batches.length === 0;
    const done = await changeBatch(ctx, batch, set, isLast);
    changed += done.changed;
    unchanged += done.unchanged;
    batches.push(...cutBatches(done.moved));
  }
  return { changed, unchanged };
}

interface BatchOutcome {
  readonly changed: number;
  readonly unchanged: number;
  /** Products that got a SKU of another shard since they were found. */
  readonly moved: readonly Target[];
}

/** Generations are read before the products, so their check proves everything that was read. */
async function changeBatch(
  ctx: Context,
  batch: readonly Target[],
  set: BulkSet,
  isLast: boolean,
): Promise<BatchOutcome> {
  const shards = [...new Set(batch.map((target) => target.shard))];
  return await transact(ctx, async (write) => {
    const generations = await findGenerations(ctx, shards);
    const documents = await findDocuments(ctx, batch.map(({ id }) => id));
    const products = documents.map(({ bytes }) => parseProduct(bytes));
    const moved = documents.filter((_, at) => !shards.includes(shard(products[at]?.sku ?? "")));
    const movedIds = new Set(moved.map(({ id }) => id));
    const changes = products.filter(({ id }) => !movedIds.has(id)).flatMap((before) => {
      const after = withSettings(before, set);
      return after ? [{ before, after: stampChange(before, after, ctx.now()) }] : [];
    });
    if (changes.length > 0) {
      for (const [number, generation] of generations) {
        checkGeneration(write, ctx.workspaceId, number, generation);
      }
      await writeChanges(write, ctx, changes, set);
      if (isLast && moved.length === 0) ctx.receipt?.put(write, null);
    }
    return {
      changed: changes.length,
      unchanged: documents.length - changes.length - moved.length,
      moved: moved.map(targetOf),
    };
  });
}

async function writeChanges(
  write: Write,
  ctx: Context,
  changes: readonly { before: Product; after: Product }[],
  set: BulkSet,
): Promise<void> {
  const tally = createTally();
  for (const { before, after } of changes) {
    // The settings are none that a card knows, so equal marks on both sides leave it as it is.
    putProduct(write, ctx.workspaceId, {
      before: { product: before, marks: NO_MARKS },
      after: { product: after, marks: NO_MARKS },
      cause: causedByApi(ctx),
    }, tally);
  }
  await saveTallyTo(write, ctx, tally, blocksOfStore(ctx, true));
  const names = Object.keys(set);
  addAuditRow(write, ctx, {
    action: "product.bulk",
    resource: { type: "product", id: "bulk", label: `${changes.length} products` },
    before: Object.fromEntries(
      changes.map(({ before }) => [
        before.id,
        Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name))),
      ]),
    ),
    after: { ...set },
  });
}
