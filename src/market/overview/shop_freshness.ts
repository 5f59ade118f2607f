/**
 * Counts the links of each shop by freshness, and the pages that are due today. A link is fresh if
 * its price is at most `FRESH_HOURS` old.
 */

import { keepNewest } from "../../base/collections.ts";
import { clockIn, HOUR_MS, isoOrNull } from "../../base/time.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { documentPages, listDeletedDocuments } from "../../catalogue/products/product_store.ts";
import { MAX_AGE_HOURS } from "../../engine/pricing/reference.ts";
import { type DueProduct, schedules } from "../../scraping/schedule/schedule.ts";
import { yieldToEventLoop } from "../../platform/event_loop.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { CompetitorHealth, type HealthOf, listCompetitors } from "../../shops/competitor_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { decodeOfferRows, listOfferRows } from "../../shops/offers/offer_store.ts";
import { z } from "@hono/zod-openapi";

export const FRESH_HOURS = MAX_AGE_HOURS.live;
const FRESH_MS = FRESH_HOURS * HOUR_MS;
const HOURS = 24;
const ROWS = 300;
const DELETED_ROWS = 1_000;
const CACHED_MS_PER_PRODUCT = 3;

export const ShopFreshness = z.object({
  items: z.array(z.object({
    competitorId: z.string(),
    domain: z.string(),
    displayName: z.string(),
    links: z.int().describe("Number of enabled links of active products"),
    fresh: z.int().describe(`Number of links with a price of the last ${FRESH_HOURS} hours`),
    failing: z.int().describe("Number of links that are not fresh and whose last fetch failed"),
    stale: z.int().describe("Number of all other links"),
    lastSeenAt: z.iso.datetime().nullable()
      .describe("When a page of the shop was last read successfully"),
    mostSeenAt: z.iso.datetime().nullable()
      .describe("At least half of the pages that were read successfully were read then or later"),
    downSince: CompetitorHealth.shape.downSince,
    lastError: CompetitorHealth.shape.lastError,
    nextAt: z.iso.datetime().nullable()
      .describe("When a page of the shop is due next; null if none is"),
    planned: z.array(z.int())
      .describe(`Number of pages due in each of the ${HOURS} hours of today`),
  })).describe("Enabled competitors that have links, most links first"),
  asOf: z.iso.datetime(),
}).meta({ id: "ShopFreshness" });

export type ShopFreshness = z.output<typeof ShopFreshness>;

interface ShopCount {
  links: number;
  fresh: number;
  failing: number;
  nextMs: number | null;
  /** Number of pages to visit in each of the next 24 hours. Keys count hours since 1970. */
  readonly due: Map<number, number>;
}

export interface ShopCounters extends ShopCount {
  readonly seenMs: number[];
}

interface SeenShop extends ShopCount {
  readonly lastSeenMs: number | null;
  readonly mostSeenMs: number | null;
}

export function countOffers(
  counts: Map<string, ShopCounters>,
  offers: readonly Offer[],
  nowMs: number,
): void {
  for (const { enabled, competitorId, observedAtMs, checkedAtMs, status } of offers) {
    if (!enabled) continue;
    const count = counts.get(competitorId) ?? newCount();
    counts.set(competitorId, count);
    const isFresh = observedAtMs !== null && observedAtMs >= nowMs - FRESH_MS;
    count.links++;
    if (isFresh) count.fresh++;
    else if (status !== null && status !== "ok") count.failing++;
    if (checkedAtMs !== null) count.seenMs.push(checkedAtMs);
  }
}

function newCount(): ShopCounters {
  return { links: 0, fresh: 0, failing: 0, seenMs: [], nextMs: null, due: new Map() };
}

function countDue(
  counts: ReadonlyMap<string, ShopCount>,
  { dueAtMs, intervalHours, load }: DueProduct,
  nowMs: number,
): void {
  const pagesPerMilli = intervalHours / (1_000 * HOURS);
  const firstMs = Math.max(dueAtMs, nowMs);
  for (const [competitorId, milli] of Object.entries(load.competitors)) {
    const count = counts.get(competitorId);
    if (!count) continue;
    count.nextMs = Math.min(count.nextMs ?? firstMs, firstMs);
    const pages = Math.round(milli * pagesPerMilli);
    for (let ms = firstMs; ms < nowMs + HOURS * HOUR_MS; ms += intervalHours * HOUR_MS) {
      const hour = Math.floor(ms / HOUR_MS);
      count.due.set(hour, (count.due.get(hour) ?? 0) + pages);
    }
  }
}

