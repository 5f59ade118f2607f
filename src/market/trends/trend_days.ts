/**
 * Stores the market positions of each day, and reads their trend. A row contains one month of one
 * series (a group of products). A day is incomplete until the row with the dimension "at" contains
 * the time of its snapshot.
 */

import { putNumber, sha256, takeNumber } from "../../base/bytes.ts";
import { fold } from "../../base/text.ts";
import {
  dateIn,
  dateOf,
  dayOf,
  daysBefore,
  MINUTE_MS,
  monthOf,
  monthsBetween,
} from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  summarise,
  type SummaryDimension,
  type SummaryGroup,
  type SummarySum,
} from "../table/summary.ts";
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { refuseFields } from "../../base/failure.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { MarketCache } from "../current/market_cache.ts";
import type { MarketTable } from "../table/market_table.ts";
import { equal, type RowTest } from "../table/table_page.ts";

interface TrendPlace {
  /** Year and month, for example `202611`. */
  readonly month: number;
  readonly dimension: string;
  /** First 16 bytes of the SHA-256 hash of brand, category and competitor id; empty for "at". */
  readonly value: Uint8Array;
}

export const trends = defineTable<
  TrendPlace & { readonly bytes: Uint8Array },
  "month" | "dimension" | "value"
>({
  prefix: "mkd",
  about:
    "the daily market position of a group of products in a month, or the times at which the days of the month were recorded, as bytes",
  key: { month: "number", dimension: "text", value: "bytes" },
  value: "bytes",
  keep: {
    what: "days of market trends (whole months)",
    days: 400,
    isOld: ({ month }, before) => month < monthOf(before.toISOString()),
    isInOrder: true,
  },
  check: ({ month, dimension, bytes }) => {
    const days = decodeDays(bytes, dimension === "at" ? 1 : FIGURES);
    const isMonth = [...days.keys()].every((day) => day >= 1 && day <= 31);
    return bytes.length > 0 && isMonth
      ? null
      : `The trends of ${month} have a row of "${dimension}" with invalid days`;
  },
});

export const GROUPINGS: readonly (readonly SummaryDimension[])[] = [
  [],
  ["competitor"],
  ["brand"],
  ["category"],
  ["brand", "competitor"],
  ["category", "competitor"],
  ["brand", "category"],
];

/** A group of products; a field that is absent or null does not restrict the group. */
type Series = Pick<SummaryGroup, "brand" | "category" | "competitorId">;

const DAY_MINUTES = 1_440;
const NO_VALUE = new Uint8Array();

function fieldsOf(series: Series) {
  const fields = ["brand", "category", "competitorId"] as const;
  return fields.filter((name) => typeof series[name] === "string");
}

/** Returns null if trends are never stored for this combination of fields. */
function dimensionOf(series: Series): string | null {
  const by = fieldsOf(series).join(" ").replace("competitorId", "competitor");
  if (!GROUPINGS.some((known) => known.join(" ") === by)) return null;
  return by.replace("competitor", "shop") || "total";
}

function placeOf(month: number, series: Series): TrendPlace {
  const { brand, category, competitorId } = series;
  const dimension = dimensionOf(series);
  if (dimension === null) throw new Error("No days are kept of such a series");
  const named = [brand, category].map((text) => typeof text === "string" ? fold(text) : null);
  const hash = sha256(JSON.stringify([...named, competitorId ?? null]));
  return { month, dimension, value: hash.slice(0, 16) };
}

const timesOf = (month: number): TrendPlace => ({ month, dimension: "at", value: NO_VALUE });

async function findByDate(workspace: WorkspaceStore, places: readonly TrendPlace[], size: number) {
  const rows = await trends.getMany(workspace, places);
  return new Map(rows.flatMap((found) => {
    if (!found) return [];
    const { month, bytes } = found.row;
    return [...decodeDays(bytes, size)].map(([day, value]) => [dateOf(month, day), value] as const);
  }));
}

export async function findSnapshotTimes(workspace: WorkspaceStore, months: readonly number[]) {
  const times = await findByDate(workspace, months.map(timesOf), 1);
  return new Map(
    times.entries().map(([date, [minutes = 0]]) => [
      date,
      Date.parse(date) + (minutes - DAY_MINUTES) * MINUTE_MS,
    ]),
  );
}

/** Of two simultaneous commits for the same month, one fails. */
export async function putSeriesDays(
  write: Write,
  workspace: WorkspaceStore,
  date: string,
  measured: readonly SummaryGroup[],
): Promise<void> {
  const month = monthOf(date);
  const whole = placeOf(month, {});
  const found = await trends.find(workspace, whole);
  if (found) trends.save(write, workspace, found, found.row);
  else trends.check(write, workspace, whole, null);
  const places = measured.map((group) => placeOf(month, group));
  const rows = await trends.getMany(workspace, places);
  for (const [n, { cheapest, middle, dearest, indexPct }] of measured.entries()) {
    const days = decodeDays(rows[n]?.row.bytes ?? NO_VALUE, FIGURES);
    const index = indexPct === null ? 0 : Math.round(indexPct * 100) + 1;
    const bytes = encodeDays(days.set(dayOf(date), [cheapest, middle, dearest, index]));
    trends.put(write, workspace, { ...places[n] ?? whole, bytes });
  }
}

export async function saveSnapshotTime(
  write: Write,
  workspace: WorkspaceStore,
  date: string,
  takenAtMs: number,
): Promise<void> {
  const place = timesOf(monthOf(date));
  const found = await trends.find(workspace, place);
  const minutes = Math.floor((takenAtMs - Date.parse(date)) / MINUTE_MS) + DAY_MINUTES;
  const days = decodeDays(found?.row.bytes ?? NO_VALUE, 1);
  const bytes = encodeDays(days.set(dayOf(date), [Math.max(0, minutes)]));
  trends.save(write, workspace, found, { ...place, bytes });
}

