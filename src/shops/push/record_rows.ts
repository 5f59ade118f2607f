/**
 * Records pushed observations. Each row is accepted or refused on its own. A commit checks the
 * version counters of the offers that it read.
 */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { shown } from "../../base/failure.ts";
import { compareTexts } from "../../base/text.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { cutByShard, findDocuments } from "../../catalogue/products/product_store.ts";
import { offerVersions, productVersions } from "../../catalogue/products/change_log_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX, transactVersioned } from "../../platform/store/kv.ts";
import { findHeld, heldIdsOf } from "../offers/held_price_store.ts";
import { readOwnSellers } from "../offers/offer.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import { ourPricesOf } from "../quarantine/hold_observation.ts";
import { requireDomains } from "../require_competitors.ts";
import {
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
  finishDraft,
  type ProductOffers,
  type ProductRows,
  type Quarantine,
  recordProduct,
  type RefusedRow,
} from "./record_draft.ts";

interface Recorded {
  readonly refused: readonly RefusedRow[];
  readonly left: readonly PushedRow[];
}

/** `isLast`: no other commit of the request follows. */
async function recordRows(
  ctx: Context,
  cache: PushCache,
  batch: readonly PlacedRow[],
  isLast: boolean,
): Promise<Recorded> {
  const shards = [...new Set(batch.map(({ shard }) => shard))];
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const ofProducts = await productVersions.find(ctx, shards);
    const ofOffers = await offerVersions.find(ctx, shards);
    const states = new Map(shards.map((shard) => {
      const versions = `${ofProducts.get(shard)} ${ofOffers.get(shard)}`;
      return [shard, { workspaceId: ctx.workspaceId, shard, versions }];
    }));
    const { groups, refused, moved } = await groupByProduct(ctx, cache, batch, states);
    const unlinked = groups.flatMap(({ rows, offers }) =>
      rows.flatMap(({ match }) => {
        const isKnown = !("target" in match) ||
          offers.some(({ urlHash }) => urlHash === match.target.urlHash);
        return isKnown ? [] : [match.target.domain];
      })
    );
    const competitors = unlinked.length === 0 ? null : await requireDomains(ctx, unlinked);
    const quarantine = await readQuarantine(ctx, groups);
    const draft = createDraft(write, ctx, { competitors, quarantine }, refused);
    const others = (competitors === null ? 0 : 1) + (ctx.receipt && isLast ? 1 : 0);
    const checked = [...ofOffers].slice(0, COMMIT_MAX.checks - others);
    const inReach = new Set(checked.map(([number]) => number));
    const left = groups.flatMap((group) =>
      inReach.has(shard(group.product.sku)) ? recordProduct(draft, group) : group.rows
    );
    left.push(...moved);
    if (draft.observed.size > 0) {
      offerVersions.check(write, ctx.workspaceId, checked);
      finishDraft(draft);
      if (isLast && left.length === 0) ctx.receipt?.put(write, null);
    }
    return { refused, left, draft, states, ofProducts };
  });
  const { draft: { shards: touched, linked, written }, states, ofProducts } = value;
  for (const number of versionstamp === null ? [] : touched) {
    const state = states.get(number);
    // A new match changes the products' version without a check, so the products are read again.
    if (!state || linked.has(number)) continue;
    const own = written.filter(({ product }) => shard(product.sku) === number);
    cache.advance(state, `${ofProducts.get(number)} ${versionstamp}`, own);
  }
  return value;
}

async function groupByProduct(
  ctx: Context,
  cache: PushCache,
  batch: readonly PlacedRow[],
  states: ReadonlyMap<number, ShardState>,
): Promise<{ groups: ProductRows[]; refused: RefusedRow[]; moved: PushedRow[] }> {
  const placed = await placeRows(ctx, batch.map(({ row }) => row));
  const products = await readProducts(ctx, cache, placed, states);
  const groups = new Map<string, ProductRows>();
  const refused: RefusedRow[] = [];
  const moved: PushedRow[] = [];
  for (const { row, sku, shard } of placed) {
    const known = products.get(sku ?? "");
    if (!states.has(shard)) moved.push(row);
    else if (known) {
      groups.getOrInsertComputed(known.product.id, () => ({ ...known, rows: [] })).rows.push(row);
    } else {
      const name = shown("sku" in row.product ? row.product.sku : row.product.id);
      refused.push({ row, code: "not_found", message: `There is no product "${name}"` });
    }
  }
  // Rows are sorted by time, so that each change of a price becomes a move.
  for (const { rows } of groups.values()) {
    rows.sort((a, b) => a.seen.observedAtMs - b.seen.observedAtMs);
  }
  return { groups: [...groups.values()], refused, moved };
}

