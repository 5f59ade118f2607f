import { DAY_MS } from "../../base/time.ts";
import type { HealthOf } from "../../shops/competitor.ts";
import { readWorkspace } from "../../accounts/workspace_store.ts";
import { isTooLarge } from "../current/kept_table.ts";
import type { MarketCache } from "../current/market_cache.ts";
import { summarise, type SummaryGroup } from "../table/summary.ts";
import type { MoveKind } from "../../shops/observations/move_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { idOf, pagesOf } from "../../platform/store/pages_of.ts";
import type { StoredProposal } from "../../rules/proposals/proposal.ts";
import { listProposals } from "../../rules/proposals/proposal_store.ts";
import { readErp } from "./read_overview.ts";
import { type FreshnessCache, readShopFreshness } from "./shop_freshness.ts";

const PROPOSALS_SHOWN = 5;
const MOVES_SHOWN = 8;
const PROPOSALS_PER_READ = 1_000;

export interface MorningMove {
  readonly kind: MoveKind;
  readonly competitor: string;
  readonly category: string | null;
  readonly products: number;
  readonly changePct: number | null;
}

interface MorningMoves {
  readonly groups: readonly MorningMove[];
  readonly total: number;
}

type MovesOf = (ctx: Context, since: string) => Promise<MorningMoves>;

export interface MorningDeps {
  readonly healthOf: HealthOf;
  readonly freshness: FreshnessCache;
  readonly tables: MarketCache;
  readonly movesOf: MovesOf;
}

export interface MorningFacts {
  /** Null if the market table has no room. */
  readonly stand:
    | Pick<SummaryGroup, "compared" | "cheapest" | "middle" | "dearest" | "indexPct">
    | null;
  readonly open: number;
  readonly expiring: number;
  readonly proposals: readonly MorningProposal[];
  /** The allowed hours without an import, if an import is overdue. */
  readonly lateHours: number | null;
  readonly failingShops: readonly string[];
  readonly moves: MorningMoves;
}

interface MorningProposal
  extends Pick<StoredProposal, "sku" | "currentCents" | "proposedCents" | "currency"> {
  readonly title: string;
}

export async function readMorning(ctx: Context, deps: MorningDeps): Promise<MorningFacts> {
  const nowMs = ctx.now().getTime();
  const [{ workspace }, erp, shops, open, stand, moves] = await Promise.all([
    readWorkspace(ctx),
    readErp(ctx),
    readShopFreshness(ctx, deps),
    readOpen(ctx),
    readStand(ctx, deps.tables),
    deps.movesOf(ctx, new Date(nowMs - DAY_MS).toISOString()),
  ]);
  const endOfDay = endOfDayMs(nowMs, workspace.timeZone);
  return {
    stand,
    open: open.length,
    expiring: open.filter(({ expiresAt }) => Date.parse(expiresAt) < endOfDay).length,
    proposals: open.toSorted((a, b) => moneyOf(b) - moneyOf(a)).slice(0, PROPOSALS_SHOWN)
      .map(({ productTitle, ...proposal }) => ({ ...proposal, title: productTitle ?? "" })),
    lateHours: erp.isLate ? erp.expectedHours : null,
    failingShops: shops.items.filter(({ downSince }) => downSince !== null)
      .map(({ displayName }) => displayName),
    moves: { ...moves, groups: moves.groups.slice(0, MOVES_SHOWN) },
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

async function readStand(ctx: Context, tables: MarketCache): Promise<MorningFacts["stand"]> {
  try {
    const { table } = await tables.read(ctx);
    const [all] = summarise(table, [], () => true);
    return all ?? null;
  } catch (error) {
    // The mail then lacks the market position.
    if (isTooLarge(error)) return null;
    throw error;
  }
}
