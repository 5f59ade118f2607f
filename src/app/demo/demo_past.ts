/** Plays the past ninety days in order, with the same verbs as in real use. */
import { visitRows } from "../../accounts/users/user.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { formatMajor } from "../../base/money.ts";
import { compareTexts } from "../../base/text.ts";
import { dateIn, DAY_MS, daysBefore, HOUR_MS } from "../../base/time.ts";
import { changeProduct } from "../../catalogue/changes/change_product.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { recordSales } from "../../catalogue/sales/record_sales.ts";
import { NewRule } from "../../engine/pricing/rule.ts";
import { readAllAlerts } from "../../messages/alerts/read_alerts.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import { transact } from "../../platform/store/kv.ts";
import { createRule } from "../../rules/change_rule.ts";
import { askAgain } from "../../rules/evaluation/judge_subject.ts";
import { expireProposals } from "../../rules/proposals/reopen_proposal.ts";
import { decideMany } from "../../rules/proposals/decide_many.ts";
import { pageOfProposals } from "../../rules/proposals/read_proposals.ts";
import { findJudgedRule } from "../../rules/rule_routes.ts";
import { countFetch, FETCH_DAYS, fetchDays, noteHealth } from "../../scraping/schedule/health.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { listLiveMatches } from "../../shops/matches/competitor_prices.ts";
import { createPushCache } from "../../shops/push/offer_cache.ts";
import { pushObservations } from "../../shops/push/record_rows.ts";
import { recordFetch } from "../../shops/record_fetch.ts";
import {
  chanceOf,
  DEMO_RULES,
  type DemoProduct,
  isInStock,
  shopPriceCents,
  unitsSold,
} from "./demo_catalogue.ts";
import { brokenFile, erpFile, type ErpItem, importFile, priceFile } from "./demo_imports.ts";
import { contextOf, type DemoStage, lastNight, PAST_DAYS, untilIdle } from "./demo_stage.ts";
import type { PlacedOffer } from "./start_neighbours.ts";

interface DemoPast {
  readonly stage: DemoStage;
  readonly products: readonly DemoProduct[];
  readonly offers: readonly PlacedOffer[];
  readonly now: Date;
  readonly allowed: AddressAllowList;
  passed(days: number): void;
}

/** For this many days, rules have been active and prices have been pushed daily. */
const RULES_SINCE_DAYS = 21;
/** This many days ago, a person approved all open proposals. */
const CLEARED_ON_DAY = 16;
/** Days between observations of products that are not watched daily. */
const SEEN_EVERY_DAYS = 6;
const ROWS_PER_PUSH = 1_000;
const DOWN_DAYS = 3;
/** Hours of a night in which all pages are visited. */
const NIGHT_HOURS = 4;
/** The largest share of a healthy shop's pages that fail on a day. */
const LOST_MOST = 0.05;

export async function playPast(past: DemoPast): Promise<void> {
  const { stage, products } = past;
  at(past, PAST_DAYS);
  await importFile(stage, "artikelstamm.xml", erpFile(firstItems(past), dayText(past, PAST_DAYS)));
  await seePrices(past, PAST_DAYS, 60);
  await importPrices(past, 60, 140);
  await seePrices(past, 60, 30);
  await importPrices(past, 30, 210);
  await seePrices(past, 30, RULES_SINCE_DAYS);
  await tellSold(past, RULES_SINCE_DAYS, PAST_DAYS - RULES_SINCE_DAYS);
  await addRules(past);
  for (let day = RULES_SINCE_DAYS; day > 1; day--) {
    // Each proposal keeps the sales of its day, so sales are reported daily.
    if (day < RULES_SINCE_DAYS) await tellSold(past, day, 1);
    if (day === DOWN_DAYS) await failVisits(past, day);
    await seePrices(past, day, day - 1);
    if (day === CLEARED_ON_DAY) await approveAll(past);
    if (day % 4 === 2) {
      await decideSome(past);
      await readAllAlerts(contextOf(stage, stage.owner));
    }
    if (day === 12) await changeByHand(past, products.filter(({ isCompared }) => isCompared));
  }
  await tellSold(past, 1, 1);
  await importFile(stage, "preise-abbruch.xml", brokenFile(itemsOf(past, 300), dayText(past, 1)));
  await playLastDay(past);
  await countVisits(past);
  await decideSome(past);
  await leaveYesterday(past);
}