/**
 * Each day has four figures: the number of products for which we are cheapest, in the middle, and
 * dearest; and the price index. An index of 98.5 % is stored as 9850 + 1, because 0 means no index.
 */
const FIGURES = 4;
type DayNumbers = readonly number[];

/** The keys of `days` are days of the month (1 to 31). */
export function encodeDays(days: ReadonlyMap<number, DayNumbers>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const [day, numbers] of [...days].sort(([a], [b]) => a - b)) {
    for (const number of [day, ...numbers]) putNumber(bytes, number);
  }
  return Uint8Array.from(bytes);
}

export function decodeDays(bytes: Uint8Array, size: number): Map<number, DayNumbers> {
  const days = new Map<number, DayNumbers>();
  let at = 0;
  const take = () => takeNumber(() => bytes[at++] ?? 0);
  while (at < bytes.length) days.set(take(), Array.from({ length: size }, take));
  return days;
}

const PAIR_PRODUCTS_MIN = 5;

export async function measure(
  table: MarketTable,
  by: readonly SummaryDimension[],
  slice: Pick<TimeSlice, "yield">,
  signal: AbortSignal,
): Promise<SummaryGroup[]> {
  const { groups } = await summarise(table, by, { slice, signal });
  const isPair = by.length > 1;
  const isKept = ({ brand, category, products }: SummarySum) =>
    (brand !== 0 || !by.includes("brand")) && (category !== 0 || !by.includes("category")) &&
    (!isPair || products >= PAIR_PRODUCTS_MIN);
  return groups(4_000, isKept);
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
  { days, by, brand, category, competitorId }: z.output<typeof TrendQuery>,
): Promise<z.output<typeof MarketTrend>> {
  const series = { brand: brand || null, category: category || null, competitorId };
  if ((by && category) || dimensionOf(by ? { ...series, category: "" } : series) === null) {
    const message = "Daily figures exist for at most two of brand, category and competitor";
    throw refuseFields([{ path: by ? "by" : "brand", message }]);
  }
  const { timeZone } = await requireWorkspace(ctx);
  const now = ctx.now();
  const today = dateIn(now, timeZone);
  const from = daysBefore(today, Number(days));
  const months = monthsBetween(from, today);
  const daysOf = (series: Series) =>
    findByDate(ctx, months.map((month) => placeOf(month, series)), FIGURES);
  const [figures, times, { table, asOfMs }] = await Promise.all([
    daysOf(series),
    findSnapshotTimes(ctx, months),
    tables.read(ctx),
  ]);
  const pointsOf = (figures: ReadonlyMap<string, DayNumbers>): Point[] =>
    [...figures].flatMap(([date, [cheapest = 0, middle = 0, dearest = 0, index = 0]]) => {
      const takenAtMs = times.get(date);
      if (takenAtMs === undefined || date < from || date >= today) return [];
      const compared = cheapest + middle + dearest;
      const indexPct = index === 0 ? null : (index - 1) / 100;
      const takenAt = new Date(takenAtMs).toISOString();
      return [{ date, compared, cheapest, middle, dearest, indexPct, takenAt }];
    }).sort((a, b) => a.date < b.date ? -1 : 1);
  const points = pointsOf(figures);
  const slice = new TimeSlice();
  const group = await measureNow(table, series, slice);
  const [path = "", ...others] = fieldsOf(series);
  const isPair = others.length > 0;
  if (isPair && points.length === 0 && (group?.products ?? 0) < PAIR_PRODUCTS_MIN) {
    const message = `Days are kept of pairs with at least ${PAIR_PRODUCTS_MIN} products`;
    throw refuseFields([{ path, message }]);
  }
  const { compared = 0, cheapest = 0, middle = 0, dearest = 0, indexPct = null } = group ?? {};
  const shares = { compared, cheapest, middle, dearest, indexPct };
  points.push({ date: today, ...shares, takenAt: new Date(asOfMs).toISOString() });
  if (by === undefined) return { points };
  const groups = (await largestCategories(table, slice)).map(async (category) => {
    const days = pointsOf(await daysOf({ ...series, category }));
    const last = days.findLast((one) => one.compared >= PAIR_PRODUCTS_MIN);
    return last ? [{ category, last }] : [];
  });
  return { points, groups: (await Promise.all(groups)).flat() };
}

async function largestCategories(table: MarketTable, slice: TimeSlice): Promise<string[]> {
  const { groups } = await summarise(table, ["category"], { slice });
  return groups(LARGEST, ({ category }) => category !== 0)
    .flatMap(({ category }) => category ?? []);
}

export async function measureNow(
  table: MarketTable,
  { brand, category, competitorId }: Series,
  slice: Pick<TimeSlice, "yield">,
): Promise<SummaryGroup | null> {
  const testOf = (): RowTest => {
    const tests = [
      ...(typeof brand === "string" ? [equal(table, "brand", fold(brand))] : []),
      ...(typeof category === "string" ? [equal(table, "category", fold(category))] : []),
    ];
    return (row) => tests.every((test) => test(row));
  };
  const shop = competitorId === undefined ? null : table.list("competitor").find(competitorId);
  if (shop === 0) return null;
  const by = shop === null ? [] : ["competitor"] as const;
  const { groups } = await summarise(table, by, { onlyShop: shop, testOf, slice });
  return groups()[0] ?? null;
}
