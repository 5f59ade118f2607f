/** Takes daily snapshots of market positions, and reads their trend. */

import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { batchesOf } from "../../base/collections.ts";
import { refuseFields } from "../../base/failure.ts";
import { fold } from "../../base/text.ts";
import { dateIn, dayOf, daysBefore, monthOf, monthsBetween } from "../../base/time.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import type { MarketCache } from "../current/market_cache.ts";
import type { MarketTable } from "../table/market_table.ts";
import {
  addInSlices,
  type SummaryDimension,
  type SummaryGroup,
  SummaryPass,
  type SummarySum,
} from "../table/summary.ts";
import { equal, type RowTest } from "../table/table_page.ts";
import {
  dimensionOf,
  findDays,
  findSeriesDays,
  findSnapshotTimes,
  GROUPINGS,
  saveSeriesDays,
  saveSnapshotTime,
  type Series,
  takeMonth,
} from "./trend_days.ts";

const PAIR_PRODUCTS_MIN = 5;
const SERIES_PER_COMMIT = 300;

/** Replaces earlier figures of the day `date`. The last commit marks the day as complete. */
export async function takeTrend(
  workspace: WorkspaceStore,
  table: MarketTable,
  { date, takenAtMs }: { readonly date: string; readonly takenAtMs: number },
  signal: AbortSignal,
): Promise<number> {
  const [month, day] = [monthOf(date), dayOf(date)];
  const slice = new TimeSlice();
  let count = 0;
  for (const by of GROUPINGS) {
    const measured = await measure(table, by, slice, signal);
    for await (const part of batchesOf(measured, SERIES_PER_COMMIT)) {
      signal.throwIfAborted();
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

export async function measure(
  table: MarketTable,
  by: readonly SummaryDimension[],
  slice: Pick<TimeSlice, "yield">,
  signal: AbortSignal,
) {
  const pass = new SummaryPass(table, by);
  await addInSlices(pass, table, { testOf: () => () => true, slice, signal });
  const isPair = by.length > 1;
  const isKept = ({ brand, category, products }: SummarySum) =>
    (brand !== 0 || !by.includes("brand")) && (category !== 0 || !by.includes("category")) &&
    (!isPair || products >= PAIR_PRODUCTS_MIN);
  return pass.groups(4_000, isKept).map((group) => {
    const { brand, category, competitorId } = group;
    const series: Series = {
      ...(typeof brand === "string" && { brand }),
      ...(typeof category === "string" && { category }),
      ...(competitorId !== undefined && { competitorId }),
    };
    return { series, group };
  });
}

export const TrendQuery = z.strictObject({
  days: z.enum(["30", "90", "365"]).default("30").meta({ type: "string" }),
  brand: z.string().max(300).optional().describe("Only this brand"),
  category: z.string().max(300).optional().describe("Only this category"),
  competitorId: z.string().regex(/^[0-9a-f]{24}$/, "Must be an id").optional()
    .describe("Compared only with this competitor; at most two of the three parameters"),
  by: z.enum(["category"]).optional().describe("Adds `groups`"),
});

const LARGEST = 50;

const Point = z.object({
  date: z.iso.date().describe("In the workspace's time zone"),
  compared: z.int(),
  cheapest: z.int(),
  middle: z.int(),
  dearest: z.int(),
  indexPct: z.number().nullable(),
  takenAt: z.iso.datetime(),
});
type Point = z.output<typeof Point>;

export const MarketTrend = z.object({
  points: z.array(Point).describe("Days, oldest first, ending now; missing days are gaps"),
  groups: z.array(z.object({
    category: z.string(),
    last: Point.describe("The figures of that day"),
  })).optional().describe(
    `The last day before today with at least ${PAIR_PRODUCTS_MIN} compared products, of each of ` +
      `the ${LARGEST} largest categories that has one`,
  ),
}).meta({ id: "MarketTrend" });

/** Throws `validation_failed` if trends are never stored for this combination of filters. */
export async function readTrend(
  ctx: Context,
  tables: MarketCache,
  { days, by, ...asked }: z.output<typeof TrendQuery>,
): Promise<z.output<typeof MarketTrend>> {
  const series = seriesOf(asked);
  if ((by && asked.category) || dimensionOf(by ? { ...series, category: "" } : series) === null) {
    const message = "Daily figures exist for at most two of brand, category and competitor";
    throw refuseFields([{ path: by ? "by" : "brand", message }]);
  }
  const { timeZone } = await requireWorkspace(ctx);
  const now = ctx.now();
  const today = dateIn(now, timeZone);
  const from = daysBefore(today, Number(days));
  const months = monthsBetween(from, today);
  const [figures, times, { table, asOfMs }] = await Promise.all([
    findDays(ctx, months, series),
    findSnapshotTimes(ctx, months),
    tables.read(ctx),
  ]);
  const pointsOf = (figures: DaysOfSeries): Point[] =>
    [...figures].flatMap(([date, { cheapest, middle, dearest, indexPct }]) => {
      const takenAtMs = times.get(date);
      if (takenAtMs === undefined || date < from || date >= today) return [];
      const compared = cheapest + middle + dearest;
      const takenAt = new Date(takenAtMs).toISOString();
      return [{ date, compared, cheapest, middle, dearest, indexPct, takenAt }];
    }).sort((a, b) => a.date < b.date ? -1 : 1);
  const points = pointsOf(figures);
  const slice = new TimeSlice();
  const group = await measureNow(table, series, slice);
  const isPair = Object.keys(series).length > 1;
  if (isPair && points.length === 0 && (group?.products ?? 0) < PAIR_PRODUCTS_MIN) {
    const [path = ""] = Object.keys(series);
    const message = `Days are kept of pairs with at least ${PAIR_PRODUCTS_MIN} products`;
    throw refuseFields([{ path, message }]);
  }
  const { compared = 0, cheapest = 0, middle = 0, dearest = 0, indexPct = null } = group ?? {};
  const shares = { compared, cheapest, middle, dearest, indexPct };
  points.push({ date: today, ...shares, takenAt: new Date(asOfMs).toISOString() });
  if (by === undefined) return { points };
  const groups = (await largestCategories(table, slice)).map(async (category) => {
    const days = pointsOf(await findDays(ctx, months, { ...series, category }));
    const last = days.findLast((one) => one.compared >= PAIR_PRODUCTS_MIN);
    return last ? [{ category, last }] : [];
  });
  return { points, groups: (await Promise.all(groups)).flat() };
}

type DaysOfSeries = Awaited<ReturnType<typeof findDays>>;

async function largestCategories(table: MarketTable, slice: TimeSlice): Promise<string[]> {
  const pass = new SummaryPass(table, ["category"]);
  await addInSlices(pass, table, { testOf: () => () => true, slice });
  return pass.groups(LARGEST, ({ category }) => category !== 0)
    .flatMap(({ category }) => category ?? []);
}

function seriesOf({ brand, category, competitorId }: Series): Series {
  return {
    ...(brand && { brand }),
    ...(category && { category }),
    ...(competitorId && { competitorId }),
  };
}

export async function measureNow(
  table: MarketTable,
  { brand, category, competitorId }: Series,
  slice: Pick<TimeSlice, "yield">,
): Promise<SummaryGroup | null> {
  const testOf = (): RowTest => {
    const tests = [
      ...(brand === undefined ? [] : [equal(table, "brand", fold(brand))]),
      ...(category === undefined ? [] : [equal(table, "category", fold(category))]),
    ];
    return (row) => tests.every((test) => test(row));
  };
  const shop = competitorId === undefined ? null : table.list("competitor").find(competitorId);
  if (shop === 0) return null;
  const pass = new SummaryPass(table, shop === null ? [] : ["competitor"], shop);
  await addInSlices(pass, table, { testOf, slice });
  return pass.groups()[0] ?? null;
}