/**
 * Two files and an observation of all shops, in order. The observation is before midnight, because
 * only real fetches count today.
 */
async function playLastDay(past: DemoPast): Promise<void> {
  const { timeZone } = await requireWorkspace(contextOf(past.stage, past.stage.owner));
  const seen = lastNight(past.now, timeZone);
  const seenDaysAgo = (past.now.getTime() - seen.getTime()) / DAY_MS;
  const steps: readonly (readonly [daysAgo: number, play: (daysAgo: number) => Promise<void>])[] = [
    [0.9, (daysAgo) => importSlippedPrices(past, daysAgo)],
    [5 * HOUR_MS / DAY_MS, (daysAgo) => importPrices(past, daysAgo, 312)],
    [seenDaysAgo, (daysAgo) => failVisits(past, daysAgo)],
    [seenDaysAgo, () => seeAll(past, seen)],
  ];
  for (const [daysAgo, play] of steps.toSorted(([a], [b]) => b - a)) await play(daysAgo);
}

function at({ stage, now, passed }: DemoPast, daysAgo: number): void {
  stage.clock.set(new Date(now.getTime() - daysAgo * DAY_MS));
  passed(Math.floor(PAST_DAYS - daysAgo));
}

function dayText({ now }: DemoPast, daysAgo: number): string {
  const [year, month, day] = new Date(now.getTime() - daysAgo * DAY_MS)
    .toISOString().slice(0, 10).split("-");
  return `${day}.${month}.${year}`;
}

function firstItems({ products, offers }: DemoPast): ErpItem[] {
  const bySku = Map.groupBy(offers, ({ product }) => product.sku);
  return products.map((product) => ({
    product,
    // Prices have fallen a little since then.
    priceCents: Math.round(product.priceCents * (1 + chanceOf("first", product.sku) * 0.03)),
    links: (bySku.get(product.sku) ?? [])
      .map(({ shop, domain, url }) => ({ name: shop.name, domain, url })),
  }));
}

function itemsOf({ products }: DemoPast, count: number): ErpItem[] {
  return products
    .toSorted((a, b) => chanceOf(count, a.sku) - chanceOf(count, b.sku))
    .slice(0, count)
    .map((product) => ({ product, priceCents: product.priceCents, links: [] }));
}

async function importPrices(past: DemoPast, daysAgo: number, count: number): Promise<void> {
  at(past, daysAgo);
  const day = dayText(past, daysAgo);
  const name = `preise-${day.split(".").toReversed().join("-")}.xml`;
  await importFile(past.stage, name, priceFile(itemsOf(past, count), day));
}

/** A file with misplaced decimal points, as after an update of the ERP. It is held. */
async function importSlippedPrices(past: DemoPast, daysAgo: number): Promise<void> {
  at(past, daysAgo);
  const slipped = itemsOf(past, 260).map((item) => ({
    ...item,
    priceCents: Math.ceil(item.priceCents / 100),
  }));
  await importFile(past.stage, "preise-komma.xml", priceFile(slipped, dayText(past, daysAgo)));
}

async function seePrices(past: DemoPast, fromDaysAgo: number, toDaysAgo: number): Promise<void> {
  const { offers, now } = past;
  at(past, toDaysAgo);
  const seen: Seen[] = [];
  for (let day = fromDaysAgo; day > toDaysAgo; day--) {
    for (const offer of offers) {
      if (offer.shop.kind === "down" && day <= DOWN_DAYS) continue;
      const { sku, isWatchedDaily } = offer.product;
      const turn = Math.floor(chanceOf("turn", sku) * SEEN_EVERY_DAYS);
      // All pages of the shop that is down now were read on the day before.
      const isLastDay = offer.shop.kind === "down" && day === DOWN_DAYS + 1;
      if (!isLastDay && !isWatchedDaily && day % SEEN_EVERY_DAYS !== turn) continue;
      const hours = 1 + chanceOf("hour", sku, offer.shop.name) * 22;
      seen.push({ offer, at: new Date(now.getTime() - day * DAY_MS + hours * HOUR_MS) });
    }
  }
  // The rows of a product are neighbours, so that its offers are written once.
  seen.sort((a, b) => compareTexts(a.offer.product.sku, b.offer.product.sku));
  await push(past, seen);
}

