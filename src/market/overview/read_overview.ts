/** Reads figures for overview and morning mail (docs/decisions/rules.md, Alerts and mails). */
import { listObservedCompetitors } from "../../shops/observations/observation_store.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { readWorkspace, requireWorkspace } from "../../accounts/workspace.ts";
import { walkExport } from "../../catalogue/prices/price_rows.ts";
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import {
  findLastImport,
  importedAt,
  ImportSummary,
  pageOfImports,
  summaryOf,
} from "../../imports/jobs/import_document.ts";
import { Alert, alerts } from "../../messages/alert_store.ts";
import { pageOfAlerts } from "../../messages/read_alerts.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { Proposal, type StoredProposal } from "../../rules/proposals/proposal.ts";
import { countOpenProposals, listProposals } from "../../rules/proposals/proposal_store.ts";
import { pageOfProposals } from "../../rules/proposals/read_proposals.ts";
import { listRules } from "../../rules/rule.ts";
import { CompetitorHealth, type HealthOf, listCompetitors } from "../../shops/competitor_store.ts";
import { findOwners, PriceChangeRow, toRow } from "../export/export_range.ts";
import { z } from "@hono/zod-openapi";
import { isTooLarge, type MarketCache } from "../current/market_cache.ts";
import { summarise, type SummaryGroup } from "../table/summary.ts";
import type { MoveGroup } from "../moves/list_moves.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { type FreshnessCache, readShopFreshness } from "./shop_freshness.ts";

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
    oldest: z.array(Proposal).describe("The open ones that expire first"),
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

async function readErp(ctx: WorkspaceStore & Pick<Context, "now">): Promise<Overview["erp"]> {
  const [{ workspace }, last] = await Promise.all([readWorkspace(ctx), findLastImport(ctx)]);
  const { importExpectedHours: expectedHours } = workspace;
  const ageMs = ctx.now().getTime() - Date.parse(importedAt(last, workspace));
  return {
    last: last && await summaryOf(ctx, last),
    expectedHours,
    isLate: expectedHours !== null && ageMs >= expectedHours * HOUR_MS,
  };
}

const isPriced = (type: string) => type === "propose_price" || type === "auto_apply_if_safe";

const DECIDED = ["applied", "rejected", "rolled_back"] as const;

async function readStart(ctx: Context): Promise<Overview["start"]> {
  const [products, competitors, rules, proposals, ...decided] = await Promise.all([
    countActiveProducts(ctx),
    listCompetitors(ctx, null, null),
    listRules(ctx),
    listProposals(ctx, { by: "all" }, null, 1),
    ...DECIDED.map((status) => listProposals(ctx, { by: "status", status }, null, 1)),
  ]);
  const shops = competitors.filter(({ enabled }) => enabled);
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

async function readFailing(ctx: Context, { healthOf }: OverviewDeps) {
  const competitors = (await listCompetitors(ctx, null, null)).filter(({ enabled }) => enabled);
  const healths = await Promise.all(competitors.map(({ id }) => healthOf(ctx, id)));
  return competitors.flatMap(({ id, domain, displayName }, position) => {
    const health = healths[position];
    return health && health.downSince !== null
      ? [{ competitorId: id, domain, displayName, health }]
      : [];
  });
}

const PROPOSALS_SHOWN = 5;
const MOVES_SHOWN = 8;
const PROPOSALS_PER_READ = 1_000;

export type MorningMove = Pick<
  z.infer<typeof MoveGroup>,
  "kind" | "competitor" | "category" | "products" | "changePct"
>;

interface MorningMoves {
  readonly groups?: readonly MorningMove[] | undefined;
  readonly total: number;
}

export interface MorningDeps {
  readonly healthOf: HealthOf;
  readonly freshness: FreshnessCache;
  readonly tables: MarketCache;
  movesOf(ctx: Context, since: string): Promise<MorningMoves>;
}

export interface MorningFacts {
  readonly position:
    | Pick<SummaryGroup, "compared" | "cheapest" | "middle" | "dearest" | "indexPct">
    | null;
  readonly open: number;
  readonly expiring: number;
  readonly proposals: readonly Pick<
    StoredProposal,
    "sku" | "productTitle" | "currentCents" | "proposedCents" | "currency"
  >[];
  /** The setting `importExpectedHours` if the next import is overdue; otherwise null. */
  readonly lateHours: number | null;
  readonly failingShops: readonly string[];
  readonly moves: Required<MorningMoves>;
}

export async function readMorning(ctx: Context, deps: MorningDeps): Promise<MorningFacts> {
  const nowMs = ctx.now().getTime();
  const [{ workspace }, erp, shops, open, position, moves] = await Promise.all([
    readWorkspace(ctx),
    readErp(ctx),
    readShopFreshness(ctx, deps),
    readOpen(ctx),
    readPosition(ctx, deps.tables),
    deps.movesOf(ctx, new Date(nowMs - DAY_MS).toISOString()),
  ]);
  const endOfDay = endOfDayMs(nowMs, workspace.timeZone);
  return {
    position,
    open: open.length,
    expiring: open.filter(({ expiresAt }) => Date.parse(expiresAt) < endOfDay).length,
    proposals: open.toSorted((a, b) => moneyOf(b) - moneyOf(a)).slice(0, PROPOSALS_SHOWN),
    lateHours: erp.isLate ? erp.expectedHours : null,
    failingShops: shops.items.filter(({ downSince }) => downSince !== null)
      .map(({ displayName }) => displayName),
    moves: { total: moves.total, groups: moves.groups?.slice(0, MOVES_SHOWN) ?? [] },
  };
}

function moneyOf({ currentCents, proposedCents }: StoredProposal): number {
  return Math.abs(proposedCents - currentCents);
}

function endOfDayMs(nowMs: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone)
    .startOfDay().add({ days: 1 }).epochMilliseconds;
}

async function readOpen(ctx: Context): Promise<StoredProposal[]> {
  const index = { by: "status", status: "open" } as const;
  const pages = pagesOf((...at) => listProposals(ctx, index, ...at), idOf, PROPOSALS_PER_READ);
  return (await Array.fromAsync(pages)).flat();
}

async function readPosition(ctx: Context, tables: MarketCache): Promise<MorningFacts["position"]> {
  try {
    const { table } = await tables.read(ctx);
    const [all] = summarise(table, [], () => true);
    return all ?? null;
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw error;
  }
}
