/**
 * Records pushed observations. Each row is accepted or refused on its own. A commit checks the
 * version counters of the offers that it read.
 */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { shown } from "../../base/failure.ts";
import { compareTexts } from "../../base/text.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import { cutByShard, findDocuments } from "../../catalogue/products/product_store.ts";
import { offerVersions } from "../../catalogue/products/change_log_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX, transactVersioned } from "../../platform/store/kv.ts";
import { findHeld, heldIdsOf } from "../offers/held_price_store.ts";
import { type Offer, readOwnSellers } from "../offers/offer.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import { ourPricesOf } from "../quarantine/hold_observation.ts";
import { requireDomains } from "../require_competitors.ts";
import type { OfferPlace, PushCache } from "./offer_cache.ts";
import {
  findProducts,
  type PlacedRow,
  placeRows,
  PUSH_CODES,
  type PushBody,
  type PushedRow,
  readPushedRow,
  type RowRefusal,
} from "./pushed_row.ts";
import {
  createDraft,
  type Draft,
  finishDraft,
  type ProductRows,
  type Quarantine,
  recordProduct,
  type RefusedRow,
} from "./record_draft.ts";

interface Recorded {
  readonly refused: readonly RefusedRow[];
  readonly left: readonly PushedRow[];
}

interface Recording {
  readonly isLast: boolean;
  readonly cache: PushCache;
}

async function recordRows(
  ctx: Context,
  batch: readonly PlacedRow[],
  recording: Recording,
): Promise<Recorded> {
  const { recorded, isChecked } = await tryRecord(ctx, batch, recording, true);
  return isChecked ? recorded : (await tryRecord(ctx, batch, recording, false)).recorded;
}

/** `isFromCache`: use cached version counters. `isChecked`: the counters were up to date. */
async function tryRecord(
  ctx: Context,
  batch: readonly PlacedRow[],
  { isLast, cache }: Recording,
  isFromCache: boolean,
): Promise<{ readonly recorded: Recorded; readonly isChecked: boolean }> {
  const shards = [...new Set(batch.map(({ shard }) => shard))];
  let usesCache = isFromCache;
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const versionCounters = await versionCountersOf(ctx, cache, shards, usesCache);
    usesCache = false;
    const { groups, refused, moved } = await groupByProduct(ctx, cache, batch, shards);
    const stored = await readOffers(ctx, cache, groups, versionCounters);
    const unlinked = groups.flatMap(({ rows }, position) =>
      rows.flatMap(({ match }) => {
        const isKnown = !("target" in match) ||
          stored[position]?.some(({ urlHash }) => urlHash === match.target.urlHash);
        return isKnown ? [] : [match.target.domain];
      })
    );
    const competitors = unlinked.length === 0 ? null : await requireDomains(ctx, unlinked);
    const quarantine = await readQuarantine(ctx, groups, stored);
    const draft = createDraft(write, ctx, { competitors, quarantine }, refused);
    const others = (competitors === null ? 0 : 1) + (ctx.receipt && isLast ? 1 : 0);
    const checked = [...versionCounters].slice(0, COMMIT_MAX.checks - others);
    const inReach = new Set(checked.map(([number]) => number));
    const left = groups.flatMap((group, position) => {
      const offers = stored[position];
      if (!offers || !inReach.has(shard(group.product.sku))) return group.rows;
      return recordProduct(draft, group, offers);
    });
    left.push(...moved);
    if (draft.observed.size > 0) {
      offerVersions.check(write, ctx.workspaceId, checked);
      finishDraft(draft);
      if (isLast && left.length === 0) ctx.receipt?.put(write, null);
    }
    return { refused: draft.refused, left, draft, versionCounters };
  });
  if (versionstamp !== null) updateCache(cache, ctx.workspaceId, value, versionstamp);
  return { recorded: value, isChecked: versionstamp !== null || !isFromCache };
}

async function versionCountersOf(
  ctx: Context,
  { offers }: PushCache,
  shards: readonly number[],
  usesCache: boolean,
): Promise<ReadonlyMap<number, string | null>> {
  const { workspaceId } = ctx;
  const known = new Map<number, string | null>();
  for (const shard of usesCache ? shards : []) {
    const versionCounter = offers.versionCounterOf({ workspaceId, shard });
    if (versionCounter !== null) known.set(shard, versionCounter);
  }
  const read = await offerVersions.find(ctx, shards.filter((shard) => !known.has(shard)));
  return new Map(shards.map((shard) => [shard, known.get(shard) ?? read.get(shard) ?? null]));
}

