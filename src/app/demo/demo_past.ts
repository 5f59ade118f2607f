/**
 * Fills the demo with an invented history of ninety days, day by day: files of the ERP, visits to
 * the demo's shops, decisions and sales. Later visits come from scheduled jobs of the running demo.
 */
import { visitRows } from "../../accounts/users/user.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { batchesOf } from "../../base/collections.ts";
import { formatMajor } from "../../base/money.ts";
import { dateIn, DAY_MS, daysBefore, HOUR_MS } from "../../base/time.ts";
import { changeProduct } from "../../catalogue/changes/change_product.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { recordSales } from "../../catalogue/sales/sales.ts";
import { NewRule } from "../../engine/pricing/rule.ts";
import { readAllAlerts } from "../../messages/read_alerts.ts";
import { transact } from "../../platform/store/kv.ts";
import { createRule } from "../../rules/rule_resource.ts";
import { decideMany, expireProposals } from "../../rules/decide_many.ts";
import { pageOfProposals } from "../../rules/proposals/read_proposals.ts";
import {
  brokenFile,
  chanceOf,
  DEMO_RULES,
  type DemoProduct,
  erpFile,
  type ErpItem,
  isInStock,
  type PlacedOffer,
  priceFile,
  shopPriceCents,
  unitsSold,
} from "./demo_catalogue.ts";
import { at, type DemoPast, PAST_DAYS, untilIdle } from "./start_neighbours.ts";
import { compareTexts } from "../../base/text.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { FETCH_DAYS, fetchDays, noteHealth } from "../../scraping/schedule/health.ts";
import { listCompetitors } from "../../shops/competitor_store.ts";
import { listLiveMatches } from "../../shops/matches/list_matches.ts";
import { pushObservations } from "../../shops/recording/record_rows.ts";
import { recordFetch } from "../../shops/recording/record_observation.ts";
import { optionsOfSource, startImport } from "../../imports/jobs/start_import.ts";
import { BLANK_DEFAULT } from "../../imports/state/import_source.ts";
import { IMPORT_KIND, type ImportJob } from "../../imports/state/import_job.ts";
import { receiveFiles } from "../../imports/upload/receive_upload.ts";
import { waitForJob } from "../../platform/jobs/job_store.ts";
import { hasEnded } from "../../platform/jobs/job.ts";

const RULES_SINCE_DAYS = 22;
const STEP_DAYS = 2;
const CLEARED_ON_DAY = 16;
const LEFT_HOURS = 23;
const SLIPPED_HOURS = 21.6;
const ERP_HOURS = 5;

export async function playPast(past: DemoPast): Promise<void> {
  const { products } = past;
  const first = firstItems(past);
  await importFile(past, PAST_DAYS, "artikelstamm.xml", (from) => erpFile(first, from));
  await failVisits(past, PAST_DAYS - 1, isForbidden);
  await seePrices(past, PAST_DAYS, 60);
  await importPrices(past, 60, 140);
  await seePrices(past, 60, 30);
  await importPrices(past, 30, 210);
  await seePrices(past, 30, RULES_SINCE_DAYS);
  await recordSold(past, RULES_SINCE_DAYS, PAST_DAYS - RULES_SINCE_DAYS);
  for (const rule of DEMO_RULES) await createRule(past.asOwner(), NewRule.parse(rule));
  for (let day = RULES_SINCE_DAYS, next = day; day > 1; day = next) {
    next = day - STEP_DAYS < DOWN_DAYS ? day - 1 : day - STEP_DAYS;
    if (day === DOWN_DAYS) await failVisits(past, day - 1, isOfDownShop);
    await seePrices(past, day, next);
    if (day === CLEARED_ON_DAY) await approveAll(past);
    if (day % 4 === 2) {
      await decideSome(past);
      await readAllAlerts(past.asOwner());
    }
    if (day === 12) await changeByHand(past, products.filter(({ isCompared }) => isCompared));
    // Record sales day by day, because a proposal stores the sales known at its creation.
    await recordSold(past, next, day - next);
  }
  const broken = itemsOf(past, 300);
  await importFile(past, 1, "preise-abbruch.xml", (from) => brokenFile(broken, from));
  await playLastDay(past);
  await countVisits(past);
}