/** Observes all shops that answer, so that rules have fresh prices. */
async function seeAll(past: DemoPast, when: Date): Promise<void> {
  past.stage.clock.set(when);
  const open = past.offers.filter(({ shop }) => shop.kind !== "down");
  await push(past, open.map((offer) => ({ offer, at: when })));
}

async function failVisits(past: DemoPast, daysAgo: number): Promise<void> {
  at(past, daysAgo);
  const ctx = contextOf(past.stage, past.stage.owner);
  const message = "The shop answers 503";
  const failed = { kind: "failed", errorCode: "http_error", message } as const;
  const own = past.offers.filter(({ shop }) => shop.kind === "down");
  const rows = await findIndexRows(ctx, own.map(({ product }) => product.sku));
  for (const { product: { sku }, domain } of own) {
    const productId = rows.get(sku)?.id ?? "";
    const found = await findProduct(ctx, productId);
    const live = (await listLiveMatches(ctx, productId))
      .find(({ competitor }) => competitor.domain === domain);
    if (!found || !live) continue;
    await transact(ctx, async (write) => {
      const target = { product: found.product, matchId: live.match.id };
      await recordFetch(write, ctx, target, failed);
      await noteHealth(write, ctx, live, failed);
    });
  }
}

/** The person of the demo left yesterday at 17:42. */
async function leaveYesterday({ stage, now }: DemoPast): Promise<void> {
  const ctx = contextOf(stage, stage.owner);
  const { timeZone } = await requireWorkspace(ctx);
  const yesterday = daysBefore(dateIn(now, timeZone), 1);
  const left = Temporal.PlainDateTime.from(`${yesterday}T17:42`).toZonedDateTime(timeZone);
  const visit = { userId: ctx.actor.id, seenAtMs: left.epochMilliseconds, previousAtMs: null };
  await transact(ctx, (write) => visitRows.put(write, ctx, visit));
}

/** Stores the fetches of each shop by day. One shop has been down for some days. */
async function countVisits({ stage, offers, now }: DemoPast): Promise<void> {
  const ctx = contextOf(stage, stage.owner);
  const { timeZone } = await requireWorkspace(ctx);
  const offersOf = Map.groupBy(offers, ({ domain }) => domain);
  for (const { id: competitorId, domain, displayName } of await listCompetitors(ctx, null, null)) {
    const own = offersOf.get(domain) ?? [];
    const isDown = own.some(({ shop }) => shop.kind === "down");
    for (let day = 1; day < FETCH_DAYS; day++) {
      const date = dateIn(new Date(now.getTime() - day * DAY_MS), timeZone);
      // `failVisits` has stored the failed visits of these days.
      if (isDown && (day === 1 || day === DOWN_DAYS)) continue;
      const lost = isDown && day <= DOWN_DAYS ? 1 : chanceOf("lost", displayName, day) * LOST_MOST;
      const failed = Math.round(own.length * lost);
      const ok = own.length - failed;
      await transact(ctx, (write) => {
        if (day > 1) return fetchDays.put(write, ctx, { competitorId, date, ok, failed });
        // The hours of the last night are shown one by one.
        for (let at = 0; at < NIGHT_HOURS; at++) {
          const atMs = lastNight(now, timeZone).getTime() - at * HOUR_MS;
          const partOf = (count: number) => Math.floor((count + at) / NIGHT_HOURS);
          const refused = Math.round(partOf(failed) * chanceOf("refused", displayName, at));
          const note = (outcome: "ok" | "blocked" | "no_answer", count: number) =>
            countFetch(write, ctx, { competitorId, atMs, outcome, count });
          note("ok", partOf(ok));
          note("blocked", refused);
          note("no_answer", partOf(failed) - refused);
        }
      });
    }
  }
}

