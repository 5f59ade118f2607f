/** Daily rounds of visits: when each page was read, at which price, and what failed. */
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { formatMajor } from "../../base/money.ts";
import { compareTexts } from "../../base/text.ts";
import { dateIn, DAY_MS, HOUR_MS } from "../../base/time.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { findProduct, putLastScraped } from "../../catalogue/products/product_store.ts";
import { ended } from "../../platform/jobs/job.ts";
import { findStoredJob, saveJob } from "../../platform/jobs/job_store.ts";
import { transact } from "../../platform/store/kv.ts";
import {
  addDueRun,
  endRunRows,
  NOTHING_FOUND,
  type RunResult,
  runResults,
} from "../../scraping/runs/run.ts";
import { SCHEDULE } from "../../scraping/runs/scrape_runs.ts";
import { countFetch, FETCH_DAYS, fetchDays, noteHealth } from "../../scraping/schedule/health.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { PushCache } from "../../shops/push/push_cache.ts";
import { pushObservations } from "../../shops/push/record_rows.ts";
import { recordFetch } from "../../shops/record_fetch.ts";
import { chanceOf, isInStock, shopPriceCents } from "./demo_catalogue.ts";
import { at, contextOf, type DemoPast, untilIdle } from "./demo_stage.ts";
import type { PlacedOffer } from "./start_neighbours.ts";

/** Each round begins at the time of day that is this many hours before the demo's start. */
const BEGUN_HOURS = 9;
const ROUND_HOURS = 3;
/** Days between two observations of a product that is not watched daily. */
const SEEN_EVERY_DAYS = 6;
const ROWS_PER_PUSH = 1_000;
/** The number of rounds for which one shop has failed. */
export const DOWN_DAYS = 3;
/** At most this share of a healthy shop's pages fails. */
const LOST_MOST = 0.05;
const MS_PER_VISIT = 400;

export const isOfDownShop = ({ shop }: PlacedOffer): boolean => shop.kind === "down";
/** True if the shop's robots.txt forbids the page. */
export const isForbidden = ({ path }: PlacedOffer): boolean => path.startsWith("/angebote/");

/** Day 0 is the last round. */
function visitMs({ now, last }: DemoPast, { product: { sku } }: PlacedOffer, day: number): number {
  const dayMs = now.getTime() - day * DAY_MS;
  if (last.has(sku)) return dayMs;
  return dayMs - BEGUN_HOURS * HOUR_MS + chanceOf("hour", sku) * ROUND_HOURS * HOUR_MS;
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
      // On the day before its outage, all pages of the failing shop were read.
      const isLastDay = isOfDownShop(offer) && day === DOWN_DAYS + 1;
      if (!isLastDay && !isWatchedDaily && day % SEEN_EVERY_DAYS !== turn) continue;
      seen.push({ offer, at: new Date(visitMs(past, offer, day - 1)) });
    }
  }
  // Rows of a product are neighbours, so that the offers of a product are written only once.
  seen.sort((a, b) => compareTexts(a.offer.product.sku, b.offer.product.sku));
  await push(past, seen);
}

export async function playLastRound(past: DemoPast): Promise<void> {
  at(past, BEGUN_HOURS / 24);
  const due = past.offers.filter(({ product }) => !past.last.has(product.sku));
  const fails = (offer: PlacedOffer) => isOfDownShop(offer) || isForbidden(offer);
  await recordRuns(past, due, fails);
  await failVisits(past, 0, (offer) => due.includes(offer) && fails(offer));
  at(past, (BEGUN_HOURS - ROUND_HOURS) / 24);
  const read = due.filter((offer) => !fails(offer));
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
  const own = past.offers.filter(fails);
  for (const [product, offers] of await productsOf(past, own)) {
    for (const live of await listLiveMatches(ctx, product.id)) {
      const offer = offers.find(({ domain }) => domain === live.competitor.domain);
      if (!offer) continue;
      const failed = {
        kind: "failed",
        ...(isForbidden(offer) ? DISALLOWED : HTTP_ERROR),
      } as const;
      const found = await findProduct(ctx, product.id);
      if (!found) continue;
      await transact(ctx, async (write) => {
        await recordFetch(write, ctx, { product: found.product, matchId: live.match.id }, failed);
        await noteHealth(write, ctx, live, failed);
      });
    }
  }
}

/** Returns products in the order in which the offers are visited. */
async function productsOf(past: DemoPast, offers: readonly PlacedOffer[]) {
  const ctx = contextOf(past.stage, past.stage.owner);
  const bySku = Map.groupBy(offers, ({ product }) => product.sku);
  const rows = await findIndexRows(ctx, [...bySku.keys()]);
  return [...bySku].flatMap(([sku, own]) => {
    const row = rows.get(sku);
    return row ? [[{ id: row.id, sku }, own] as const] : [];
  });
}

