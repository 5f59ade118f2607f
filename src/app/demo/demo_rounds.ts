/**
 * Invents daily rounds of visits to the demo's shops: when each page was read, at which price, and
 * what failed. After the start of the demo, the schedule visits the pages.
 */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { batchesOf } from "../../base/collections.ts";
import { formatMajor } from "../../base/money.ts";
import { compareTexts } from "../../base/text.ts";
import { dateIn, DAY_MS, HOUR_MS } from "../../base/time.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { transact } from "../../platform/store/kv.ts";
import { FETCH_DAYS, fetchDays, noteHealth } from "../../scraping/schedule/health.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { listLiveMatches } from "../../shops/matches/list_matches.ts";
import { pushObservations } from "../../shops/push/record_rows.ts";
import { recordFetch } from "../../shops/record_fetch.ts";
import { chanceOf, isInStock, shopPriceCents } from "./demo_catalogue.ts";
import { at, contextOf, type DemoPast, untilIdle } from "./demo_stage.ts";
import type { PlacedOffer } from "./start_neighbours.ts";

const BEGUN_HOURS = 9;
const ROUND_HOURS = 3;
const SEEN_EVERY_DAYS = 6;
const ROWS_PER_PUSH = 1_000;
/** One shop fails in each of the newest `DOWN_DAYS` rounds of visits. */
export const DOWN_DAYS = 3;
const LOST_MOST = 0.05;

export const isOfDownShop = ({ shop }: PlacedOffer): boolean => shop.kind === "down";
export const isForbidden = ({ path }: PlacedOffer): boolean => path.startsWith("/angebote/");

/** Returns the time of a visit. Day 0 is the day of the newest round of visits. */
function visitMs({ now }: DemoPast, { product: { sku } }: PlacedOffer, day: number): number {
  return now.getTime() - day * DAY_MS - BEGUN_HOURS * HOUR_MS +
    chanceOf("hour", sku) * ROUND_HOURS * HOUR_MS;
}

export async function seePrices(
  past: DemoPast,
  fromDaysAgo: number,
  toDaysAgo: number,
): Promise<void> {
  at(past, toDaysAgo);
  const seen: Seen[] = [];
  for (let day = fromDaysAgo; day > toDaysAgo; day--) {
    for (const offer of past.offers) {
      if (isForbidden(offer) || isOfDownShop(offer) && day <= DOWN_DAYS) continue;
      const { sku, isWatchedDaily } = offer.product;
      const turn = Math.floor(chanceOf("turn", sku) * SEEN_EVERY_DAYS);
      const isLastDay = isOfDownShop(offer) && day === DOWN_DAYS + 1;
      if (!isLastDay && !isWatchedDaily && day % SEEN_EVERY_DAYS !== turn) continue;
      seen.push({ offer, at: new Date(visitMs(past, offer, day - 1)) });
    }
  }
  seen.sort((a, b) => compareTexts(a.offer.product.sku, b.offer.product.sku));
  await push(past, seen);
}

export async function seeLastPrices(past: DemoPast): Promise<void> {
  at(past, (BEGUN_HOURS - ROUND_HOURS) / 24);
  const read = past.offers.filter((offer) => !isOfDownShop(offer) && !isForbidden(offer));
  await push(past, read.map((offer) => ({ offer, at: new Date(visitMs(past, offer, 0)) })));
}

const HTTP_ERROR = { errorCode: "http_error", message: "The shop answers 503" };
const DISALLOWED = { errorCode: "robots_disallowed", message: "robots.txt forbids this page" };

export async function failVisits(
  past: DemoPast,
  day: number,
  fails: (offer: PlacedOffer) => boolean,
): Promise<void> {
  at(past, day + BEGUN_HOURS / 24);
  const ctx = contextOf(past.stage, past.stage.owner);
  const bySku = Map.groupBy(past.offers.filter(fails), ({ product }) => product.sku);
  const rows = await findIndexRows(ctx, [...bySku.keys()]);
  for (const [sku, offers] of bySku) {
    const id = rows.get(sku)?.id;
    const found = id === undefined ? null : await findProduct(ctx, id);
    if (!found) continue;
    for (const live of await listLiveMatches(ctx, found.id)) {
      const offer = offers.find(({ domain }) => domain === live.competitor.domain);
      if (!offer) continue;
      const failed = {
        kind: "failed",
        ...(isForbidden(offer) ? DISALLOWED : HTTP_ERROR),
      } as const;
      await transact(ctx, async (write) => {
        await recordFetch(write, ctx, { product: found.product, matchId: live.match.id }, failed);
        await noteHealth(write, ctx, live, failed);
      });
    }
  }
}

export async function countVisits(past: DemoPast): Promise<void> {
  const ctx = contextOf(past.stage, past.stage.owner);
  const { timeZone } = await requireWorkspace(ctx);
  const today = dateIn(past.now, timeZone);
  const offersOf = Map.groupBy(past.offers, ({ domain }) => domain);
  for (const { id: competitorId, domain } of await listCompetitors(ctx, null, null)) {
    const days = new Map<string, { ok: number; failed: number }>();
    for (const [day, offer] of roundsOf(offersOf.get(domain) ?? [])) {
      const date = dateIn(new Date(visitMs(past, offer, day)), timeZone);
      if (date === today) continue;
      const counts = days.get(date) ?? { ok: 0, failed: 0 };
      counts[isLost(offer, day) ? "failed" : "ok"]++;
      days.set(date, counts);
    }
    await transact(ctx, (write) => {
      for (const [date, counts] of days) {
        fetchDays.put(write, ctx, { competitorId, date, ...counts });
      }
    });
  }
}

function* roundsOf(offers: readonly PlacedOffer[]): Generator<[day: number, offer: PlacedOffer]> {
  for (let day = 0; day < FETCH_DAYS; day++) {
    for (const offer of offers) {
      if (!isOfDownShop(offer) || day !== DOWN_DAYS - 1) yield [day, offer];
    }
  }
}

function isLost(offer: PlacedOffer, day: number): boolean {
  if (isForbidden(offer) || isOfDownShop(offer) && day < DOWN_DAYS) return true;
  const most = LOST_MOST * chanceOf("lost", offer.shop.name, day);
  return chanceOf("lost", offer.url, day) < most;
}

interface Seen {
  readonly offer: PlacedOffer;
  readonly at: Date;
}

async function push({ stage, allowed }: DemoPast, seen: readonly Seen[]): Promise<void> {
  for await (const some of batchesOf(seen, ROWS_PER_PUSH)) {
    const observations = some.map(({ offer, at }) => ({
      sku: offer.product.sku,
      url: offer.url,
      price: formatMajor(shopPriceCents(offer, at), 2),
      currency: "EUR",
      inStock: isInStock(offer, at),
      observedAt: at.toISOString(),
    }));
    await pushObservations(contextOf(stage, stage.erp), { observations }, allowed);
  }
  await untilIdle(stage);
}
