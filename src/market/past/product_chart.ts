/** Computes the chart of our price and the shops' prices over time (docs/decisions/market.md). */
import { z } from "@hono/zod-openapi";
import { pick } from "../../base/collections.ts";
import { DAY_MS, HOUR_MS, iso } from "../../base/time.ts";
import { listPriceChanges } from "../../catalogue/products/product_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { flagQuery } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { isAccepted, type Observation, thinLimitMs } from "../../shops/observations/observation.ts";
import { ofProduct, ownedPages } from "../../shops/observations/read_observations.ts";
import { ourSideOf, unitCents } from "../unit_cents.ts";
import { competitorsById, findLeaving } from "../../shops/competitor_store.ts";
import { findRemovedMatch } from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { ownSellersOf } from "../../shops/offers/offer.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";

interface PastShop {
  readonly matchId: string;
  readonly competitorId: string;
  /** `competitor` is the last known name if the competitor was deleted. */
  readonly competitor: string;
  readonly packFactor: number;
  readonly pricesIncludeVat: boolean | null;
  readonly isOurs: boolean;
  readonly seenAtMs: number | null;
  /** Time of the last successful visit, if all visits since then failed; otherwise null. */
  readonly readUntilMs: number | null;
}

/** The returned list `linked` also contains paused links. */
export async function readPastShops(
  workspace: WorkspaceStore,
  product: Pick<Product, "id" | "vatRatePct">,
) {
  const [{ offers }, settings] = await Promise.all([
    findOffers(workspace, product.id),
    requireWorkspace(workspace),
  ]);
  const competitors = await competitorsById(workspace);
  const isOurs = ownSellersOf(settings.ownSellerNames, competitors);
  const linked = offers.flatMap(
    (offer): PastShop[] => {
      const { observedAtMs, failingSinceMs, checkedAtMs } = offer;
      const competitor = competitors.get(offer.competitorId);
      if (competitor === undefined) return [];
      return [{
        ...pick(offer, ["matchId", "competitorId", "packFactor"]),
        competitor: competitor.displayName,
        pricesIncludeVat: competitor.pricesIncludeVat,
        isOurs: isOurs(offer),
        seenAtMs: observedAtMs,
        readUntilMs: failingSinceMs === null ? null : checkedAtMs ?? observedAtMs,
      }];
    },
  );
  const known = new Map<string, PastShop | null>(linked.map((shop) => [shop.matchId, shop]));
  const offerOf = new Map(offers.map((offer) => [offer.matchId, offer]));
  return {
    linked,
    accepts: (one: Observation) => isAccepted(one, offerOf.get(one.matchId)),
    async of(matchId: string): Promise<PastShop | null> {
      const found = known.get(matchId);
      if (found !== undefined) return found;
      const shop = await findRemoved(workspace, matchId);
      known.set(matchId, shop);
      return shop;
    },
    ours: ourSideOf(product, settings),
  };
}

async function findRemoved(workspace: WorkspaceStore, matchId: string): Promise<PastShop | null> {
  const removed = await findRemovedMatch(workspace, matchId);
  if (removed === null) return null;
  const { competitorId, packFactor } = removed.match;
  const today = (await competitorsById(workspace)).get(competitorId) ??
    await findLeaving(workspace, competitorId);
  return {
    matchId,
    competitorId,
    competitor: (today ?? removed.competitor).displayName,
    packFactor,
    pricesIncludeVat: today?.pricesIncludeVat ?? null,
    isOurs: false,
    seenAtMs: null,
    readUntilMs: null,
  };
}

