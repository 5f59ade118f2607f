/** Takes the day's snapshot of all groups' market positions. */

import { dayOf, monthOf } from "../../base/time.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import type { MarketTable } from "../table/market_table.ts";
import {
  addInTurns,
  type SummaryDimension,
  type SummaryGroup,
  SummaryPass,
  type SummarySum,
} from "../table/summary.ts";
import {
  findSeriesDays,
  saveSeriesDays,
  saveSnapshotTime,
  type Series,
  takeMonth,
} from "./trend_days.ts";

/** Minimum number of products of a group with two dimensions. */
export const PAIR_PRODUCTS_MIN = 5;
/** Maximum number of groups with one dimension; the largest are kept. */
const SERIES_MAX = 4_000;
/** Number of rows that a commit reads and writes. */
const SERIES_PER_COMMIT = 300;

export const GROUPINGS: readonly (readonly SummaryDimension[])[] = [
  [],
  ["competitor"],
  ["brand"],
  ["category"],
  ["brand", "competitor"],
  ["category", "competitor"],
  ["brand", "category"],
];

export interface Measured {
  readonly series: Series;
  readonly group: SummaryGroup;
}

interface Snapshot {
  /** A day in the workspace's time zone, such as `2026-11-21`. */
  readonly date: string;
  readonly takenAtMs: number;
}

/**
 * Writes the day into all series, replacing earlier figures of the day. The day is valid only after
 * the last commit; after an interruption all of it is written again. Returns the number of series;
 * `signal` aborts it.
 */
export async function takeTrend(
  workspace: WorkspaceStore,
  table: MarketTable,
  { date, takenAtMs }: Snapshot,
  signal: AbortSignal,
): Promise<number> {
  const [month, day] = [monthOf(date), dayOf(date)];
  const slice = new TimeSlice();
  let count = 0;
  for (const by of GROUPINGS) {
    const measured = await measure(table, by, slice, signal);
    for (let at = 0; at < measured.length; at += SERIES_PER_COMMIT) {
      signal.throwIfAborted();
      const part = measured.slice(at, at + SERIES_PER_COMMIT);
      await transact(workspace, async (write) => {
        await takeMonth(write, workspace, month);
        const months = await findSeriesDays(workspace, month, part.map(({ series }) => series));
        for (const [n, { series, group }] of part.entries()) {
          const days = months[n] ?? new Map();
          const { cheapest, middle, dearest, indexPct } = group;
          days.set(day, { cheapest, middle, dearest, indexPct });
          saveSeriesDays(write, workspace.workspaceId, month, series, days);
        }
      });
    }
    count += measured.length;
  }
  await transact(workspace, (write) => saveSnapshotTime(write, workspace, date, takenAtMs));
  return count;
}

/** Returns the stored rows of one grouping, largest groups first. */
export async function measure(
  table: MarketTable,
  by: readonly SummaryDimension[],
  slice: Pick<TimeSlice, "yield">,
  signal: AbortSignal,
): Promise<Measured[]> {
  const pass = new SummaryPass(table, by);
  await addInTurns(pass, table, { testOf: () => () => true, slice, signal });
  const isPair = by.length > 1;
  // Products without a brand or category form no group.
  const isKept = ({ brand, category, products }: SummarySum) =>
    (brand !== 0 || !by.includes("brand")) && (category !== 0 || !by.includes("category")) &&
    (!isPair || products >= PAIR_PRODUCTS_MIN);
  return pass.groups(SERIES_MAX, isKept).map((group): Measured => {
    const { brand, category, competitorId } = group;
    const series = {
      ...(typeof brand === "string" && { brand }),
      ...(typeof category === "string" && { category }),
      ...(competitorId !== undefined && { competitorId }),
    };
    return { series, group };
  });
}
