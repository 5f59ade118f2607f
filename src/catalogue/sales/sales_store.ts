/**
 * Stores units sold per day, packed in one row per month. So that concurrent commits do not
 * overwrite each other's sales, a commit must check and set the version counter of the product's
 * shard (one of 64 parts of the catalogue).
 */
import { dateIn, dateOf, dayOf, daysBefore, monthOf, monthsBetween } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { getBytesAt } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { RECENT_DAYS, SALES_DAYS, SoldDay, sumOfUnits, thousandths } from "./sale.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { batchesOf } from "../../base/collections.ts";
import { documentsById } from "../products/product_store.ts";
import { z } from "@hono/zod-openapi";

interface SalesPlace {
  readonly productId: string;
  /** Year and month: 202611 is November 2026. */
  readonly month: number;
}

export const sales = defineTable<
  SalesPlace & { readonly bytes: Uint8Array },
  "productId" | "month"
>({
  prefix: "sl",
  about: "the units sold of a product per day of a month (202611), as packed bytes",
  key: { productId: "id", month: "number" },
  value: "bytes",
  keep: {
    what: "sales by day (whole months)",
    days: SALES_DAYS,
    isOld: ({ month }, before) => month < monthOf(before.toISOString()),
  },
});

export async function findSalesRows(
  workspace: WorkspaceStore,
  places: readonly SalesPlace[],
): Promise<(Uint8Array | null)[]> {
  const keys = places.map((place) => sales.keyOf(workspace, place));
  return (await getBytesAt(workspace.store, keys)).map((found) => found?.value ?? null);
}

export async function hasSales(workspace: WorkspaceStore): Promise<boolean> {
  return (await sales.list(workspace, { limit: 1 })).length > 0;
}

const FORMAT = 1;
const WITH_REVENUE = 1;
const CODE_CHARACTERS = 3;

/**
 * All `days` must be in the same month. If a date occurs several times, the last entry is stored.
 */
export function packMonth(days: readonly SoldDay[]): Uint8Array<ArrayBuffer> {
  const byDay = new Map(days.map((day) => [dayOf(day.date), day]));
  const bytes: number[] = [FORMAT];
  for (const [day, { units, revenueCents, currency }] of [...byDay].sort(([a], [b]) => a - b)) {
    const hasRevenue = revenueCents !== null && currency !== null;
    bytes.push(day, hasRevenue ? WITH_REVENUE : 0);
    putNumber(bytes, thousandths(units));
    if (!hasRevenue) continue;
    putNumber(bytes, revenueCents);
    for (const letter of currency) bytes.push(letter.charCodeAt(0));
  }
  return new Uint8Array(bytes);
}

export function unpackMonth(month: number, bytes: Uint8Array): SoldDay[] {
  const days: SoldDay[] = [];
  let at = 0;
  const next = () => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("A month of sales ends too early");
    return byte;
  };
  if (next() !== FORMAT) throw new Error("A month of sales has an unknown format");
  while (at < bytes.length) {
    const date = soldOn(month, next());
    const hasRevenue = next() === WITH_REVENUE;
    const units = takeNumber(next) / 1_000;
    if (!hasRevenue) days.push({ date, units, revenueCents: null, currency: null });
    else {
      const revenueCents = takeNumber(next);
      const code = Array.from({ length: CODE_CHARACTERS }, next);
      days.push({ date, units, revenueCents, currency: String.fromCharCode(...code) });
    }
  }
  return days;
}

function soldOn(month: number, day: number): string {
  const date = dateOf(month, day);
  if (!(Date.parse(date) >= 0)) throw new Error(`A month of sales has the invalid day "${date}"`);
  return date;
}