/** By SKU, without products that are unknown, deleted or in other shards. */
async function readProducts(
  ctx: Context,
  cache: PushCache,
  placed: readonly PlacedRow[],
  states: ReadonlyMap<number, ShardState>,
): Promise<Map<string, ProductOffers>> {
  const products = new Map<string, ProductOffers>();
  const unknown = new Set<string>();
  for (const { sku, shard } of placed) {
    const state = states.get(shard);
    if (!state || sku === null || skuError(sku) !== null) continue;
    const known = cache.find(state, sku);
    if (known) products.set(sku, known);
    else unknown.add(sku);
  }
  const found = [...await findIndexRows(ctx, [...unknown])]
    .flatMap(([sku, { id, isDeleted }]) => isDeleted ? [] : [{ id, sku }]);
  const stored = await findOffersOf(ctx, found.map(({ id }) => id));
  for (const [at, product] of found.entries()) {
    const read = { product, offers: stored[at]?.offers ?? [] };
    const state = states.get(shard(product.sku));
    if (state) cache.note(state, read);
    products.set(product.sku, read);
  }
  return products;
}

/** Null without quarantine. */
async function readQuarantine(
  ctx: Context,
  groups: readonly ProductRows[],
): Promise<Quarantine | null> {
  if ((await requireWorkspace(ctx)).quarantine === null) return null;
  const others = groups.filter(({ rows, offers }) =>
    rows.some(({ seen }) =>
      !offers.some(({ priceCents, currency }) =>
        priceCents === seen.priceCents && currency === seen.currency
      )
    )
  );
  const stored = groups.flatMap(({ offers }) => offers);
  const sales = groups.flatMap(({ rows }) => rows.map(({ sale }) => sale ?? {}));
  const [isOurs, documents, held] = await Promise.all([
    readOwnSellers(ctx, [...stored, ...sales]),
    findDocuments(ctx, others.map(({ product }) => product.id)),
    findHeld(ctx, heldIdsOf(stored)),
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
    const done = await recordRows(ctx, cache, batch, queue.length === 0);
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

/** `versions` must have been read before the offers. */
interface ShardState {
  readonly workspaceId: string;
  readonly shard: number;
  readonly versions: string;
}

interface KnownShard {
  versions: string;
  readonly bySku: Map<string, ProductOffers>;
}

/**
 * Products and their offers from earlier pushes, by SKU. They are known while the version counters
 * of their shard stay the same, so a commit that uses known offers must check the counter.
 */
export class PushCache {
  readonly #shards = new Map<string, KnownShard>();
  /** Products and offers that were stored since the cache was last emptied. */
  #size = 0;

  find(state: ShardState, sku: string): ProductOffers | null {
    return this.#knownAt(state)?.bySku.get(sku) ?? null;
  }

  note(state: ShardState, known: ProductOffers): void {
    const shard = this.#knownAt(state) ?? { versions: state.versions, bySku: new Map() };
    this.#shards.set(shardKey(state), shard);
    this.#put(shard, known);
  }

  /** Must be called after a commit that checked the counters of `state` and wrote `written`. */
  advance(state: ShardState, versions: string, written: readonly ProductOffers[]): void {
    const shard = this.#knownAt(state);
    if (!shard) return;
    shard.versions = versions;
    for (const one of written) this.#put(shard, one);
  }

  #put({ bySku }: KnownShard, known: ProductOffers): void {
    const before = bySku.get(known.product.sku);
    bySku.set(known.product.sku, known);
    this.#size += before ? known.offers.length - before.offers.length : 1 + known.offers.length;
    // Limits the cache to about 25 MB.
    if (this.#size <= 60_000) return;
    this.#shards.clear();
    this.#size = 0;
  }

  #knownAt(state: ShardState): KnownShard | null {
    const known = this.#shards.get(shardKey(state));
    return known?.versions === state.versions ? known : null;
  }
}

function shardKey({ workspaceId, shard }: ShardState): string {
  return `${workspaceId} ${shard}`;
}
