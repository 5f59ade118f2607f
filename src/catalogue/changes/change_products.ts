import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { isId } from "../../base/id.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { openFitting } from "../lists/fitting_products.ts";
import type { MarketAsker } from "../lists/market_page.ts";
import { filterOf } from "../lists/product_filter.ts";
import { apart } from "../lists/product_page.ts";
import { NO_MARKS } from "../products/card.ts";
import { checkGeneration, findGenerations } from "../products/generation_store.ts";
import { type Product, shard, stampChange } from "../products/product.ts";
import { findDocuments, putProduct, type StoredDocument } from "../products/product_store.ts";
import { createTally } from "../products/product_tally.ts";
import { parseProduct } from "../products/product_wire.ts";
import { blocksOfStore, saveTallyTo } from "../products/save_tally.ts";
import { isJudgedAnew } from "./announce_product.ts";
import {
  type BulkOutcome,
  type BulkSet,
  cutBatches,
  type ReadBulkChange,
  type Target,
  withSettings,
} from "./bulk_products.ts";
import { causedByApi } from "./write_change.ts";

/**
 * Gives settings to many products, up to 100 per commit: each commit is whole and has its audit row,
 * and asking again finishes what a crash left undone.
 */
export async function changeProducts(
  ctx: Context,
  asker: MarketAsker,
  { ids, filter, ...wanted }: ReadBulkChange,
): Promise<BulkOutcome> {
  const known = ids && [...new Set(ids)];
  const targets = known
    ? (await findDocuments(ctx, known.filter(isId))).map(targetOf)
    : await findFitting(ctx, asker, filter ?? {});
  const found = new Set(targets.map(({ id }) => id));
  const outcome = await changeAll(ctx, targets, wanted);
  return { ...outcome, missing: known?.filter((id) => !found.has(id)) ?? [] };
}

async function findFitting(
  ctx: Context,
  asker: MarketAsker,
  filter: NonNullable<ReadBulkChange["filter"]>,
): Promise<Target[]> {
  const { filterTexts, marketTexts } = apart({ order: "asc" as const, ...filter });
  const fitting = { filter: filterOf(filterTexts), texts: marketTexts, includeDeleted: false };
  using found = await openFitting(ctx, asker, fitting);
  return await Array.fromAsync(found.documents(), targetOf);
}

function targetOf({ id, bytes }: StoredDocument): Target {
  return { id, shard: shard(parseProduct(bytes).sku), bytes: bytes.length };
}

type Wanted = Pick<ReadBulkChange, "set" | "having">;

async function changeAll(ctx: Context, targets: readonly Target[], wanted: Wanted) {
  let changed = 0;
  let unchanged = 0;
  const batches = cutBatches(targets);
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const isLast = batches.length === 0;
    const done = await changeBatch(ctx, batch, wanted, isLast);
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
  wanted: Wanted,
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
      const after = withSettings(before, wanted);
      return after ? [{ before, after: stampChange(before, after, ctx.now()) }] : [];
    });
    if (changes.length > 0) {
      for (const [number, generation] of generations) {
        checkGeneration(write, ctx.workspaceId, number, generation);
      }
      await writeChanges(write, ctx, changes, wanted.set);
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
  const judgedAnew = changes.filter(({ before, after }) => isJudgedAnew(before, after));
  if (judgedAnew.length > 0) {
    const productIds = judgedAnew.map(({ after }) => after.id);
    const data = { cause: "write" as const, ref: ctx.requestId, productIds };
    announce(write, ctx, [{ type: "products.touched", data }]);
  }
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