async function playLastDay(past: DemoPast): Promise<void> {
  at(past, LEFT_HOURS / 24);
  await decideSome(past);
  const owner = past.asOwner();
  const visit = { userId: owner.actor.id, seenAtMs: owner.now().getTime(), previousAtMs: null };
  await transact(owner, (write) => visitRows.put(write, owner, visit));
  // These prices are 100 times too low, so Kurant holds the import until a person confirms it.
  const slipped = itemsOf(past, 260)
    .map((item) => ({ ...item, priceCents: Math.ceil(item.priceCents / 100) }));
  const slippedFile = (validFrom: string) => priceFile(slipped, validFrom);
  await importFile(past, SLIPPED_HOURS / 24, "preise-komma.xml", slippedFile);
  await seeLastPrices(past);
  await importPrices(past, ERP_HOURS / 24, 312);
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
    priceCents: Math.round(product.priceCents * (1 + chanceOf("first", product.sku) * 0.03)),
    links: bySku.get(product.sku) ?? [],
  }));
}

function itemsOf({ products }: DemoPast, count: number): ErpItem[] {
  return products
    .toSorted((a, b) => chanceOf(count, a.sku) - chanceOf(count, b.sku))
    .slice(0, count)
    .map((product) => ({ product, priceCents: product.priceCents, links: [] }));
}

async function importPrices(past: DemoPast, daysAgo: number, count: number): Promise<void> {
  const name = `preise-${dayText(past, daysAgo).split(".").toReversed().join("-")}.xml`;
  await importFile(past, daysAgo, name, (from) => priceFile(itemsOf(past, count), from));
}

const PRODUCTS_PER_CALL = 50;

async function recordSold(
  { asErp, products, now }: DemoPast,
  daysAgo: number,
  days: number,
): Promise<void> {
  const ctx = asErp();
  const { timeZone } = await requireWorkspace(ctx);
  const until = dateIn(new Date(now.getTime() - daysAgo * DAY_MS), timeZone);
  const dates = Array.from({ length: days }, (_, at) => daysBefore(until, at));
  const compared = products.filter(({ isCompared }) => isCompared);
  for await (const some of batchesOf(compared, PRODUCTS_PER_CALL)) {
    const rows = some.flatMap((product) =>
      dates.map((date) => ({ sku: product.sku, date, units: unitsSold(product, date) }))
    );
    await recordSales(ctx, { rows });
  }
}

async function readOpen(past: DemoPast): Promise<string[]> {
  const { items } = await pageOfProposals(past.asOwner(), { status: "open", limit: 200 });
  return items.map(({ id }) => id);
}

async function approveAll(past: DemoPast): Promise<void> {
  await decideMany(past.asOwner(), null, { action: "approve", ids: await readOpen(past) });
  await untilIdle(past);
}

async function decideSome(past: DemoPast): Promise<void> {
  const decided = (await readOpen(past)).filter((_, index) => index % 2 === 0);
  const approved = decided.filter((_, index) => index % 3 !== 2);
  const ids = decided.filter((_, index) => index % 3 === 2);
  await decideMany(past.asOwner(), null, { action: "approve", ids: approved });
  await decideMany(past.asOwner(), null, { action: "reject", ids, reason: "Ware läuft aus" });
  await expireProposals(past.store, past.app.clock);
  await untilIdle(past);
}

async function changeByHand(past: DemoPast, compared: readonly DemoProduct[]): Promise<void> {
  const some = compared.filter((_, index) => index % 40 === 7);
  const indexRows = await findIndexRows(past.asOwner(), some.map(({ sku }) => sku));
  for (const [index, { sku, priceCents }] of some.entries()) {
    const id = indexRows.get(sku)?.id;
    if (id === undefined) continue;
    const ourPrice = formatMajor(Math.round(priceCents * 0.97), 2);
    const patch = index % 3 === 0 ? { ourPrice, priceLocked: true } : { ourPrice };
    const options = { expected: null, allowsLargeChange: false, reason: "Vom Einkauf vereinbart" };
    await changeProduct(past.asOwner(), id, patch, options);
  }
  await untilIdle(past);
}

const BEGUN_HOURS = 9;
const ROUND_HOURS = 3;
const SEEN_EVERY_DAYS = 6;
const ROWS_PER_PUSH = 1_000;
/** At one shop, all visits of the last `DOWN_DAYS` days fail. */
const DOWN_DAYS = 3;
const LOST_MOST = 0.05;

const isOfDownShop = ({ shop }: PlacedOffer): boolean => shop.kind === "down";
const isForbidden = ({ path }: PlacedOffer): boolean => path.startsWith("/angebote/");

