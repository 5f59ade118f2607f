import { markCompetitors } from "../observations/shop_mark_store.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { AHEAD_MS_MAX } from "../../base/time.ts";
import { shown } from "../../base/failure.ts";
import {
  checkOfferVersionCounter,
  findOfferVersionCounters,
  setVersionCounter,
} from "../../catalogue/products/version_counter_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  COMMIT_MAX,
  shareOfCommit,
  transactVersioned,
  type Write,
} from "../../platform/store/kv.ts";
import { checkCompetitorSet, type CompetitorSet } from "../competitor_store.ts";
import { blankMatch, type Match, MATCHES_PER_PRODUCT_MAX, termsOf } from "../matches/match.ts";
import { addMatch } from "../matches/match_store.ts";
import type { MatchTarget } from "../matches/match_url.ts";
import { changedObservations } from "../observations/announce_sightings.ts";
import { addMoves, type Move, movesBetween } from "../observations/move_store.ts";
import { addObservation } from "../observations/observation_store.ts";
import { findHeld, heldIdsOf, type HeldPrice, putHeld } from "../offers/held_price_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import {
  createOfferCounters,
  findOffersOf,
  putOffers,
  saveOfferCounters,
} from "../offers/offer_store.ts";
import { type OwnSellers, readOwnSellers } from "../offers/own_sellers.ts";
import {
  judgeObservation,
  type OurPrices,
  ourPricesOf,
  withSale,
} from "../quarantine/hold_observation.ts";
import { countObservations, isFirstObservation } from "../quarantine/shop_watch_store.ts";
import { requireDomains } from "../require_competitors.ts";
import type { OfferPlace, ProductRef, PushCache } from "./offer_cache.ts";
import { findProducts, type PlacedRow, type PushedRow, type RowRefusal } from "./pushed_row.ts";

interface Recorded {
  readonly refused: readonly RefusedRow[];
  /**
   * Rows that did not fit into the commit, because they need many new matches or long offers rows;
   * and rows of products whose SKU has moved to another shard.
   */
  readonly left: readonly PushedRow[];
}

/** Room that a commit must have for another row, including its offers row and the shared rows. */
const NEXT_ROW = shareOfCommit(0.4);

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

type RefusedRow = RowRefusal & { readonly row: PushedRow };

