import { compareTexts } from "../../base/text.ts";
import { cutByShard } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import type { PushCache } from "./offer_cache.ts";
import {
  type PlacedRow,
  placeRows,
  PUSH_CODES,
  type PushBody,
  type PushedRow,
  readPushedRow,
  type RowRefusal,
} from "./pushed_row.ts";
import { recordRows } from "./record_rows.ts";
import { z } from "@hono/zod-openapi";

export const PushOutcome = z.object({
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(z.object({
    index: z.int().meta({ description: "Index of the row, from 0" }),
    code: z.enum(PUSH_CODES),
    message: z.string(),
  })),
}).meta({ id: "PushOutcome" });

export type PushOutcome = z.infer<typeof PushOutcome>;

export interface PushDeps {
  /** Private addresses that URLs may use as an exception; empty in production. */
  readonly allowed: AddressAllowList;
  readonly cache: PushCache;
}

/**
 * Stores prices that the caller has observed, each row independently. A commit has up to 170 rows,
 * so an interrupted push may have stored some of them; repeating it stores no duplicates.
 */
export async function pushObservations(
  ctx: Context,
  { observations }: PushBody,
  { allowed, cache }: PushDeps,
): Promise<PushOutcome> {
  const errors: PushOutcome["errors"] = [];
  const refuse = ({ index }: Pick<PushedRow, "index">, refusal: RowRefusal) => {
    errors.push({ index, ...refusal });
  };
  const rows: PushedRow[] = [];
  const slice = new TimeSlice();
  for (const [index, input] of observations.entries()) {
    const read = readPushedRow(input, index, { now: ctx.now(), allowed });
    if ("row" in read) rows.push(read.row);
    else refuse({ index }, read.refusal);
    await slice.yield();
  }
  const batches = cutBatches(await placeRows(ctx, rows));
  // The last commit writes the receipt, so all batches must be in one lane.
  const half = ctx.receipt ? batches.length : Math.ceil(batches.length / 2);
  const partitions = [batches.slice(0, half), batches.slice(half)];
  const ends = await Promise.allSettled(
    partitions.map((queue) => recordBatches(ctx, cache, queue, refuse)),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  errors.sort((a, b) => a.index - b.index);
  return { accepted: observations.length - errors.length, rejected: errors.length, errors };
}

type Refuse = (row: PushedRow, refusal: RowRefusal) => void;

/**
 * Records batches one after the other. Two such lanes run concurrently: one reads while the other
 * commits, and they share few shards.
 */
async function recordBatches(
  ctx: Context,
  cache: PushCache,
  queue: PlacedRow[][],
  refuse: Refuse,
): Promise<void> {
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    const done = await recordRows(ctx, batch, { isLast: queue.length === 0, cache });
    for (const { row, ...refusal } of done.refused) refuse(row, refusal);
    if (done.left.length > 0) queue.unshift(...cutBatches(await placeRows(ctx, done.left)));
  }
}

/** A commit that needs other checks too leaves the rows of the last shards for later. */
const MOST = { rows: 170, shards: COMMIT_MAX.checks };

/**
 * Cuts rows into batches that fit into a commit of every store, ordered by shard and product, so
 * that an offers row is usually written once.
 */
export function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.toSorted((a, b) => a.shard - b.shard || compareTexts(nameOf(a), nameOf(b)));
  return cutByShard(sorted, MOST);
}

function nameOf({ row: { product } }: PlacedRow): string {
  return "sku" in product ? product.sku : product.id;
}