function visitMs({ now }: DemoPast, { product: { sku } }: PlacedOffer, day: number): number {
  return now.getTime() - day * DAY_MS - BEGUN_HOURS * HOUR_MS +
    chanceOf("hour", sku) * ROUND_HOURS * HOUR_MS;
}

async function seePrices(
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

async function seeLastPrices(past: DemoPast): Promise<void> {
  at(past, (BEGUN_HOURS - ROUND_HOURS) / 24);
  const read = past.offers.filter((offer) => !isOfDownShop(offer) && !isForbidden(offer));
  await push(past, read.map((offer) => ({ offer, at: new Date(visitMs(past, offer, 0)) })));
}

const HTTP_ERROR = {
  kind: "failed",
  errorCode: "http_error",
  message: "The shop answers 503",
} as const;
const DISALLOWED = {
  kind: "failed",
  errorCode: "robots_disallowed",
  message: "robots.txt forbids this page",
} as const;

async function failVisits(
  past: DemoPast,
  day: number,
  fails: (offer: PlacedOffer) => boolean,
): Promise<void> {
  at(past, day + BEGUN_HOURS / 24);
  const ctx = past.asOwner();
  const offers = new Map(past.offers.filter(fails).map((offer) => [offer.url, offer]));
  const skus = new Set(Array.from(offers.values(), ({ product }) => product.sku));
  for (const { id } of (await findIndexRows(ctx, [...skus])).values()) {
    const found = await findProduct(ctx, id);
    for (const live of found ? await listLiveMatches(ctx, id) : []) {
      const offer = offers.get(live.match.url);
      if (!found || !offer) continue;
      const failed = isForbidden(offer) ? DISALLOWED : HTTP_ERROR;
      await transact(ctx, async (write) => {
        await recordFetch(write, ctx, { product: found.product, matchId: live.match.id }, failed);
        await noteHealth(write, ctx, live, failed);
      });
    }
  }
}

async function countVisits(past: DemoPast): Promise<void> {
  const ctx = past.asOwner();
  const { timeZone } = await requireWorkspace(ctx);
  const today = dateIn(past.now, timeZone);
  const offersOf = Map.groupBy(past.offers, ({ domain }) => domain);
  for (const { id: competitorId, domain } of await listCompetitors(ctx, null, null)) {
    const days = new Map<string, { ok: number; failed: number }>();
    for (let day = 0; day < FETCH_DAYS; day++) {
      for (const offer of offersOf.get(domain) ?? []) {
        const date = dateIn(new Date(visitMs(past, offer, day)), timeZone);
        if (date === today || isOfDownShop(offer) && day === DOWN_DAYS - 1) continue;
        const counts = days.getOrInsertComputed(date, () => ({ ok: 0, failed: 0 }));
        counts[isLost(offer, day) ? "failed" : "ok"]++;
      }
    }
    await transact(ctx, (write) => {
      for (const [date, counts] of days) {
        for (const [outcome, count] of [counts.ok, counts.failed].entries()) {
          write.sum(fetchDays.keyOf(ctx, { competitorId, date, outcome }), count);
        }
      }
    });
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

async function push(past: DemoPast, seen: readonly Seen[]): Promise<void> {
  for await (const some of batchesOf(seen, ROWS_PER_PUSH)) {
    const observations = some.map(({ offer, at }) => ({
      sku: offer.product.sku,
      url: offer.url,
      price: formatMajor(shopPriceCents(offer, at), 2),
      currency: "EUR",
      inStock: isInStock(offer, at),
      observedAt: at.toISOString(),
    }));
    await pushObservations(past.asErp(), { observations }, past.config.SCRAPE_ALLOW_PRIVATE);
  }
  await untilIdle(past);
}

/** Imports the file, and waits until the rules have evaluated its products. */
async function importFile(
  past: DemoPast,
  daysAgo: number,
  name: string,
  fileOf: (validFrom: string) => string,
): Promise<void> {
  at(past, daysAgo);
  const ctx = past.asErp();
  const chunks = new Blob([fileOf(dayText(past, daysAgo))]).stream();
  const upload = await receiveFiles(ctx, [{ name, chunks }]);
  const jobId = await startImport(ctx, upload, optionsOfSource(BLANK_DEFAULT), () => "");
  for (let job: ImportJob | null = null; !job || !hasEnded(job);) {
    job = await waitForJob<ImportJob>(ctx, IMPORT_KIND, jobId, 500);
  }
  await untilIdle(past);
}
