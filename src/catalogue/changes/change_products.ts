/** Changes many products: all products get the same values, or each gets its own price. */
import { AuditReason } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { pick } from "../../base/collections.ts";
import { requireRefusal } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX, transact, type Write } from "../../platform/store/kv.ts";
import { type MarketAsker, openFitting } from "../lists/product_page.ts";
import { FILTER_SHAPE } from "../lists/product_list.ts";
import { MARKET_FILTER_TEXTS } from "../prices/product_market.ts";
import { findIndexRows, type IndexRow, marksOf, NO_MARKS } from "../products/index_row_store.ts";
import {
  cutByShard,
  differsForImports,
  isJudgedAnew,
  parseProduct,
  type Product,
  shard,
  stampChange,
} from "../products/product.ts";
import { BULK_NAMES, type BulkName } from "../products/product_field_table.ts";
import {
  ConditionCode,
  HeldUntil,
  MinorUnits,
  ScrapeIntervalHours,
} from "../products/product_fields.ts";
import { findDocuments, putProduct, type StoredDocument } from "../products/product_store.ts";
import { createCounters, productVersions, saveCounters } from "../products/change_log_store.ts";
import { changeProduct } from "./change_product.ts";
import { causedByApi } from "./write_change.ts";
import { z } from "@hono/zod-openapi";

/**
 * A commit changes at most 100 products. If a request was interrupted, sending it again changes the
 * remaining products.
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
  using found = await openFitting(ctx, asker, filter);
  return await Array.fromAsync(found.documents(), targetOf);
}

function targetOf({ id, bytes }: StoredDocument): Target {
  return { id, shard: shard(parseProduct(bytes).sku), bytes: bytes.length };
}

type Wanted = Pick<ReadBulkChange, "set" | "having">;

async function changeAll(ctx: Context, targets: readonly Target[], wanted: Wanted) {
  let [changed, found] = [0, 0];
  const batches = cutBatches(targets);
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const done = await changeBatch(ctx, batch, wanted, batches.length === 0);
    batches.unshift(...done.left);
    changed += done.changed;
    found += done.found;
  }
  return { changed, unchanged: found - changed };
}

/** Reads version counters before products, so that the commit fails if a product changes later. */
async function changeBatch(
  ctx: Context,
  batch: readonly Target[],
  wanted: Wanted,
  isLast: boolean,
) {
  return await transact(ctx, async (write) => {
    const versions = await productVersions.list(ctx);
    const stored = await findDocuments(ctx, batch.map(({ id }) => id));
    // Cut the batch again: changed SKUs may lie in more shards than one commit can check.
    const [targets = [], ...left] = cutBatches(stored.map(targetOf));
    const inReach = new Set(targets.map(({ id }) => id));
    const documents = stored.filter(({ id }) => inReach.has(id));
    const changes = documents.flatMap(({ bytes }) => {
      const before = parseProduct(bytes);
      const after = withSettings(before, wanted);
      return after ? [{ before, after: stampChange(before, after, ctx.now()) }] : [];
    });
    if (changes.length > 0) {
      const shards = new Set(changes.map(({ before }) => shard(before.sku)));
      const read = Array.from(shards, (one) => [one, versions.get(one) ?? null] as const);
      productVersions.check(write, ctx.workspaceId, read);
      const imported = changes.filter(({ before, after }) => differsForImports(before, after));
      const indexRows = await findIndexRows(ctx, imported.map(({ before }) => before.sku));
      writeChanges(write, ctx, changes, indexRows, wanted.set);
      if (isLast && left.length === 0) ctx.receipt?.put(write, null);
    }
    return { changed: changes.length, found: documents.length, left };
  });
}

function writeChanges(
  write: Write,
  ctx: Context,
  changes: readonly { before: Product; after: Product }[],
  indexRows: ReadonlyMap<string, IndexRow>,
  set: BulkSet,
): void {
  const counters = createCounters();
  for (const { before, after } of changes) {
    const indexRow = indexRows.get(before.sku);
    const marks = indexRow ? marksOf(indexRow) : NO_MARKS;
    putProduct(write, ctx.workspaceId, {
      before: { product: before, marks },
      after: { product: after, marks: { ...marks, importHash: null } },
      cause: causedByApi(ctx),
    }, counters);
  }
  saveCounters(write, ctx.workspaceId, counters);
  const judgedAnew = changes.filter(({ before, after }) => isJudgedAnew(before, after));
  if (judgedAnew.length > 0) {
    const productIds = judgedAnew.map(({ after }) => after.id);
    const data = { cause: "write" as const, ref: ctx.requestId, productIds };
    publish(write, ctx, [{ type: "products.touched", data }]);
  }
  const names = BULK_NAMES.filter((name) => name in set);
  addAuditRow(write, ctx, {
    action: "product.bulk",
    resource: { type: "product", id: "bulk", label: `${changes.length} products` },
    before: Object.fromEntries(changes.map(({ before }) => [before.id, pick(before, names)])),
    after: { ...set },
  });
}

