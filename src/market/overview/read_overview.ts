/**
 * Reads the figures of the morning page (docs/decisions/rules.md, Alerts and mails). Counts each
 * shop's links with fresh and old prices, and the page visits that are due today. A link is fresh
 * if its price is at most `FRESH_HOURS` old.
 */
import { listObservedCompetitors } from "../../shops/observations/observation_store.ts";
import { clockIn, DAY_MS, HOUR_MS, isoOrNull } from "../../base/time.ts";
import { readWorkspace, requireWorkspace } from "../../accounts/workspace.ts";
import { walkExport } from "../../catalogue/prices/price_rows.ts";
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import {
  arrivedAt,
  findLastImport,
  ImportSummary,
  pageOfImports,
  summaryOf,
} from "../../imports/jobs/import_document.ts";
import { Alert, alerts } from "../../messages/alert_store.ts";
import { pageOfAlerts } from "../../messages/read_alerts.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { Proposal } from "../../rules/proposals/proposal.ts";
import { countOpenProposals, listProposals } from "../../rules/proposals/proposal_store.ts";
import { pageOfProposals } from "../../rules/proposals/read_proposals.ts";
import { listRules } from "../../rules/rule.ts";
import { CompetitorHealth, competitorsById, type HealthOf } from "../../shops/competitor_store.ts";
import { findOwners, PriceChangeRow, toRow } from "../export/export_range.ts";
import { z } from "@hono/zod-openapi";
import { keepNewest } from "../../base/collections.ts";
import { documentPages, listDeletedDocuments } from "../../catalogue/products/product_store.ts";
import { MAX_AGE_HOURS } from "../../engine/pricing/reference.ts";
import { type DueProduct, schedules } from "../../scraping/schedule/schedule.ts";
import { yieldToEventLoop } from "../../platform/event_loop.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { decodeOfferRows, listOfferRows } from "../../shops/offers/offer_store.ts";

const SHOWN = 5;
const MOVES_MAX = 5_000;
const OPEN_MAX = 5_000;

export const Overview = z.object({
  imports: z.array(ImportSummary).describe("The last five, newest first"),
  priceMoves: z.object({
    up: z.int(),
    down: z.int(),
    isCut: z.boolean().describe("True if there are more than were counted"),
    latest: z.array(PriceChangeRow).describe("Newest first"),
  }).describe("Own prices of the last 24 hours that no import moved"),
  proposals: z.object({
    open: z.int().describe("Number of open proposals"),
    isCut: z.boolean().describe("True if there may be more than were counted"),
    oldest: z.array(Proposal).describe("The open ones that were created first"),
  }).describe("Open proposals"),
  failingDomains: z.array(z.object({
    competitorId: z.string(),
    domain: z.string(),
    displayName: z.string(),
    health: CompetitorHealth,
  })).describe("Competitors that were fetched in the last 24 hours without any success"),
  alerts: z.object({
    unread: z.int(),
    latest: z.array(Alert),
  }).describe("Number of unread alerts, and the newest ones"),
  erp: z.object({
    last: ImportSummary.nullable().describe("The last successful import that was no dry run"),
    expectedHours: z.int().nullable().describe("Null: no import is expected"),
    isLate: z.boolean().describe("True if there was no import for longer than that"),
  }).describe("Whether the ERP's file has arrived"),
  start: z.object({
    products: z.int(),
    shops: z.int().describe("Number of enabled competitors"),
    readShops: z.int().describe("Number of those with an observed price"),
    rules: z.int().describe("Number of enabled rules"),
    hasProposal: z.boolean().describe("True if a rule has ever created a proposal"),
    hasDecision: z.boolean().describe("True if a proposal was ever applied or rejected"),
    isOver: z.boolean().describe(
      "True after the first decision, or when a price was observed and an enabled rule only alerts",
    ),
  }).describe("Progress of setting up a new workspace"),
}).meta({ id: "Overview" });

export type Overview = z.infer<typeof Overview>;

export interface OverviewDeps {
  readonly healthOf: HealthOf;
}

export async function readOverview(ctx: Context, deps: OverviewDeps): Promise<Overview> {
  const newest = { limit: SHOWN, order: "desc" } as const;
  const [imports, priceMoves, open, oldest, failingDomains, unread, latest, erp, start] =
    await Promise.all([
      pageOfImports(ctx, { limit: SHOWN, source: null }),
      readMoves(ctx),
      countOpenProposals(ctx, OPEN_MAX),
      pageOfProposals(ctx, { limit: SHOWN, status: "open" }),
      readFailing(ctx, deps),
      alerts.count(ctx, "unread"),
      pageOfAlerts(ctx, newest),
      readErp(ctx),
      readStart(ctx),
    ]);
  return {
    imports: imports.items,
    priceMoves,
    proposals: { open, isCut: open === OPEN_MAX, oldest: oldest.items },
    failingDomains,
    alerts: { unread, latest: latest.items },
    erp,
    start,
  };
}

export async function readErp(
  ctx: WorkspaceStore & Pick<Context, "now">,
): Promise<Overview["erp"]> {
  const [{ workspace }, last] = await Promise.all([readWorkspace(ctx), findLastImport(ctx)]);
  const { importExpectedHours: expectedHours } = workspace;
  const ageMs = ctx.now().getTime() - Date.parse(await arrivedAt(ctx, last, workspace));
  return {
    last: last && await summaryOf(ctx, last),
    expectedHours,
    isLate: expectedHours !== null && ageMs >= expectedHours * HOUR_MS,
  };
}