interface ProductRows {
  readonly product: ProductRef;
  readonly rows: PushedRow[];
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

/** The data besides the offers that observations are compared with. */
interface Quarantine {
  /** Our prices by product id. */
  readonly ours: ReadonlyMap<string, OurPrices>;
  readonly isOurs: OwnSellers;
  /** Held prices by match id. */
  readonly held: ReadonlyMap<string, HeldPrice>;
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

type Draft = ReturnType<typeof createDraft>;

function createDraft(
  write: Write,
  ctx: Context,
  known: {
    /** Null if every URL is known. */
    readonly competitors: CompetitorSet | null;
    /** Null if the workspace has no quarantine. */
    readonly quarantine: Quarantine | null;
  },
  refused: RefusedRow[],
) {
  return {
    write,
    ctx,
    ...known,
    tally: createOfferCounters(),
    made: new Array<Match>(),
    news: new Array<OutboxEvent>(),
    moves: new Array<Move>(),
    /** The changed offers by product. */
    written: new Map<string, readonly Offer[]>(),
    observed: new Set<string>(),
    /**
     * Number of first observations in the current slot by competitor; only for workspaces with a
     * quarantine.
     */
    sights: new Map<string, number>(),
    touched: new Set<number>(),
    refused,
  };
}

/** Adds the rows of one product to the commit; returns the rows that did not fit. */
function recordProduct(
  draft: Draft,
  { product, rows }: ProductRows,
  before: readonly Offer[],
): PushedRow[] {
  const { write, ctx: { workspaceId }, quarantine } = draft;
  if (!write.fits(NEXT_ROW)) return rows;
  const after = [...before];
  const held = new Map<string, HeldPrice>();
  const nowMs = draft.ctx.now().getTime();
  let done = 0;
  for (; done < rows.length && write.fits(NEXT_ROW); done++) {
    const row = rows[done];
    const offer = row && after[findOrAdd(draft, product, row, after)];
    if (!row || !offer) continue;
    const { matchId, competitorId } = offer;
    const judged = judgeObservation(
      offer,
      row.seen,
      nowMs + AHEAD_MS_MAX,
      quarantine && {
        product,
        offers: after,
        ours: quarantine.ours.get(product.id) ?? { cost: null, own: null },
        isOurs: quarantine.isOurs,
        held: held.get(matchId) ??
          (offer.heldAtMs === null ? null : quarantine.held.get(matchId) ?? null),
      },
      row.sale,
    );
    if (judged.held) held.set(matchId, judged.held);
    else if (judged.after.heldAtMs === null) held.delete(matchId);
    const place = { productId: product.id, matchId, competitorId };
    const isHeld = judged.held !== null;
    addObservation(write, workspaceId, { ...row.seen, ...place, ...isHeld && { isHeld } });
    draft.observed.add(competitorId);
    if (quarantine !== null && judged.after !== offer) {
      if (isFirstObservation(offer.checkedAtMs, nowMs)) {
        draft.sights.set(competitorId, (draft.sights.get(competitorId) ?? 0) + 1);
      }
    }
    const sold = withSale(offer, judged, row.sale);
    draft.moves.push(...movesBetween(product.id, { before: [offer], after: [sold] }));
    after[after.indexOf(offer)] = sold;
  }
  for (const one of held.values()) putHeld(write, workspaceId, one);
  const isChanged = after.some((offer, position) => offer !== before[position]);
  if (isChanged) {
    putOffers(write, workspaceId, product, { before, after }, draft.tally);
    draft.news.push(...changedObservations(product, { before, after }, "push"));
    draft.written.set(product.id, after);
  }
  // The generation is set even if no offer has changed, because the packing of observations relies
  // on it.
  draft.tally.shards.add(shard(product.sku));
  return rows.slice(done);
}

/** Returns the index of the row's offer in `offers`; -1 if the row is refused. */
function findOrAdd(draft: Draft, product: ProductRef, row: PushedRow, offers: Offer[]): number {
  const { match } = row;
  if (!("target" in match)) {
    const position = offers.findIndex(({ matchId }) => matchId === match.id);
    if (position < 0) {
      const message = `The product has no match "${shown(match.id)}"`;
      draft.refused.push({ row, code: "not_found", message });
    }
    return position;
  }
  const { target } = match;
  const position = offers.findIndex(({ urlHash }) => urlHash === target.urlHash);
  if (position >= 0) return position;
  if (offers.length >= MATCHES_PER_PRODUCT_MAX) {
    const message = `The product has ${MATCHES_PER_PRODUCT_MAX} matches, no more fit`;
    draft.refused.push({ row, code: "validation_failed", message });
    return -1;
  }
  return offers.push(makeMatch(draft, product, target)) - 1;
}

function makeMatch(draft: Draft, product: ProductRef, { url, urlHash, domain }: MatchTarget) {
  const { write, ctx, competitors } = draft;
  const competitor = competitors?.byDomain.get(domain);
  if (!competitor) throw new Error(`The competitor of "${domain}" was not made before`);
  const ends = { productId: product.id, competitorId: competitor.id, url };
  const createdAt = ctx.now().toISOString();
  const match = blankMatch({ id: ctx.newId(), ...ends, source: "push", createdAt });
  addMatch(write, ctx.workspaceId, match, urlHash);
  draft.made.push(match);
  draft.touched.add(shard(product.sku));
  return blankOffer(termsOf(match, urlHash));
}

/** Writes the rows that the commit's rows share. */
function finishDraft(draft: Draft): void {
  const { write, ctx, competitors, tally, made, observed, touched } = draft;
  const { workspaceId } = ctx;
  saveOfferCounters(write, workspaceId, tally);
  markCompetitors(write, workspaceId, observed);
  countObservations(write, workspaceId, ctx.now().getTime(), draft.sights);
  addMoves(write, ctx, draft.moves);
  const pushed = {
    cause: "push" as const,
    ref: ctx.requestId,
    productIds: [...draft.written.keys()],
  };
  publish(write, ctx, [...draft.news, { type: "products.touched", data: pushed }]);
  if (made.length === 0) return;
  if (competitors) checkCompetitorSet(write, workspaceId, competitors);
  for (const number of touched) setVersionCounter(write, workspaceId, number);
  addAuditRow(write, ctx, {
    action: "competitor_product.push",
    resource: { type: "competitor_product", id: "push", label: `${made.length} new matches` },
    before: null,
    after: { competitorProductIds: made.map(({ id }) => id) },
  });
}
