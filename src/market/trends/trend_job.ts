/**
 * Takes a snapshot of each workspace's market at 23:50 in its time zone (docs/decisions/market.md).
 * If neither yesterday nor today has a snapshot, takes one immediately, and another at 23:50.
 */

import { listWorkspaces, requireWorkspace, type Workspace } from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import {
  clockIn,
  dateIn,
  DAY_MS,
  daysBefore,
  HOUR_MS,
  monthOf,
  monthsBetween,
} from "../../base/time.ts";
import { documentPages, listDocuments } from "../../catalogue/products/product_store.ts";
import { parseProducts } from "../../catalogue/products/product.ts";
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import { type PastProduct, replay } from "../../engine/pricing/backtest.ts";
import { NO_HISTORY, type Situation } from "../../engine/pricing/situation.ts";
import { addJobOnce } from "../../platform/jobs/job_store.ts";
import { type Job, type JobKind, type StepTools, withHeartbeat } from "../../platform/jobs/job.ts";
import { roomLog } from "../../platform/log.ts";
import type { Actor, ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { readPasts } from "../../rules/evaluation/backtest_job.ts";
import { readSurroundings, type Surroundings } from "../../rules/proposals/priced_product.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { ofCompetitor, readOwned } from "../../shops/observations/read_observations.ts";
import { isTooLarge, type MarketCache } from "../current/market_cache.ts";
import { type Reader, rowOf } from "../current/read_market.ts";
import { MarketTable } from "../table/market_table.ts";
import {
  findSnapshotTimes,
  GROUPINGS,
  measure,
  putSeriesDays,
  saveSnapshotTime,
} from "./trend_days.ts";
import { batchesOf } from "../../base/collections.ts";
import { TimeSlice } from "../../platform/event_loop.ts";

export const TREND_KIND = "market_trend";
const CLOCK: Actor = { type: "system", id: "market", name: "Market" };
const log = roomLog("market");

type TrendJob = Job<{ readonly date: string }, Record<string, never>, Record<never, never>>;

export function createTrendKind(tables: MarketCache): JobKind<TrendJob> {
  return {
    kind: TREND_KIND,
    isSerialPerWorkspace: true,
    step: ({ args: { date } }, tools) =>
      withHeartbeat(tools, async (signal) => {
        const isDone = await takeToday(tables, date, tools, signal);
        return isDone
          ? { end: { status: "succeeded" } }
          : { notBefore: new Date(tools.now().getTime() + 5_000) };
      }),
  };
}

/** Returns false if the market table is not loaded yet. */
async function takeToday(
  tables: MarketCache,
  date: string,
  tools: StepTools<TrendJob>,
  signal: AbortSignal,
): Promise<boolean> {
  const { workspaceId } = tools;
  const { timeZone } = await requireWorkspace(tools);
  // If `date` is over, take no snapshot, because it would contain figures of the next day.
  if (dateIn(tools.now(), timeZone) !== date) return true;
  try {
    const { table, asOfMs } = await tables.read(tools);
    const count = await takeTrend(tools, table, { date, takenAtMs: asOfMs }, signal);
    log.info("a day of trends is kept", { workspaceId, date, count });
    return true;
  } catch (error) {
    if (isTooLarge(error)) return true;
    if (error instanceof Failure && error.code === "unavailable") return false;
    throw error;
  }
}

/** Several calls for the same missing snapshot add only one job. */
export async function addTrendJobs(
  setup: { readonly store: Store; readonly clock: ClockAndIds },
  slot: Date,
): Promise<void> {
  for (const workspace of await listWorkspaces(setup.store)) {
    const { store, clock } = setup;
    const ctx = { ...clock, store, workspaceId: workspace.id, actor: CLOCK };
    const past = await findMissingPast(ctx);
    if (past !== null) {
      const planned = { name: PAST_TREND_KIND, slot: new Date(past.until) };
      const job = { ...planned, kind: PAST_TREND_KIND, args: past, stats: {} };
      await transact(ctx, (write) => addJobOnce(write, ctx, job));
    }
    const date = await dueDate(setup, workspace, slot);
    if (date === null) continue;
    const isEvening = clockIn(slot, workspace.timeZone).time >= EVENING;
    const name = `${TREND_KIND} ${isEvening ? "evening" : "missed"}`;
    const job = { name, slot: new Date(date), kind: TREND_KIND, args: { date }, stats: {} };
    await transact(ctx, (write) => addJobOnce(write, ctx, job));
  }
}

async function dueDate(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
  { id: workspaceId, timeZone }: Workspace,
  slot: Date,
): Promise<string | null> {
  const today = dateIn(clock.now(), timeZone);
  const planned = clockIn(slot, timeZone);
  if (planned.date === today && planned.time >= EVENING) return today;
  const workspace = { store, workspaceId };
  if (await countActiveProducts(workspace) === 0) return null;
  const before = daysBefore(today, 1);
  const months = new Set([before, today].map(monthOf));
  const taken = await findSnapshotTimes(workspace, [...months]);
  return taken.has(before) || taken.has(today) ? null : today;
}

/**
 * For a workspace without snapshots, this job computes snapshots of at most 365 past days. A past
 * day's snapshot has the prices of that day, but today's products, links and settings.
 */
export const PAST_TREND_KIND = "market_past";
const EVENING = "23:50";
const OBSERVATION_WINDOW_MS = 49 * HOUR_MS;
const PRODUCTS_PER_READ = 500;

/** `from` and `until` are inclusive. */
interface Stretch {
  readonly from: string;
  readonly until: string;
}

type PastTrendJob = Job<Stretch, { readonly next: string }, Record<never, never>>;

async function findMissingPast(workspace: Reader): Promise<Stretch | null> {
  const { timeZone } = await requireWorkspace(workspace);
  const now = workspace.now();
  const until = daysBefore(dateIn(now, timeZone), 1);
  const earliest = daysBefore(until, 364);
  const taken = await findSnapshotTimes(workspace, monthsBetween(earliest, until));
  if ([...taken.keys()].some((date) => date <= until)) return null;
  if (await countActiveProducts(workspace) === 0) return null;
  const firstMs = await findFirstObservation(workspace);
  if (firstMs === null) return null;
  const first = dateIn(new Date(firstMs), timeZone);
  return first > until ? null : { from: first > earliest ? first : earliest, until };
}

async function findFirstObservation(workspace: Reader): Promise<number | null> {
  const { byId } = await readCompetitorSet(workspace);
  const stretch = {
    fromMs: 0,
    toMs: workspace.now().getTime(),
    order: "asc",
    after: null,
  } as const;
  let firstMs: number | null = null;
  for (const id of byId.keys()) {
    const [first] = await readOwned(workspace, ofCompetitor(id), stretch, 1);
    if (first) firstMs = Math.min(firstMs ?? Infinity, first.atMs);
  }
  return firstMs;
}

export function createPastTrendKind(tables: MarketCache): JobKind<PastTrendJob> {
  return {
    kind: PAST_TREND_KIND,
    isSerialPerWorkspace: true,
    step: ({ args: { from, until }, cursor, progress: { processed } }, tools) =>
      withHeartbeat(tools, async (signal) => {
        const date = cursor?.next ?? until;
        await takePastDay(tools, tables, date, signal);
        const total = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
        const progress = { processed: processed + 1, total };
        return date <= from
          ? { progress, end: { status: "succeeded" } }
          : { progress, cursor: { next: daysBefore(date, 1) } };
      }),
  };
}

async function takePastDay(
  tools: StepTools<PastTrendJob>,
  tables: MarketCache,
  date: string,
  signal: AbortSignal,
): Promise<void> {
  const taken = await findSnapshotTimes(tools, monthsBetween(date, date));
  if (taken.has(date)) return;
  const { timeZone } = await requireWorkspace(tools);
  const evening = Temporal.PlainDateTime.from(`${date}T${EVENING}`);
  const takenAtMs = evening.toZonedDateTime(timeZone).epochMilliseconds;
  const table = new MarketTable((await tables.read(tools)).table.size);
  await fillPast(tools, table, takenAtMs, signal);
  await takeTrend(tools, table, { date, takenAtMs }, signal);
}

async function fillPast(
  tools: StepTools<PastTrendJob>,
  table: MarketTable,
  atMs: number,
  signal: AbortSignal,
): Promise<void> {
  const surroundings = await readSurroundings(tools);
  const window = { fromMs: atMs - OBSERVATION_WINDOW_MS, endMs: atMs + 1 };
  for await (const documents of documentPages(tools, listDocuments, PRODUCTS_PER_READ)) {
    const products = parseProducts(documents.map(({ bytes }) => bytes));
    const byId = new Map(products.map((product) => [product.id, product]));
    for (let left = products; left.length > 0;) {
      signal.throwIfAborted();
      const { pasts, leftAt } = await readPasts(tools, left, window, surroundings);
      for (const past of pasts) {
        const product = byId.get(past.product.id);
        const situation = situationAt(past, surroundings, atMs);
        if (product) table.put(rowOf(situation, product, null, { rules: [] }), atMs);
      }
      left = leftAt === null ? [] : left.filter(({ id }) => id >= leftAt);
    }
  }
}

function situationAt(past: PastProduct, { settings }: Surroundings, nowMs: number): Situation {
  const scenes = replay(past, nowMs + 1, [nowMs]);
  const { offers, ourPriceCents } = scenes.reduce((_, later) => later);
  return {
    product: { ...past.product, ourPriceCents },
    offers: [...offers.values()],
    history: NO_HISTORY,
    settings,
    nowMs,
    mode: "backtest",
  };
}

const SERIES_PER_COMMIT = 300;

/** Stores or replaces the figures of the day `date`. The last commit marks the day as complete. */
export async function takeTrend(
  workspace: WorkspaceStore,
  table: MarketTable,
  { date, takenAtMs }: { readonly date: string; readonly takenAtMs: number },
  signal: AbortSignal,
): Promise<number> {
  const slice = new TimeSlice();
  let count = 0;
  for (const by of GROUPINGS) {
    const measured = await measure(table, by, slice, signal);
    for await (const part of batchesOf(measured, SERIES_PER_COMMIT)) {
      signal.throwIfAborted();
      await transact(workspace, (write) => putSeriesDays(write, workspace, date, part));
    }
    count += measured.length;
  }
  await transact(workspace, (write) => saveSnapshotTime(write, workspace, date, takenAtMs));
  return count;
}
