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
    index: z.int().meta({ description: "Which row, counted from 0" }),
    code: z.enum(PUSH_CODES),
    message: z.string(),
  })),
}).meta({ id: "PushOutcome" });

export type PushOutcome = z.infer<typeof PushOutcome>;

export interface PushDeps {
  /** Private addresses that URLs may lead to nevertheless; empty in production. */
  readonly allowed: AddressAllowList;
  readonly cache: PushCache;
}

/**
 * Stores prices that the caller has observed, each row independently. Up to 170 rows are one
 * commit, so an interrupted push may have stored some; sent again, they are stored once.
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
  // A receipt belongs to the last commit, so there must be one.
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

/** One batch after the other. Two such lanes share few shards: one reads while the other commits. */
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

/** A commit that has other checks to make leaves the rows of the last shards. */
const MOST = { rows: 170, shards: COMMIT_MAX.checks };

/**
 * Rows in commits that every store takes, in the order of shards and products, so that an offers
 * row is mostly written once.
 */
export function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.toSorted((a, b) => a.shard - b.shard || compareTexts(nameOf(a), nameOf(b)));
  return cutByShard(sorted, MOST);
}

function nameOf({ row: { product } }: PlacedRow): string {
  return "sku" in product ? product.sku : product.id;
}
