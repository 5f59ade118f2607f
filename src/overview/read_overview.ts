/** What a pricing manager looks at first (docs/decisions/rules.md, For the web client). */
import { z } from "@hono/zod-openapi";
import { Alert } from "../alerts/alert.ts";
import { countUnreadAlerts } from "../alerts/alert_store.ts";
import { pageOfAlerts } from "../alerts/read_alerts.ts";
import { walkExport } from "../catalogue/prices/price_history_store.ts";
import { CompetitorHealth, type HealthOf } from "../competitors/competitor.ts";
import { listCompetitors } from "../competitors/competitor_store.ts";
import { ImportSummary } from "../imports/jobs/import_document.ts";
import { pageOfImports } from "../imports/jobs/read_imports.ts";
import type { Context } from "../platform/store/context.ts";
import { findOwners, PriceChangeRow, toRow } from "../price_export/price_change_row.ts";
import { Proposal } from "../proposals/proposal.ts";
import { countOpenProposals } from "../proposals/proposal_store.ts";
import { pageOfProposals } from "../proposals/read_proposals.ts";

const SHOWN = 5;
const DAY_MS = 24 * 3_600_000;
/** More are told as "at least". */
const MOVES_MAX = 5_000;
const OPEN_MAX = 5_000;

export const Overview = z.object({
  imports: z.array(ImportSummary).meta({ description: "The last five, newest first" }),
  priceMoves: z.object({
    up: z.int(),
    down: z.int(),
    isCut: z.boolean().meta({ description: "True when there were more than are counted" }),
    latest: z.array(PriceChangeRow).meta({ description: "Newest first" }),
  }).meta({ description: "Own prices of the last 24 hours that no import moved" }),
  proposals: z.object({
    open: z.int(),
    isCut: z.boolean(),
    oldest: z.array(Proposal).meta({ description: "The open ones that expire first" }),
  }),
  failingDomains: z.array(z.object({
    competitorId: z.string(),
    domain: z.string(),
    displayName: z.string(),
    health: CompetitorHealth,
  })).meta({ description: "Fetched in the last 24 hours and never with success" }),
  alerts: z.object({ unread: z.int(), latest: z.array(Alert) }),
}).meta({ id: "Overview" });

export type Overview = z.infer<typeof Overview>;

export interface OverviewDeps {
  readonly healthOf: HealthOf;
}

export async function readOverview(ctx: Context, deps: OverviewDeps): Promise<Overview> {
  const newest = { limit: SHOWN, order: "desc" } as const;
  const [imports, priceMoves, open, oldest, failingDomains, unread, latest] = await Promise.all([
    pageOfImports(ctx, { limit: SHOWN }),
    readMoves(ctx),
    countOpenProposals(ctx, OPEN_MAX),
    pageOfProposals(ctx, { limit: SHOWN, status: "open" }),
    readFailing(ctx, deps),
    countUnreadAlerts(ctx),
    pageOfAlerts(ctx, newest),
  ]);
  return {
    imports: imports.items,
    priceMoves,
    proposals: { open, isCut: open === OPEN_MAX, oldest: oldest.items },
    failingDomains,
    alerts: { unread, latest: latest.items },
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
  return {
    ...counts,
    isCut: seen > MOVES_MAX,
    latest: latest.map((row) => toRow(row, owners.get(row.productId)?.sku ?? "")),
  };
}

async function readFailing(
  ctx: Context,
  { healthOf }: OverviewDeps,
): Promise<Overview["failingDomains"]> {
  const competitors = (await listCompetitors(ctx, null, null)).filter(({ enabled }) => enabled);
  const healths = await healthOf(ctx, competitors.map(({ id }) => id));
  return competitors.flatMap(({ id, domain, displayName }, position) => {
    const health = healths[position];
    const isFailing = health && health.failed24h > 0 && health.ok24h === 0;
    return isFailing ? [{ competitorId: id, domain, displayName, health }] : [];
  });
}