const isPriced = (type: string) => type === "propose_price" || type === "auto_apply_if_safe";

const DECIDED = ["applied", "rejected", "rolled_back"] as const;

async function readStart(ctx: Context): Promise<Overview["start"]> {
  const [products, shops, rules, proposals, ...decided] = await Promise.all([
    countActiveProducts(ctx),
    enabledShops(ctx),
    listRules(ctx),
    listProposals(ctx, { by: "all" }, null, 1),
    ...DECIDED.map((status) => listProposals(ctx, { by: "status", status }, null, 1)),
  ]);
  const seen = new Set(await listObservedCompetitors(ctx));
  const readShops = shops.filter(({ id }) => seen.has(id)).length;
  const enabled = rules.filter(({ enabled }) => enabled);
  const onlyAlerts = enabled.some(({ actions }) => !actions.some(({ type }) => isPriced(type)));
  const hasDecision = decided.some((found) => found.length > 0);
  return {
    products,
    shops: shops.length,
    readShops,
    rules: enabled.length,
    hasProposal: proposals.length > 0,
    hasDecision,
    isOver: hasDecision || readShops > 0 && onlyAlerts,
  };
}

async function readMoves(ctx: Context): Promise<Overview["priceMoves"]> {
  const fromMs = ctx.now().getTime() - DAY_MS;
  const counts = { up: 0, down: 0 };
  const latest = [];
  let seen = 0;
  for await (const row of walkExport(ctx, { fromMs, newest: true })) {
    if (seen++ === MOVES_MAX) break;
    if (latest.length < SHOWN) latest.push(row);
    const { fromCents, toCents } = row.change;
    if (fromCents === null || toCents === null) continue;
    if (toCents > fromCents) counts.up++;
    if (toCents < fromCents) counts.down++;
  }
  const owners = await findOwners(ctx, latest);
  const { timeZone } = await requireWorkspace(ctx);
  return {
    ...counts,
    isCut: seen > MOVES_MAX,
    latest: latest.map((row) => toRow(row, owners.get(row.productId) ?? null, timeZone)),
  };
}

async function enabledShops(ctx: Context) {
  return [...(await competitorsById(ctx)).values()].filter(({ enabled }) => enabled);
}

async function readFailing(ctx: Context, { healthOf }: OverviewDeps) {
  const shops = await enabledShops(ctx);
  const healths = await Promise.all(shops.map(({ id }) => healthOf(ctx, id)));
  return shops.flatMap(({ id, domain, displayName }, position) => {
    const health = healths[position];
    return health && health.downSince !== null
      ? [{ competitorId: id, domain, displayName, health }]
      : [];
  });
}

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

export interface ShopCounters {
  links: number;
  fresh: number;
  failing: number;
  nextMs: number | null;
  /** Number of page visits planned for each of the next 24 hours; the keys are hours since 1970. */
  readonly due: Map<number, number>;
  readonly seenMs: number[];
}

export function countOffers(
  counts: Map<string, ShopCounters>,
  offers: readonly Offer[],
  nowMs: number,
): void {
  for (const { enabled, competitorId, observedAtMs, checkedAtMs, status } of offers) {
    if (!enabled) continue;
    const count: ShopCounters = counts.get(competitorId) ??
      { links: 0, fresh: 0, failing: 0, seenMs: [], nextMs: null, due: new Map() };
    counts.set(competitorId, count);
    const isFresh = observedAtMs !== null && observedAtMs >= nowMs - FRESH_MS;
    count.links++;
    if (isFresh) count.fresh++;
    else if (status !== null && status !== "ok") count.failing++;
    if (checkedAtMs !== null) count.seenMs.push(checkedAtMs);
  }
}

function countDue(
  counts: ReadonlyMap<string, ShopCounters>,
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

type Counted = Awaited<ReturnType<typeof countAll>>;

type Reader = WorkspaceStore & Pick<Context, "now">;

export class FreshnessCache {
  readonly #known = new Map<string, Promise<Counted>>();

  async read(workspace: Reader): Promise<Counted> {
    const last = await this.#known.get(workspace.workspaceId);
    const nowMs = workspace.now().getTime();
    if (last && last.asOfMs <= nowMs && nowMs < last.keptUntilMs) return last;
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

async function countAll(workspace: Reader) {
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
  const seen = new Map(counts.entries().map(([id, counters]) => [id, seenShop(counters)]));
  return { counts: seen, asOfMs, keptUntilMs: asOfMs + keptMs };
}

function seenShop({ seenMs, ...count }: ShopCounters) {
  seenMs.sort((a, b) => a - b);
  const mostSeenMs = seenMs[Math.floor(seenMs.length / 2)] ?? null;
  return { ...count, lastSeenMs: seenMs.at(-1) ?? null, mostSeenMs };
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
    enabledShops(ctx),
    requireWorkspace(ctx),
  ]);
  const shops = all.filter(({ id }) => counts.has(id));
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
  const planned = new Array<number>(HOURS).fill(0);
  for (const [hour, pages] of due) {
    const { date, time } = clockIn(new Date(hour * HOUR_MS), timeZone);
    const at = Number(time.slice(0, 2));
    if (date === today) planned[at] = (planned[at] ?? 0) + pages;
  }
  return planned;
}