/** Writes 7 bits per byte, low bits first. Uses no bit operations, which are limited to 32 bits. */
function putNumber(bytes: number[], value: number): void {
  let rest = Math.abs(value) * 2 + (value < 0 ? 1 : 0);
  while (rest >= 128) {
    bytes.push(128 + rest % 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

function takeNumber(next: () => number): number {
  let value = 0;
  for (let scale = 1;; scale *= 128) {
    const byte = next();
    value += (byte % 128) * scale;
    if (!Number.isSafeInteger(value)) throw new Error("A month of sales has a number too large");
    if (byte < 128) break;
  }
  const size = Math.floor(value / 2);
  return value % 2 === 1 ? -size : size;
}

interface SoldDayChange {
  readonly date: string;
  readonly from: SoldDay | null;
  readonly to: SoldDay | null;
}

export interface SalesChange extends SalesPlace {
  readonly bytes: Uint8Array | null;
  readonly days: readonly SoldDayChange[];
}

interface SoldOn {
  readonly productId: string;
  readonly day: SoldDay;
}

/** The caller must already have read the version counters of the products' shards. */
export async function findSalesChanges(
  workspace: WorkspaceStore,
  sold: readonly SoldOn[],
): Promise<SalesChange[]> {
  const months = monthsOf(sold);
  const stored = await findSalesRows(workspace, months.map(({ place }) => place));
  return months.flatMap(({ place, days }, at) => changeOf(place, stored[at] ?? null, days) ?? []);
}

export function firstSales(productId: string, days: readonly SoldDay[]): SalesChange[] {
  return monthsOf(days.map((day) => ({ productId, day })))
    .flatMap(({ place, days }) => changeOf(place, null, days) ?? []);
}

function monthsOf(sold: readonly SoldOn[]) {
  const months = new Map<string, { place: SalesPlace; days: [date: string, day: SoldDay][] }>();
  for (const { productId, day } of sold) {
    const place = { productId, month: monthOf(day.date) };
    const key = `${productId} ${place.month}`;
    months.getOrInsertComputed(key, () => ({ place, days: [] })).days.push([day.date, day]);
  }
  return [...months.values()];
}

export function changeOf(
  place: SalesPlace,
  before: Uint8Array | null,
  days: readonly (readonly [date: string, day: SoldDay | null])[],
): SalesChange | null {
  const known = new Map(
    (before === null ? [] : unpackMonth(place.month, before)).map((day) => [day.date, day]),
  );
  const changes: SoldDayChange[] = [];
  for (const [date, to] of new Map(days)) {
    const from = known.get(date) ?? null;
    if (isSameDay(from, to)) continue;
    changes.push({ date, from, to });
    if (to === null) known.delete(date);
    else known.set(date, to);
  }
  if (changes.length === 0) return null;
  return {
    ...place,
    bytes: known.size === 0 ? null : packMonth([...known.values()]),
    days: changes,
  };
}

function isSameDay(one: SoldDay | null, other: SoldDay | null): boolean {
  if (one === null || other === null) return one === other;
  return one.units === other.units && one.revenueCents === other.revenueCents &&
    one.currency === other.currency;
}

/** The caller's commit must also check and set the version counter of the product's shard. */
export function putSalesChange(
  write: Write,
  workspaceId: string,
  { productId, month, bytes }: SalesChange,
): void {
  const place = { productId, month };
  if (bytes === null) sales.drop(write, { workspaceId }, place);
  else sales.put(write, { workspaceId }, { ...place, bytes });
}

export const SalesRange = {
  from: z.iso.date().optional().describe("The first day"),
  to: z.iso.date().optional().describe("The last day"),
};

export const Sales = z.object({
  days: z.array(SoldDay).describe("By date; days without a report are absent"),
  units30d: z.number().nullable()
    .describe("Units of the last 30 days including today; null if no day was reported"),
}).meta({ id: "Sales" });

export type Sales = z.infer<typeof Sales>;

export async function readSales(
  ctx: Context,
  productId: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Sales> {
  const { timeZone } = await requireWorkspace(ctx);
  const today = dateIn(ctx.now(), timeZone);
  const oldest = daysBefore(today, SALES_DAYS);
  const newest = daysBefore(today, -1);
  const own = (await soldDays(ctx, [productId], oldest, newest)).get(productId) ?? [];
  return {
    days: own.filter(({ date }) => date >= (from ?? oldest) && date <= (to ?? newest)),
    units30d: unitsOf(own, today),
  };
}

export async function readRecentUnits(
  workspace: WorkspaceStore,
  productId: string,
  today: string,
): Promise<number | null> {
  const from = daysBefore(today, RECENT_DAYS - 1);
  const sold = await soldDays(workspace, [productId], from, today);
  return unitsOf(sold.get(productId) ?? [], today);
}

function unitsOf(days: readonly SoldDay[], today: string): number | null {
  const from = daysBefore(today, RECENT_DAYS - 1);
  const recent = days.filter(({ date }) => date >= from && date <= today);
  return recent.length === 0 ? null : sumOfUnits(recent);
}

async function soldDays(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  from: string,
  to: string,
): Promise<Map<string, SoldDay[]>> {
  const months = monthsBetween(from, to);
  const places = productIds.flatMap((productId) => months.map((month) => ({ productId, month })));
  const rows = await findSalesRows(workspace, places);
  const days = places.flatMap(({ productId, month }, at) => {
    const bytes = rows[at];
    return bytes ? unpackMonth(month, bytes).map((day) => ({ productId, day })) : [];
  }).filter(({ day: { date } }) => date >= from && date <= to);
  const sold = new Map<string, SoldDay[]>();
  for (const { productId, day } of days) sold.getOrInsertComputed(productId, () => []).push(day);
  return sold;
}

/** Units are in thousandths; products without sales are absent. */
export async function recentUnitsOf(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (productIds.length === 0 || !(await hasSales(workspace))) return new Map();
  const { timeZone } = await requireWorkspace(workspace);
  const to = dateIn(now, timeZone);
  const sold = await soldDays(workspace, productIds, daysBefore(to, RECENT_DAYS - 1), to);
  return new Map([...sold].map(([id, days]) => [id, thousandths(sumOfUnits(days))]));
}

const ROWS_AT_ONCE = 500;

export async function* checkSales(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  for await (const rows of batchesOf(sales.walk(workspace), ROWS_AT_ONCE)) {
    const ids = [...new Set(rows.map(({ row }) => row.productId))];
    const known = await documentsById(workspace, ids);
    for (const id of ids) {
      if (!known.has(id)) yield `There are sales of the unknown product ${id}`;
    }
    for (const { row: { productId, month, bytes } } of rows) {
      if (!isReadable(month, bytes)) {
        yield `The sales of product ${productId} in ${month} cannot be read`;
      }
    }
  }
}

function isReadable(month: number, bytes: Uint8Array): boolean {
  try {
    unpackMonth(month, bytes);
    return true;
  } catch {
    return false;
  }
}