interface Seen {
  readonly offer: PlacedOffer;
  readonly at: Date;
}

async function push({ stage, allowed }: DemoPast, seen: readonly Seen[]): Promise<void> {
  const memory = createPushCache();
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
      cache: memory,
    });
  }
  await untilIdle(stage);
}

async function addRules({ stage }: DemoPast): Promise<void> {
  for (const rule of DEMO_RULES) {
    await createRule(contextOf(stage, stage.owner), NewRule.parse(rule));
  }
}

async function tellSold(
  { stage, products, now }: DemoPast,
  daysAgo: number,
  days: number,
): Promise<void> {
  const { timeZone } = await requireWorkspace(contextOf(stage, stage.owner));
  const compared = products.filter(({ isCompared }) => isCompared);
  const until = dateIn(new Date(now.getTime() - daysAgo * DAY_MS), timeZone);
  await tellSales(stage, compared, until, days);
}

const DECIDING = { ruleOf: findJudgedRule, askAgain };

async function approveAll({ stage }: DemoPast): Promise<void> {
  const ctx = contextOf(stage, stage.owner);
  const { items } = await pageOfProposals(ctx, { status: "open", limit: 200 });
  const ids = items.map(({ id }) => id);
  await decideMany(ctx, DECIDING, { action: "approve", ids });
  await untilIdle(stage);
}

/** A person decides some proposals and approves two thirds of them. The others expire. */
async function decideSome({ stage }: DemoPast): Promise<void> {
  const ctx = contextOf(stage, stage.owner);
  const { items } = await pageOfProposals(ctx, { status: "open", limit: 200 });
  const looked = items.filter(({ id }) => chanceOf("look", id) < 0.5).map(({ id }) => id);
  const approved = looked.filter((_, index) => index % 3 !== 2);
  const rejected = looked.filter((_, index) => index % 3 === 2);
  await decideMany(ctx, DECIDING, { action: "approve", ids: approved });
  const rejection = { action: "reject", ids: rejected, reason: "Ware läuft aus" } as const;
  await decideMany(contextOf(stage, stage.owner), DECIDING, rejection);
  await expireProposals(stage.store, stage.app.clock);
  await untilIdle(stage);
}

/** A person sets some prices, and excludes some products from rules. */
async function changeByHand({ stage }: DemoPast, compared: readonly DemoProduct[]): Promise<void> {
  const some = compared.filter((_, index) => index % 40 === 7);
  const indexRows = await findIndexRows(contextOf(stage, stage.owner), some.map(({ sku }) => sku));
  for (const [index, { sku, priceCents }] of some.entries()) {
    const id = indexRows.get(sku)?.id;
    if (id === undefined) continue;
    const ourPrice = formatMajor(Math.round(priceCents * 0.97), 2);
    const patch = index % 3 === 0 ? { ourPrice, priceLocked: true } : { ourPrice };
    const options = { expected: null, allowsLargeChange: false, reason: "Vom Einkauf vereinbart" };
    await changeProduct(contextOf(stage, stage.owner), id, patch, options);
  }
  await untilIdle(stage);
}

const PRODUCTS_PER_CALL = 50;

export async function tellSales(
  stage: DemoStage,
  products: readonly DemoProduct[],
  until: string,
  days: number,
): Promise<void> {
  const dates = Array.from({ length: days }, (_, at) => daysBefore(until, at));
  for (let from = 0; from < products.length; from += PRODUCTS_PER_CALL) {
    const rows = products.slice(from, from + PRODUCTS_PER_CALL).flatMap((product) =>
      dates.map((date) => ({ sku: product.sku, date, units: unitsSold(product, date) }))
    );
    await recordSales(contextOf(stage, stage.erp), { rows });
  }
}