function updateCache(
  { offers }: PushCache,
  workspaceId: string,
  { draft, versionCounters }: {
    readonly draft: Draft;
    readonly versionCounters: ReadonlyMap<number, string | null>;
  },
  versionstamp: string,
): void {
  for (const shard of draft.shards) {
    const versionCounter = versionCounters.get(shard) ?? null;
    if (versionCounter === null) continue;
    offers.advance({ workspaceId, shard, versionCounter }, versionstamp, draft.written);
  }
}

async function readOffers(
  ctx: Context,
  { offers: cache }: PushCache,
  groups: readonly ProductRows[],
  versionCounters: ReadonlyMap<number, string | null>,
): Promise<(readonly Offer[])[]> {
  const placeOf = ({ product }: ProductRows): OfferPlace | null => {
    const number = shard(product.sku);
    const versionCounter = versionCounters.get(number) ?? null;
    return versionCounter === null
      ? null
      : { workspaceId: ctx.workspaceId, shard: number, versionCounter };
  };
  const known = groups.map((group) => {
    const place = placeOf(group);
    return place && cache.find(place, group.product.id);
  });
  const unknown = groups.filter((_, position) => known[position] === null);
  const read = await findOffersOf(ctx, unknown.map(({ product }) => product.id));
  const found = new Map(read.map(({ productId, offers }) => [productId, offers]));
  for (const group of unknown) {
    const place = placeOf(group);
    if (place) cache.note(place, group.product.id, found.get(group.product.id) ?? []);
  }
  return groups.map(({ product }, position) => known[position] ?? found.get(product.id) ?? []);
}

async function groupByProduct(
  ctx: Context,
  cache: PushCache,
  batch: readonly PlacedRow[],
  shards: readonly number[],
): Promise<{ groups: ProductRows[]; refused: RefusedRow[]; moved: PushedRow[] }> {
  const rows = batch.map(({ row }) => row);
  const products = await findProducts(ctx, cache.products, { rows, shards });
  const groups = new Map<string, ProductRows>();
  const refused: RefusedRow[] = [];
  const moved: PushedRow[] = [];
  for (const [position, row] of rows.entries()) {
    const product = products[position];
    if (!product) {
      const name = shown("sku" in row.product ? row.product.sku : row.product.id);
      refused.push({ row, code: "not_found", message: `There is no product "${name}"` });
    } else if (!shards.includes(shard(product.sku))) moved.push(row);
    else groups.getOrInsertComputed(product.id, () => ({ product, rows: [] })).rows.push(row);
  }
  // Rows are sorted by time, so that each change of a price becomes a move.
  for (const { rows } of groups.values()) {
    rows.sort((a, b) => a.seen.observedAtMs - b.seen.observedAtMs);
  }
  return { groups: [...groups.values()], refused, moved };
}

/** Null without quarantine. */
async function readQuarantine(
  ctx: Context,
  groups: readonly ProductRows[],
  stored: readonly (readonly Offer[])[],
): Promise<Quarantine | null> {
  if ((await requireWorkspace(ctx)).quarantine === null) return null;
  const others = groups.filter(({ rows }, position) => {
    const known = stored[position] ?? [];
    return rows.some(({ seen }) =>
      !known.some(({ priceCents, currency }) =>
        priceCents === seen.priceCents && currency === seen.currency
      )
    );
  });
  const sales = groups.flatMap(({ rows }) => rows.map(({ sale }) => sale ?? {}));
  const [isOurs, documents, held] = await Promise.all([
    readOwnSellers(ctx, [...stored.flat(), ...sales]),
    findDocuments(ctx, others.map(({ product }) => product.id)),
    findHeld(ctx, stored.flatMap(heldIdsOf)),
  ]);
  return {
    isOurs,
    ours: new Map(documents.map(({ id, bytes }) => [id, ourPricesOf(parseProduct(bytes))])),
    held: new Map(held.flatMap((one) => one ? [[one.matchId, one]] : [])),
  };
}

export const PushOutcome = z.object({
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(z.object({
    index: z.int().describe("Index of the row, from 0"),
    code: z.enum(PUSH_CODES),
    message: z.string(),
  })),
}).meta({ id: "PushOutcome" });
export type PushOutcome = z.infer<typeof PushOutcome>;

export interface PushDeps {
  /** Private addresses that URLs may use; empty in production. */
  readonly allowed: AddressAllowList;
  readonly cache: PushCache;
}

/** A push may be repeated. */
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
  // The last commit writes the idempotency record, so there must be only one partition.
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

const MOST = { rows: 170, shards: COMMIT_MAX.checks };

function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.toSorted((a, b) => a.shard - b.shard || compareTexts(nameOf(a), nameOf(b)));
  return cutByShard(sorted, MOST);
}

function nameOf({ row: { product } }: PlacedRow): string {
  return "sku" in product ? product.sku : product.id;
}
