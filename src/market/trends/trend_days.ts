/**
 * Stores the market positions of each day. A row contains one month of one series (a group of
 * products). A day's figures are complete only if the row with dimension `at` has a time for this
 * day.
 */

import { sha256 } from "../../base/bytes.ts";
import { fold } from "../../base/text.ts";
import { dateOf, dayOf, MINUTE_MS, monthOf } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { SummaryDimension, SummaryGroup } from "../table/summary.ts";

interface TrendPlace {
  /** The month as a number, for example `202611`. */
  readonly month: number;
  readonly dimension: string;
  /** The first 16 bytes of the SHA-256 hash of the series' values. */
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
    const days = dimension === "at" ? decodeTimes(bytes) : decodeDays(bytes);
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

/** An absent field does not restrict the group of products. */
export interface Series {
  readonly brand?: string;
  readonly category?: string;
  readonly competitorId?: string;
}

const DAY_MINUTES = 1_440;
const NO_VALUE = new Uint8Array();

/** Returns null if trends are never stored for this combination of fields. */
export function dimensionOf({ brand, category, competitorId: competitor }: Series): string | null {
  const given = { brand, category, competitor };
  const by = (["brand", "category", "competitor"] as const).filter((name) =>
    given[name] !== undefined
  );
  if (!GROUPINGS.some((known) => known.join() === by.join())) return null;
  return by.join(" ").replace("competitor", "shop") || "total";
}

function placeOf(month: number, series: Series): TrendPlace {
  const { brand, category, competitorId } = series;
  const dimension = dimensionOf(series);
  if (dimension === null) throw new Error("No days are kept of such a series");
  const named = [brand, category].map((text) => text === undefined ? null : fold(text));
  const hash = sha256(JSON.stringify([...named, competitorId ?? null]));
  return { month, dimension, value: hash.slice(0, 16) };
}

const timesOf = (month: number): TrendPlace => ({ month, dimension: "at", value: NO_VALUE });

export async function findSeriesDays(
  workspace: WorkspaceStore,
  month: number,
  series: readonly Series[],
): Promise<Map<number, DayFigures>[]> {
  const rows = await trends.getMany(workspace, series.map((one) => placeOf(month, one)));
  return rows.map((found) => found ? decodeDays(found.row.bytes) : new Map());
}

export async function findDays(
  workspace: WorkspaceStore,
  months: readonly number[],
  series: Series,
): Promise<Map<string, DayFigures>> {
  return await findByDate(workspace, months.map((month) => placeOf(month, series)), decodeDays);
}

async function findByDate<T>(
  workspace: WorkspaceStore,
  places: readonly TrendPlace[],
  decode: (bytes: Uint8Array) => Map<number, T>,
): Promise<Map<string, T>> {
  const rows = await trends.getMany(workspace, places);
  return new Map(rows.flatMap((found) => {
    if (!found) return [];
    const { month, bytes } = found.row;
    return [...decode(bytes)].map(([day, value]) => [dateOf(month, day), value] as const);
  }));
}

export async function findSnapshotTimes(workspace: WorkspaceStore, months: readonly number[]) {
  const times = await findByDate(workspace, months.map(timesOf), decodeTimes);
  return new Map(
    times.entries().map(([date, minutes]) => [
      date,
      Date.parse(date) + (minutes - DAY_MINUTES) * MINUTE_MS,
    ]),
  );
}

/** If two commits for the same month run at the same time, one of them fails. */
export async function takeMonth(write: Write, workspace: WorkspaceStore, month: number) {
  const place = placeOf(month, {});
  const found = await trends.find(workspace, place);
  if (found) trends.save(write, workspace, found, found.row);
  else trends.check(write, workspace, place, null);
}

export function saveSeriesDays(
  write: Write,
  workspaceId: string,
  month: number,
  series: Series,
  days: ReadonlyMap<number, DayFigures>,
): void {
  trends.put(write, { workspaceId }, { ...placeOf(month, series), bytes: encodeDays(days) });
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
  const days = found ? decodeTimes(found.row.bytes) : new Map<number, number>();
  const bytes = encodeTimes(days.set(dayOf(date), Math.max(0, minutes)));
  trends.save(write, workspace, found, { ...place, bytes });
}

type DayFigures = Readonly<Pick<SummaryGroup, "cheapest" | "middle" | "dearest" | "indexPct">>;

/** The keys are days of the month (1 to 31). */
type Days<T> = ReadonlyMap<number, T>;

export function encodeDays(days: Days<DayFigures>): Uint8Array<ArrayBuffer> {
  return encodeNumbers(
    days,
    ({ cheapest, middle, dearest, indexPct }) => [
      cheapest,
      middle,
      dearest,
      indexPct === null ? 0 : Math.round(indexPct * 100) + 1,
    ],
  );
}

export function decodeDays(bytes: Uint8Array): Map<number, DayFigures> {
  return decodeNumbers(bytes, 4, ([cheapest = 0, middle = 0, dearest = 0, index = 0]) => ({
    cheapest,
    middle,
    dearest,
    indexPct: index === 0 ? null : (index - 1) / 100,
  }));
}

export function encodeTimes(days: Days<number>): Uint8Array<ArrayBuffer> {
  return encodeNumbers(days, (time) => [time]);
}

export function decodeTimes(bytes: Uint8Array): Map<number, number> {
  return decodeNumbers(bytes, 1, ([time = 0]) => time);
}

function encodeNumbers<T>(
  days: Days<T>,
  numbersOf: (value: T) => readonly number[],
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const put = (number: number) => {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
    bytes.push(rest);
  };
  for (const [day, value] of [...days].sort(([a], [b]) => a - b)) {
    put(day);
    for (const number of numbersOf(value)) put(number);
  }
  return Uint8Array.from(bytes);
}

function decodeNumbers<T>(
  bytes: Uint8Array,
  count: number,
  valueOf: (numbers: readonly number[]) => T,
): Map<number, T> {
  const days = new Map<number, T>();
  let at = 0;
  const take = () => {
    let number = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      number += byte % 128 * scale;
      if (byte < 128) break;
    }
    return number;
  };
  while (at < bytes.length) {
    const day = take();
    days.set(day, valueOf(Array.from({ length: count }, take)));
  }
  return days;
}