export const ChartQuery = z.strictObject({
  days: z.enum(["7", "30", "90", "365"]).default("90").meta({
    type: "string",
    description: "Length of the chart back from now",
  }),
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

const at = z.iso.datetime();

const point = z.tuple([at, z.int().nullable()]);

export const ProductChart = z.object({
  own: z.array(point)
    .describe("Times, each with our price from then on; null: no price, or another currency"),
  shops: z.array(z.object({
    competitorProductId: z.string(),
    competitorId: z.string(),
    competitor: z.string().describe("Display name"),
    isOurs: z.boolean().describe("True if we are currently the seller"),
    packFactor: z.number()
      .describe("Number of our pieces that the shop sells for its price; `points` are per piece"),
    points: z.array(point)
      .describe("Times, each with the price per piece from then on, with or without VAT like ours"),
    gaps: z.array(z.tuple([at, at]))
      .describe("Start and end of times without an observation for more than two intervals"),
    lastSeenAt: at.nullable(),
  })).describe("The prices of each shop"),
  currency: z.string().describe("Currency of all prices, which are in minor units"),
  from: at.describe("Start of the chart"),
  to: at.describe("End of the chart: now"),
}).meta({ id: "ProductChart" });

export type ProductChart = z.infer<typeof ProductChart>;

const INTERVALS = 2;
const USUAL_INTERVALS_VALID = 2.5;
const ROWS_PER_READ = 500;

export interface ChartDeps {
  /** Age in days after which only one observation per link and day is kept. */
  readonly observationDays: number;
}

export async function readChart(
  ctx: Context,
  product: Product,
  { days }: z.output<typeof ChartQuery>,
  { observationDays }: ChartDeps,
): Promise<ProductChart> {
  const now = ctx.now();
  const window = { fromMs: now.getTime() - Number(days) * DAY_MS, toMs: now.getTime() };
  const fetchedMs = INTERVALS * product.scrapeIntervalHours * HOUR_MS;
  // Old observations are thinned to one per day, so two of them may be almost two days apart.
  const daily = Math.max(fetchedMs, INTERVALS * DAY_MS);
  const thinnedMs = thinLimitMs(now, observationDays);
  const shops = await readPastShops(ctx, product);
  const observed = await readObservations(ctx, product, window.fromMs - daily, window.toMs);
  const observationsOf = Map.groupBy(observed.filter(shops.accepts), ({ matchId }) => matchId);
  const drawn = new Set([...shops.linked.map(({ matchId }) => matchId), ...observationsOf.keys()]);
  const answer: ProductChart["shops"] = [];
  for (const matchId of drawn) {
    const shop = await shops.of(matchId);
    if (shop === null) continue;
    const seen = observationsOf.get(matchId) ?? [];
    const observations = seen.flatMap(({ priceCents, observedAtMs }): ChartPoint[] => {
      const cents = unitCents(priceCents, shop, shops.ours);
      return cents === null ? [] : [[observedAtMs, cents]];
    });
    const rhythmMs = seen.some(({ source }) => source === "push")
      ? USUAL_INTERVALS_VALID * usualMs(observations)
      : 0;
    const untilMs = Math.max(shop.readUntilMs ?? Infinity, observations.at(-1)?.[0] ?? 0);
    const { points, gaps } = observedLine(
      observations,
      window,
      (atMs) => Math.min(Math.max(atMs < thinnedMs ? daily : fetchedMs, rhythmMs), untilMs - atMs),
    );
    const lastMs = Math.max(shop.seenAtMs ?? 0, seen.at(-1)?.observedAtMs ?? 0);
    answer.push({
      competitorProductId: matchId,
      ...pick(shop, ["competitorId", "competitor", "isOurs", "packFactor"]),
      points: points.map(([atMs, cents]) => [iso(atMs), cents]),
      gaps: gaps.map(([fromMs, toMs]) => [iso(fromMs), iso(toMs)]),
      lastSeenAt: lastMs === 0 ? null : iso(lastMs),
    });
  }
  const own = steppedLine(await readOwnPrices(ctx, product, window.toMs), window);
  return {
    own: own.map(([atMs, cents]) => [iso(atMs), cents]),
    shops: answer,
    currency: product.currency,
    from: iso(window.fromMs),
    to: iso(window.toMs),
  };
}

async function readObservations(
  ctx: Context,
  { id, currency }: Product,
  fromMs: number,
  toMs: number,
): Promise<Observation[]> {
  const found: Observation[] = [];
  const stretch = { fromMs: Math.max(0, fromMs), toMs, order: "desc" } as const;
  for await (const rows of ownedPages(ctx, ofProduct(id), stretch, ROWS_PER_READ)) {
    found.push(...rows.map(({ observation }) => observation));
    if (found.length >= 40_000) break;
  }
  return found.reverse().filter((one) => one.currency === currency);
}

async function readOwnPrices(
  ctx: Context,
  { id, currency }: Product,
  toMs: number,
): Promise<ChartPoint<number | null>[]> {
  const stretch = { fromMs: 0, beforeMs: toMs + 1 };
  const changes = await listPriceChanges(ctx, id, stretch, 2_000);
  return changes.reverse().map((change) => [
    Date.parse(change.at),
    change.currency === currency ? change.toCents : null,
  ]);
}

/** A time, and the price in minor units from this time on; null if there is no price. */
export type ChartPoint<Cents extends number | null = number> = readonly [
  atMs: number,
  cents: Cents,
];

type ChartGap = readonly [fromMs: number, toMs: number];

interface ChartWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export const POINTS_MAX = 400;
const BUCKETS = POINTS_MAX / 4;

/**
 * `countsMs` returns how many milliseconds an observation's price is valid if no other follows.
 * `observations` must be sorted by time and include the last observation before the window.
 */
export function observedLine(
  observations: readonly ChartPoint[],
  { fromMs, toMs }: ChartWindow,
  countsMs: (atMs: number) => number,
): { readonly points: readonly ChartPoint[]; readonly gaps: readonly ChartGap[] } {
  const [first] = observations;
  if (first === undefined || first[0] > toMs) return { points: [], gaps: [] };
  const points: ChartPoint[] = [];
  const gaps: ChartGap[] = [];
  let endMs = Math.max(first[0], fromMs);
  let drawn: number | null = null;
  for (const [at, [atMs, cents]] of observations.entries()) {
    const nextMs = observations[at + 1]?.[0] ?? toMs;
    const countedMs = Math.min(nextMs, atMs + countsMs(atMs), toMs);
    const beginMs = Math.max(atMs, fromMs);
    if (countedMs < beginMs) continue;
    if (beginMs > endMs) gaps.push([endMs, beginMs]);
    if (beginMs > endMs || drawn !== cents) points.push([beginMs, cents]);
    drawn = cents;
    endMs = countedMs;
  }
  if (endMs < toMs) gaps.push([endMs, toMs]);
  return { points: thinned(points, { fromMs, toMs }), gaps };
}

/** `changes` must be sorted by time, and include the last change before the window. */
export function steppedLine(
  changes: readonly ChartPoint<number | null>[],
  window: ChartWindow,
): ChartPoint<number | null>[] {
  const before = changes.findLast(([atMs]) => atMs <= window.fromMs);
  const inside = changes.filter(([atMs]) => atMs > window.fromMs && atMs <= window.toMs);
  const first: ChartPoint<number | null>[] = before ? [[window.fromMs, before[1]]] : [];
  return thinned([...first, ...inside], window);
}

function thinned<Cents extends number | null>(
  points: readonly ChartPoint<Cents>[],
  { fromMs, toMs }: ChartWindow,
): ChartPoint<Cents>[] {
  if (points.length <= POINTS_MAX) return [...points];
  const width = (toMs - fromMs) / BUCKETS;
  const bucketOf = ([atMs]: ChartPoint<Cents>) =>
    Math.min(BUCKETS - 1, Math.floor((atMs - fromMs) / width));
  return [...Map.groupBy(points, bucketOf).values()].flatMap((bucket) => {
    const priceOf = (point: ChartPoint<Cents>) => point[1] ?? 0;
    const kept = new Set([
      bucket[0],
      bucket.reduce((low, point) => priceOf(point) < priceOf(low) ? point : low),
      bucket.reduce((high, point) => priceOf(point) > priceOf(high) ? point : high),
      bucket.at(-1),
    ]);
    return bucket.filter((point) => kept.has(point));
  });
}

export function usualMs(observations: readonly ChartPoint[]): number {
  if (observations.length < USUAL_LEAST) return 0;
  const times = observations.slice(1).map(([atMs], at) => atMs - (observations[at]?.[0] ?? atMs));
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

const USUAL_LEAST = 5;