async function recordRuns(
  past: DemoPast,
  offers: readonly PlacedOffer[],
  fails: (offer: PlacedOffer) => boolean,
): Promise<void> {
  const ctx = { ...contextOf(past.stage, SCHEDULE), newId: past.stage.app.clock.newId };
  for (const [product, own] of await productsOf(past, offers)) {
    const [first] = own;
    if (!first) continue;
    const startMs = visitMs(past, first, 0);
    const live = await listLiveMatches(ctx, product.id);
    const results = own.flatMap((offer) => {
      const link = live.find(({ competitor }) => competitor.domain === offer.domain);
      return link ? [resultOf(offer, link, new Date(startMs), fails(offer))] : [];
    });
    // The run is due in the future, so no job takes the run before its end.
    const run = await transact(
      ctx,
      (write) => addDueRun(write, ctx, product, startMs, null),
    );
    const stored = run && await findStoredJob(ctx.store, run);
    const found = await findProduct(ctx, product.id);
    if (!run || !stored || !found) continue;
    const failed = results.filter(({ status }) => status === "failed").length;
    const ok = results.length - failed;
    const finishedAt = new Date(startMs + results.length * MS_PER_VISIT);
    const done = {
      ...run,
      startedAt: new Date(startMs).toISOString(),
      hasErrors: failed > 0,
      stats: { targets: results.length, ok, failed, skipped: 0 },
    };
    await transact(ctx, async (write) => {
      saveJob(write, stored, ended(done, { status: "succeeded" }, finishedAt));
      for (const [n, result] of results.entries()) {
        runResults.put(write, ctx, { runId: run.jobId, n, result });
      }
      await endRunRows(write, ctx, { ...done, status: "succeeded" });
      if (ok > 0) putLastScraped(write, ctx.workspaceId, found, finishedAt.toISOString());
    });
  }
}

function resultOf(
  offer: PlacedOffer,
  { match, competitor }: LiveMatch,
  at: Date,
  isFailed: boolean,
): RunResult {
  const visit = {
    ...NOTHING_FOUND,
    competitorProductId: match.id,
    competitor: competitor.displayName,
    url: offer.url,
    durationMs: Math.round(MS_PER_VISIT * (0.5 + chanceOf("took", offer.url) / 2)),
  };
  if (isFailed) {
    const failed = isForbidden(offer) ? DISALLOWED : HTTP_ERROR;
    return { ...visit, ...failed, status: "failed", httpStatus: isForbidden(offer) ? null : 503 };
  }
  const inStock = isInStock(offer, at);
  return {
    ...visit,
    status: "ok",
    price: shopPriceCents(offer, at),
    currency: "EUR",
    inStock,
    availability: inStock ? "in_stock" : "out_of_stock",
    method: offer.shop.kind === "both" ? "json_ld" : offer.shop.kind,
    confidence: null,
    httpStatus: 200,
    errorCode: null,
    message: null,
  };
}

/** Stores counts by hour for the last round, and by day for the other rounds. */
export async function countVisits(past: DemoPast): Promise<void> {
  const ctx = contextOf(past.stage, past.stage.owner);
  const { timeZone } = await requireWorkspace(ctx);
  const offersOf = Map.groupBy(past.offers, ({ domain }) => domain);
  for (const { id: competitorId, domain } of await listCompetitors(ctx, null, null)) {
    const own = offersOf.get(domain) ?? [];
    const days = new Map<string, { ok: number; failed: number }>();
    for (const [day, offer] of roundsOf(own)) {
      const date = dateIn(new Date(visitMs(past, offer, day)), timeZone);
      const counts = days.get(date) ?? { ok: 0, failed: 0 };
      counts[isLost(offer, day) ? "failed" : "ok"]++;
      days.set(date, counts);
    }
    const hourOf = (offer: PlacedOffer) => Math.floor(visitMs(past, offer, 0) / HOUR_MS);
    // `failVisits` has already stored the failed fetches of the last round.
    const read = own.filter((offer) => !past.last.has(offer.product.sku) && !isLost(offer, 0));
    await transact(ctx, (write) => {
      for (const [date, counts] of days) {
        fetchDays.put(write, ctx, { competitorId, date, ...counts });
      }
      for (const [hour, some] of Map.groupBy(read, hourOf)) {
        countFetch(write, ctx, {
          competitorId,
          atMs: hour * HOUR_MS,
          outcome: "ok",
          count: some.length,
        });
      }
    });
  }
}

/** Omits fetches that `failVisits` has already stored. */
function* roundsOf(offers: readonly PlacedOffer[]): Generator<[day: number, offer: PlacedOffer]> {
  for (let day = 1; day < FETCH_DAYS; day++) {
    for (const offer of offers) {
      if (!isOfDownShop(offer) || day !== DOWN_DAYS - 1) yield [day, offer];
    }
  }
}

function isLost(offer: PlacedOffer, day: number): boolean {
  if (isForbidden(offer) || isOfDownShop(offer) && day < DOWN_DAYS) return true;
  const most = LOST_MOST * chanceOf("lost", offer.shop.name, day);
  return day > 0 && chanceOf("lost", offer.url, day) < most;
}

interface Seen {
  readonly offer: PlacedOffer;
  readonly at: Date;
}

async function push({ stage, allowed }: DemoPast, seen: readonly Seen[]): Promise<void> {
  const cache = new PushCache();
  for (let from = 0; from < seen.length; from += ROWS_PER_PUSH) {
    const observations = seen.slice(from, from + ROWS_PER_PUSH).map(({ offer, at }) => ({
      sku: offer.product.sku,
      url: offer.url,
      price: formatMajor(shopPriceCents(offer, at), 2),
      currency: "EUR",
      inStock: isInStock(offer, at),
      observedAt: at.toISOString(),
    }));
    await pushObservations(contextOf(stage, stage.erp), { observations }, {
      allowed,
      cache,
    });
  }
  await untilIdle(stage);
}
