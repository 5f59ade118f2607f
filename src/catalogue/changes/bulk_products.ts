import { z } from "@hono/zod-openapi";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import { BULK_NAMES, type BulkName } from "../products/product_field_table.ts";
import { ConditionCode, HeldUntil, ScrapeIntervalHours } from "../products/product_fields.ts";
import { FILTER_SHAPE } from "../lists/product_filter.ts";
import { MARKET_FILTER_TEXTS } from "../prices/product_market.ts";
import type { Product } from "../products/product.ts";

const IDS_MAX = 1_000;

/** The settings that many products may get at once (docs/decisions/catalogue.md). */
export const BulkSet = z.strictObject(
  {
    priceLocked: z.boolean().optional(),
    heldUntil: HeldUntil.optional(),
    condition: ConditionCode.optional(),
    scrapeEnabled: z.boolean().optional(),
    scrapeIntervalHours: ScrapeIntervalHours.optional(),
  } satisfies Record<BulkName, z.ZodType>,
).refine((set) => Object.keys(set).length > 0, "Must name at least one setting");

export type BulkSet = z.infer<typeof BulkSet>;

/** Which products get what: `ids`, or every active product that fits `filter`; `{}` fits all. */
export const BulkChange = z.strictObject({
  ids: z.array(z.string()).min(1).max(IDS_MAX).optional(),
  filter: z.strictObject({ ...FILTER_SHAPE, ...MARKET_FILTER_TEXTS }).optional(),
  set: BulkSet,
  having: BulkSet.optional().meta({
    description:
      "Only those that have all of these now: who takes a change back writes over nobody",
  }),
}).refine(
  ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
  "Must have either ids or a filter",
).meta({ id: "BulkChange" });

/** As a client sends it. */
export type BulkChange = z.input<typeof BulkChange>;
/** As it is understood. */
export type ReadBulkChange = z.output<typeof BulkChange>;

export const BulkOutcome = z.object({
  changed: z.int(),
  unchanged: z.int().meta({ description: "Had these settings already, or others than `having`" }),
  missing: z.array(z.string()).meta({ description: "Ids that name no active product" }),
}).meta({ id: "BulkOutcome" });

export type BulkOutcome = z.infer<typeof BulkOutcome>;

/** The product with the settings, or null when it has them, or other ones than `having` asks for. */
export function withSettings(
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

/** A product of a bulk change: what batches are cut by. */
export interface Target {
  readonly id: string;
  readonly shard: number;
  readonly bytes: number;
}

const PRODUCTS_MAX = 100;
/** One check each; the commit has one more for its idempotency key. */
const SHARDS_MAX = COMMIT_MAX.checks - 2;
/** The rest is for keys, the audit row and documents that grow meanwhile. */
const BYTES_MAX = COMMIT_MAX.bytes - 350_000;

/** Targets in commits that every store takes. */
export function cutBatches(targets: readonly Target[]): Target[][] {
  const batches: Target[][] = [];
  let batch: Target[] = [];
  let bytes = 0;
  let shards = new Set<number>();
  for (const target of targets.toSorted((a, b) => a.shard - b.shard)) {
    const isFull = batch.length === PRODUCTS_MAX || bytes + target.bytes > BYTES_MAX ||
      (shards.size === SHARDS_MAX && !shards.has(target.shard));
    if (isFull && batch.length > 0) {
      batches.push(batch);
      batch = [];
      bytes = 0;
      shards = new Set();
    }
    batch.push(target);
    bytes += target.bytes;
    shards.add(target.shard);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
