/**
 * Keys: `mkd W month dimension value` → the days of a series of that month (`202611`) as packed bytes,
 * at most 13 a day; `value` is 16 bytes of SHA-256 over what the series is of. Of the dimension `at`
 * (and no value): when the snapshot of each day was taken, in minutes. A day counts once it is there.
 */

import { sha256 } from "../../base/bytes.ts";
import { idBytes } from "../../base/id.ts";
import { fold } from "../../base/text.ts";
import { dateOf, dayOf, monthOf } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { bytesIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows, removeRows } from "../../platform/store/rows.ts";

/** Dimensions of the stored days. */
export const TREND_DIMENSIONS = [
  "total",
  "shop",
  "brand",
  "category",
  "brand shop",
  "category shop",
  "brand category",
] as const;
export type TrendDimension = (typeof TREND_DIMENSIONS)[number];

/** A group of products; what is absent is not told apart. */
export interface Series {
  readonly brand?: string;
  readonly category?: string;
  readonly competitorId?: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const VALUE_BYTES = 16;
const NO_VALUE = new Uint8Array();

/** Null for what no days are kept of. */
export function dimensionOf({ brand, category, competitorId }: Series): TrendDimension | null {
  const parts = [
    ...(brand === undefined ? [] : ["brand"]),
    ...(category === undefined ? [] : ["category"]),
    ...(competitorId === undefined ? [] : ["shop"]),
  ];
  const name = parts.length === 0 ? "total" : parts.join(" ");
  return TREND_DIMENSIONS.find((known) => known === name) ?? null;
}

function seriesKey(
  workspaceId: string,
  month: number,
  dimension: TrendDimension,
  { brand, category, competitorId }: Series,
): Deno.KvKey {
  const named = [brand, category].map((text) => text === undefined ? null : fold(text));
  const hash = sha256(JSON.stringify([...named, competitorId ?? null]));
  return ["mkd", idBytes(workspaceId), month, dimension, hash.slice(0, VALUE_BYTES)];
}

const timesKey = (workspaceId: string, month: number) => [
  "mkd",
  idBytes(workspaceId),
  month,
  "at",
  NO_VALUE,
];

/** The rows of series in one month, in their order, by the day. */
export async function findSeriesDays(
  { store, workspaceId }: WorkspaceStore,
  month: number,
  series: readonly Series[],
): Promise<Map<number, DayFigures>[]> {
  const keys = series.flatMap((one) => {
    const dimension = dimensionOf(one);
    return dimension === null ? [] : [seriesKey(workspaceId, month, dimension, one)];
  });
  const rows = await getRows<Uint8Array>(store, keys);
  return rows.map(({ value }) => value === null ? new Map() : decodeDays(value));
}

/** One series over months, by the date. */
export async function findDays(
  { store, workspaceId }: WorkspaceStore,
  months: readonly number[],
  series: Series,
): Promise<Map<string, DayFigures>> {
  const dimension = dimensionOf(series);
  if (dimension === null) return new Map();
  const keys = months.map((month) => seriesKey(workspaceId, month, dimension, series));
  const rows = await getRows<Uint8Array>(store, keys);
  return new Map(rows.flatMap(({ value }, at) => {
    const month = months[at] ?? 0;
    const days = value === null ? [] : [...decodeDays(value)];
    return days.map(([day, figures]) => [dateOf(month, day), figures] as const);
  }));
}

/** When the snapshots of months were taken, in milliseconds by the date. */
export async function findSnapshotTimes(
  { store, workspaceId }: WorkspaceStore,
  months: readonly number[],
): Promise<Map<string, number>> {
  const keys = months.map((month) => timesKey(workspaceId, month));
  const rows = await getRows<Uint8Array>(store, keys);
  return new Map(rows.flatMap(({ value }, at) => {
    const days = value === null ? [] : [...decodeTimes(value)];
    return days.map(([day, minutes]) => {
      const date = dateOf(months[at] ?? 0, day);
      return [date, Date.parse(date) + (minutes - DAY_MINUTES) * MINUTE_MS] as const;
    });
  }));
}

/** A month of a series: one mutation. */
export function saveSeriesDays(
  write: Write,
  workspaceId: string,
  month: number,
  series: Series,
  days: ReadonlyMap<number, DayFigures>,
): void {
  const dimension = dimensionOf(series);
  if (dimension === null) throw new Error("No days are kept of such a series");
  write.set(seriesKey(workspaceId, month, dimension, series), encodeDays(days));
}

/** Says that the snapshot of a date is whole; other dates of its month stay. */
export async function saveSnapshotTime(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  date: string,
  takenAtMs: number,
): Promise<void> {
  const key = timesKey(workspaceId, monthOf(date));
  const { value, versionstamp } = await store.kv.get<Uint8Array>(key);
  const minutes = Math.floor((takenAtMs - Date.parse(date)) / MINUTE_MS) + DAY_MINUTES;
  const days = value === null ? new Map<number, number>() : decodeTimes(value);
  write.check(key, versionstamp);
  write.set(key, encodeTimes(days.set(dayOf(date), Math.max(0, minutes))));
}

/** A row as it lies there, to carry it to another store. */
export interface TrendRow {
  readonly month: number;
  readonly dimension: string;
  readonly value: Uint8Array;
  readonly bytes: Uint8Array;
}

/** All rows of a workspace, month by month. */
export async function* walkTrendRows(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<TrendRow> {
  const prefix = ["mkd", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 500 })) {
    const [, , month, dimension] = key;
    yield {
      month: Number(month),
      dimension: String(dimension),
      value: bytesIn(key, 4),
      bytes: value,
    };
  }
}

/** Puts a row of another store. */
export function putTrendRow(write: Write, workspaceId: string, row: TrendRow): void {
  const { month, dimension, value, bytes } = row;
  write.set(["mkd", idBytes(workspaceId), month, dimension, value], bytes);
}

/** Takes away up to `limit` rows of months before one; answers how many. */
export async function removeTrendRows(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  beforeMonth: number,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, ["mkd", idBytes(workspaceId)], limit, beforeMonth);
}

/** The position of a group of products on a day. */
export interface DayFigures {
  readonly cheapest: number;
  readonly middle: number;
  readonly dearest: number;
  /** With 2 decimals; null where none was compared. */
  readonly indexPct: number | null;
}

/** By the day of the month, 1 to 31. */
export type Days<T> = ReadonlyMap<number, T>;

/** In the order of days. */
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

/** The inverse of `encodeDays`. */
export function decodeDays(bytes: Uint8Array): Map<number, DayFigures> {
  return decodeNumbers(bytes, 4, ([cheapest = 0, middle = 0, dearest = 0, index = 0]) => ({
    cheapest,
    middle,
    dearest,
    indexPct: index === 0 ? null : (index - 1) / 100,
  }));
}

/** Whole numbers from 0 on, one a day. */
export function encodeTimes(days: Days<number>): Uint8Array<ArrayBuffer> {
  return encodeNumbers(days, (time) => [time]);
}

/** The inverse of `encodeTimes`. */
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
