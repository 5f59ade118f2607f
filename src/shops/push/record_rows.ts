import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { shown } from "../../base/failure.ts";
import {
  checkOfferVersionCounter,
  findOfferVersionCounters,
} from "../../catalogue/products/version_counter_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX, transactVersioned } from "../../platform/store/kv.ts";
import { findHeld, heldIdsOf } from "../offers/held_price_store.ts";
import { type Offer } from "../offers/offer.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import { readOwnSellers } from "../offers/own_sellers.ts";
import { ourPricesOf } from "../quarantine/hold_observation.ts";
import { requireDomains } from "../require_competitors.ts";
import type { OfferPlace, PushCache } from "./offer_cache.ts";
import { findProducts, type PlacedRow, type PushedRow } from "./pushed_row.ts";
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
  /**
   * Rows that did not fit into the commit, because they need many new matches or long offers rows;
   * and rows of products whose SKU has moved to another shard.
   */
  readonly left: readonly PushedRow[];
}

interface Recording {
  readonly isLast: boolean;
  readonly cache: PushCache;
}

/**
 * Records rows in one commit. The generations of the offers are read first and checked, so
 * decisions are based on the current products and offers. Competitors of unknown domains are
 * created before, in commits of their own. A URL that is no match of its product becomes one.
 */
export async function recordRows(
  ctx: Context,
  batch: readonly PlacedRow[],
  recording: Recording,
): Promise<Recorded> {
  const { recorded, isProven } = await tryRecord(ctx, batch, recording, true);
  return isProven ? recorded : (await tryRecord(ctx, batch, recording, false)).recorded;
}

/**
 * If `isHopeful` is true, cached generations are used without reading them. An outdated one makes
 * the commit fail. If nothing was committed, it is unknown whether the cache was current and the
 * refusals are correct: `isProven` is false.
 */
async function tryRecord(
  ctx: Context,
  batch: readonly PlacedRow[],
  { isLast, cache }: Recording,
  isHopeful: boolean,
): Promise<{ readonly recorded: Recorded; readonly isProven: boolean }> {
  const shards = [...new Set(batch.map(({ shard }) => shard))];
  let mayRemember = isHopeful;
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const generations = await versionCountersOf(ctx, cache, shards, mayRemember);
    mayRemember = false;
    const { groups, refused, moved } = await groupByProduct(ctx, cache, batch, shards);
    const stored = await readOffers(ctx, cache, groups, generations);
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
    // The commit may also need checks for the set of competitors and the idempotency key.
    const others = (competitors === null ? 0 : 1) + (ctx.receipt && isLast ? 1 : 0);
    const checked = [...generations].slice(0, COMMIT_MAX.checks - others);
    const inReach = new Set(checked.map(([number]) => number));
    const left = groups.flatMap((group, position) => {
      const offers = stored[position];
      if (!offers || !inReach.has(shard(group.product.sku))) return group.rows;
      return recordProduct(draft, group, offers);
    });
    left.push(...moved);
    if (draft.observed.size > 0) {
      for (const [number, versionCounter] of checked) {
        checkOfferVersionCounter(write, ctx.workspaceId, number, versionCounter);
      }
      finishDraft(draft);
      if (isLast && left.length === 0) ctx.receipt?.put(write, null);
    }
    return { refused: draft.refused, left, draft, generations };
  });
  if (versionstamp !== null) remember(cache, ctx.workspaceId, value, versionstamp);
  return { recorded: value, isProven: versionstamp !== null || !isHopeful };
}

/** Returns the offer generations of shards, cached ones if `mayRemember` is true. */
async function versionCountersOf(
  ctx: Context,
  { offers }: PushCache,
  shards: readonly number[],
  mayRemember: boolean,
): Promise<ReadonlyMap<number, string | null>> {
  const { workspaceId } = ctx;
  const known = new Map<number, string | null>();
  for (const shard of mayRemember ? shards : []) {
    const versionCounter = offers.versionCounterOf({ workspaceId, shard });
    if (versionCounter !== null) known.set(shard, versionCounter);
  }
  const read = await findOfferVersionCounters(ctx, shards.filter((shard) => !known.has(shard)));
  return new Map(shards.map((shard) => [shard, known.get(shard) ?? read.get(shard) ?? null]));
}

/** Updates the cache: the commit has set the generations of the shards that it wrote to. */
function remember(
  { offers }: PushCache,
  workspaceId: string,
  { draft, generations }: {
    readonly draft: Draft;
    readonly generations: ReadonlyMap<number, string | null>;
  },
  versionstamp: string,
): void {
  for (const shard of draft.tally.shards) {
    const generation = generations.get(shard) ?? null;
    if (generation === null) continue;
    offers.advance({ workspaceId, shard, generation }, versionstamp, draft.written);
  }
}

/** Returns the offers of each group, from the cache or the store. */
async function readOffers(
  ctx: Context,
  { offers: cache }: PushCache,
  groups: readonly ProductRows[],
  versionCounters: ReadonlyMap<number, string | null>,
): Promise<(readonly Offer[])[]> {
  const placeOf = ({ product }: ProductRows): OfferPlace | null => {
    const number = shard(product.sku);
    const generation = versionCounters.get(number) ?? null;
    return generation === null ? null : { workspaceId: ctx.workspaceId, shard: number, generation };
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
  // In the order in which they were seen, so that each price that differs from the one before is a move.
  for (const { rows } of groups.values()) {
    rows.sort((a, b) => a.seen.observedAtMs - b.seen.observedAtMs);
  }
  return { groups: [...groups.values()], refused, moved };
}

/**
 * Returns null if the workspace has no quarantine. Our prices are read only for products with a
 * changed price.
 */
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