interface Counted {
  readonly counts: ReadonlyMap<string, SeenShop>;
  readonly asOfMs: number;
  readonly keptUntilMs: number;
}

type Reader = WorkspaceStore & Pick<Context, "now">;

export class FreshnessCache {
  readonly #known = new Map<string, Promise<Counted>>();

  async read(workspace: Reader): Promise<Counted> {
    const last = await this.#known.get(workspace.workspaceId);
    if (last && workspace.now().getTime() < last.keptUntilMs) return last;
    const counting = countAll(workspace);
    keepNewest(this.#known, workspace.workspaceId, counting, 200);
    counting.catch(() => {
      if (this.#known.get(workspace.workspaceId) === counting) {
        this.#known.delete(workspace.workspaceId);
      }
    });
    return await counting;
  }
}

async function countAll(workspace: Reader): Promise<Counted> {
  const asOfMs = workspace.now().getTime();
  const deleted = await deletedIds(workspace);
  const counts = new Map<string, ShopCounters>();
  let products = 0;
  for await (const rows of pagesOf((...at) => listOfferRows(workspace, ...at), idOf, ROWS)) {
    const active = rows.filter(({ id }) => !deleted.has(id));
    for (const offers of decodeOfferRows(active.map(({ bytes }) => bytes))) {
      countOffers(counts, offers, asOfMs);
    }
    products += rows.length;
    await yieldToEventLoop();
  }
  for await (const { row } of schedules.walk(workspace)) countDue(counts, row, asOfMs);
  const keptMs = Math.min(5 * 60_000, products * CACHED_MS_PER_PRODUCT);
  return { counts: new Map(Array.from(counts, seenShop)), asOfMs, keptUntilMs: asOfMs + keptMs };
}

function seenShop([id, { seenMs, ...count }]: [string, ShopCounters]): [string, SeenShop] {
  seenMs.sort((a, b) => a - b);
  const mostSeenMs = seenMs[Math.floor(seenMs.length / 2)] ?? null;
  return [id, { ...count, lastSeenMs: seenMs.at(-1) ?? null, mostSeenMs }];
}

async function deletedIds(workspace: WorkspaceStore): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const documents of documentPages(workspace, listDeletedDocuments, DELETED_ROWS)) {
    for (const { id } of documents) ids.add(id);
  }
  return ids;
}

export interface FreshnessDeps {
  readonly healthOf: HealthOf;
  readonly freshness: FreshnessCache;
}

export async function readShopFreshness(
  ctx: Context,
  { healthOf, freshness }: FreshnessDeps,
): Promise<ShopFreshness> {
  const [{ counts, asOfMs }, all, { timeZone }] = await Promise.all([
    freshness.read(ctx),
    listCompetitors(ctx, null, null),
    requireWorkspace(ctx),
  ]);
  const shops = all.filter(({ id, enabled }) => enabled && counts.has(id));
  const healths = await Promise.all(shops.map(({ id }) => healthOf(ctx, id)));
  const items = shops.flatMap(({ id, domain, displayName }, at) => {
    const count = counts.get(id);
    if (!count) return [];
    const { links, fresh, failing, nextMs, due } = count;
    return {
      competitorId: id,
      domain,
      displayName,
      links,
      fresh,
      failing,
      stale: links - fresh - failing,
      lastSeenAt: isoOrNull(count.lastSeenMs),
      mostSeenAt: isoOrNull(count.mostSeenMs),
      downSince: healths[at]?.downSince ?? null,
      lastError: healths[at]?.lastError ?? null,
      nextAt: isoOrNull(nextMs),
      planned: hoursOfToday(due, ctx.now(), timeZone),
    };
  });
  items.sort((a, b) => b.links - a.links || (a.competitorId < b.competitorId ? -1 : 1));
  return { items, asOf: new Date(asOfMs).toISOString() };
}

function hoursOfToday(due: ReadonlyMap<number, number>, now: Date, timeZone: string): number[] {
  const today = clockIn(now, timeZone).date;
  const placed = Array.from(due, ([hour, pages]) => ({
    ...clockIn(new Date(hour * HOUR_MS), timeZone),
    pages,
  })).filter(({ date }) => date === today);
  return Array.from(
    { length: HOURS },
    (_, at) =>
      placed.filter(({ time }) => Number(time.slice(0, 2)) === at)
        .reduce((sum, { pages }) => sum + pages, 0),
  );
}
