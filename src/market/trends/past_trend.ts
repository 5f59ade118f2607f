/**
 * Works out the past days of the trend, once for a workspace that has observations and no days yet: a demo, a
 * workspace file, an upgrade. A step of the job is one day, from yesterday back to the first observation
 * or a year, so the newest days come first and a killed day is repeated. Days that were taken stay.
 *
 * The position of a day is computed for 23:50 from today's products, links and settings, with the
 * own prices and observations of that time.
 */

import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { clockIn, dateIn, DAY_MS, daysBefore, HOUR_MS, monthsBetween } from "../../base/time.ts";
import { listDocuments } from "../../catalogue/products/product_store.ts";
import { countActiveProducts } from "../../catalogue/products/version_counter_store.ts";
import { parseProducts } from "../../catalogue/products/product_wire.ts";
import {
  firstScene,
  momentsOf,
  type PastProduct,
  sceneAfter,
} from "../../engine/pricing/backtest.ts";
import { NO_HISTORY, type Situation } from "../../engine/pricing/situation.ts";
import { type Job, type JobKind, type StepTools, withHeartbeat } from "../../platform/jobs/job.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { readPasts } from "../../rules/evaluation/past_reader.ts";
import { readSurroundings, type Surroundings } from "../../rules/evaluation/situation_reader.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { readCompetitor } from "../../shops/observations/read_stretch.ts";
import type { MarketCache } from "../current/market_cache.ts";
import { rowOf } from "../current/read_market.ts";
import { MarketTable } from "../table/market_table.ts";
import { takeTrend } from "./take_trend.ts";
import { findSnapshotTimes } from "./trend_days.ts";

export const PAST_TREND_KIND = "market_past";
export const EVENING = "23:50";
/** Longer than a price counts. */
const WINDOW_MS = 49 * HOUR_MS;
const PRODUCTS_PER_READ = 500;

/** Dates, both included. */
interface Stretch {
  readonly from: string;
  readonly until: string;
}

type PastTrendJob = Job<Stretch, { readonly next: string }, Record<never, never>>;
type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

/** The days to work out; null where days are there, or nothing was observed before today. */
export async function findMissingPast(workspace: Reader): Promise<Stretch | null> {
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
    const [first] = await readCompetitor(workspace, id, stretch, 1);
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

/** Throws `market_too_large` if today's table has no room either. */
async function takePastDay(
  tools: StepTools<PastTrendJob>,
  tables: MarketCache,
  date: string,
  signal: AbortSignal,
): Promise<void> {
  const taken = await findSnapshotTimes(tools, monthsBetween(date, date));
  if (taken.has(date)) return;
  const { timeZone } = await requireWorkspace(tools);
  const takenAtMs = eveningOf(date, timeZone);
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
  const window = { fromMs: atMs - WINDOW_MS, endMs: atMs + 1 };
  for (let after: string | null = null;;) {
    const documents = await listDocuments(tools, after, PRODUCTS_PER_READ);
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
    after = documents.at(-1)?.id ?? null;
    if (documents.length < PRODUCTS_PER_READ) return;
  }
}

function situationAt(past: PastProduct, { settings }: Surroundings, nowMs: number): Situation {
  const moments = momentsOf(past, [], nowMs + 1);
  const { offers, ourPriceCents } = moments.reduce(sceneAfter, firstScene(past));
  return {
    product: { ...past.product, ourPriceCents },
    offers: [...offers.values()],
    history: NO_HISTORY,
    settings,
    nowMs,
    mode: "backtest",
  };
}

/** When it is 23:50 on the date, in milliseconds. */
function eveningOf(date: string, timeZone: string): number {
  const wantedMs = Date.parse(`${date}T${EVENING}Z`);
  const shown = clockIn(new Date(wantedMs), timeZone);
  const aheadMs = Date.parse(`${shown.date}T${shown.time}Z`) - wantedMs;
  return wantedMs - aheadMs;
}
