/**
 * Takes a snapshot of each workspace's market at 23:50 in its time zone. If yesterday's snapshot is
 * missing, the process probably does not run at that time: then a snapshot is taken immediately,
 * and a later one in the evening replaces it (docs/decisions/market.md).
 */

import type { Workspace } from "../../accounts/workspace.ts";
import { listWorkspaces, requireWorkspace } from "../../accounts/workspace_store.ts";
import { Failure } from "../../base/failure.ts";
import { clockIn, dateIn, daysBefore, monthOf } from "../../base/time.ts";
import { countActiveProducts } from "../../catalogue/products/version_counter_store.ts";
import { addJobOnce } from "../../platform/jobs/add_job.ts";
import {
  type Job,
  type JobKind,
  type StepResult,
  type StepTools,
  withHeartbeat,
} from "../../platform/jobs/job.ts";
import { roomLog } from "../../platform/log.ts";
import type { Actor, ClockAndIds } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { isTooLarge } from "../current/kept_table.ts";
import type { MarketCache } from "../current/market_cache.ts";
import { MarketCounters } from "../market_counters.ts";
import { EVENING, findMissingPast, PAST_TREND_KIND } from "./past_trend.ts";
import { takeTrend } from "./take_trend.ts";
import { findSnapshotTimes } from "./trend_days.ts";

const KIND = "market_trend";
const CLOCK: Actor = { type: "system", id: "market", name: "Market" };
const log = roomLog("market");

type TrendJob = Job<{ readonly date: string }, Record<string, never>, Record<never, never>>;

/** The job kind of daily snapshots; a workspace runs one job at a time. */
export function createTrendKind(
  tables: MarketCache,
  counters: MarketCounters = new MarketCounters(),
): JobKind<TrendJob> {
  return {
    kind: KIND,
    isSerialPerWorkspace: true,
    step: ({ args }, tools) =>
      withHeartbeat(tools, async (signal) => {
        const { outcome, result } = await takeStep(tables, args.date, tools, signal);
        if (outcome !== null) counters.trendDays[outcome]++;
        return result;
      }),
  };
}

/** `outcome` is null if the day needs another step. */
interface Step {
  readonly outcome: keyof MarketCounters["trendDays"] | null;
  readonly result: StepResult<TrendJob>;
}

const DONE: StepResult<TrendJob> = { end: { status: "succeeded" } };
const SKIPPED: Step = { outcome: "skipped", result: DONE };

async function takeStep(
  tables: MarketCache,
  date: string,
  tools: StepTools<TrendJob>,
  signal: AbortSignal,
): Promise<Step> {
  const { workspaceId } = tools;
  const { timeZone } = await requireWorkspace(tools);
  // After midnight the figures would belong to the next day, so the day stays empty.
  if (dateIn(tools.now(), timeZone) !== date) return SKIPPED;
  try {
    const { table, asOfMs } = await tables.read(tools);
    const count = await takeTrend(tools, table, { date, takenAtMs: asOfMs }, signal);
    log.info("a day of trends is kept", { workspaceId, date, count });
    return { outcome: "taken", result: DONE };
  } catch (error) {
    if (isTooLarge(error)) return SKIPPED;
    if (!(error instanceof Failure) || error.code !== "unavailable") throw error;
    const result = { notBefore: new Date(tools.now().getTime() + 5_000) };
    return { outcome: null, result };
  }
}

/** Adds the jobs that are due at a planned time; repeating it adds nothing. */
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
    const name = `${KIND} ${isEvening ? "evening" : "missed"}`;
    const job = { name, slot: new Date(date), kind: KIND, args: { date }, stats: {} };
    await transact(ctx, (write) => addJobOnce(write, ctx, job));
  }
}

/** Returns the day for which a snapshot must be taken now; null if there is none. */
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