const BulkSet = z.strictObject(
  {
    priceLocked: z.boolean().optional(),
    heldUntil: HeldUntil.optional(),
    condition: ConditionCode.optional(),
    scrapeEnabled: z.boolean().optional(),
    scrapeIntervalHours: ScrapeIntervalHours.optional(),
  } satisfies Record<BulkName, z.ZodType>,
).refine((set) => Object.keys(set).length > 0, "Must name at least one setting");

type BulkSet = z.infer<typeof BulkSet>;

/** An empty filter selects all active products. */
export const BulkChange = z.strictObject({
  ids: z.array(z.string()).min(1).max(1_000).optional(),
  filter: z.strictObject({ ...FILTER_SHAPE, ...MARKET_FILTER_TEXTS }).optional(),
  set: BulkSet,
  having: BulkSet.optional().describe(
    "Changes only products that have all of these values now, so that undoing a change overwrites no later one",
  ),
}).refine(
  ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
  "Must have either ids or a filter",
).meta({ id: "BulkChange" });

export type BulkChange = z.input<typeof BulkChange>;
type ReadBulkChange = z.output<typeof BulkChange>;

export const BulkOutcome = z.object({
  changed: z.int(),
  unchanged: z.int().describe("Products that already had the settings, or did not match `having`"),
  missing: z.array(z.string()).describe("Ids that name no active product"),
}).meta({ id: "BulkOutcome" });

export type BulkOutcome = z.infer<typeof BulkOutcome>;

function withSettings(
  product: Product,
  { set, having = {} }: Pick<ReadBulkChange, "set" | "having">,
): Product | null {
  return hasAll(product, set) || !hasAll(product, having) ? null : { ...product, ...set };
}

function hasAll(product: Product, settings: Partial<BulkSet>): boolean {
  return BULK_NAMES.every((name) =>
    settings[name] === undefined || settings[name] === product[name]
  );
}

interface Target {
  readonly id: string;
  readonly shard: number;
  readonly bytes: number;
}

const BATCH_LIMITS = {
  rows: 100,
  // Reserves two version checks of a commit for other rows, such as the idempotency record.
  shards: COMMIT_MAX.checks - 2,
  bytes: COMMIT_MAX.bytes - 350_000,
};

export function cutBatches(targets: readonly Target[]): Target[][] {
  return cutByShard(targets.toSorted((a, b) => a.shard - b.shard), BATCH_LIMITS);
}

export const BulkPrices = z.strictObject({
  prices: z.array(z.strictObject({
    id: z.string().describe("The product"),
    currency: z.string().describe("Currency of both prices; must equal the product's currency"),
    seenCents: MinorUnits.describe("The current price as the caller saw it, in minor units"),
    ourPriceCents: MinorUnits.describe("The new price; null removes it"),
  })).min(1).max(200).describe("The new prices, one per product"),
  reason: AuditReason.optional(),
}).meta({ id: "BulkPrices" });

export type BulkPrices = z.input<typeof BulkPrices>;

export const BulkPricesOutcome = z.object({
  results: z.array(z.object({
    id: z.string().describe("The product"),
    ok: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).optional()
      .describe("Why the price was refused; absent if it was set"),
  })).describe("One result per price, in the order of the request"),
}).meta({ id: "BulkPricesOutcome" });

export type BulkPricesOutcome = z.infer<typeof BulkPricesOutcome>;

export async function setPrices(
  ctx: Context,
  { prices, reason }: z.output<typeof BulkPrices>,
  { allowsLargeChange }: { readonly allowsLargeChange: boolean },
): Promise<BulkPricesOutcome> {
  const each = { ...ctx, receipt: null };
  const results: BulkPricesOutcome["results"] = [];
  for (const { id, currency, seenCents, ourPriceCents } of prices) {
    try {
      await changeProduct(each, id, { ourPriceCents }, {
        expected: null,
        seen: { ourPriceCents: seenCents, currency },
        allowsLargeChange,
        reason,
      });
      results.push({ id, ok: true });
    } catch (error) {
      const { code, message } = requireRefusal(error);
      results.push({ id, ok: false, error: { code, message } });
    }
  }
  return { results };
}
