/**
 * Units sold per day, packed by month. A commit also checks and sets the version counter of the
 * product's shard, so that concurrent writers lose no day.
 */
import { dateOf, dayOf, monthOf } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { SALES_DAYS, type SoldDay, thousandths } from "./sale.ts";

export interface SalesPlace {
  readonly productId: string;
  /** 202611 for November 2026. */
  readonly month: number;
}

interface SalesRow extends SalesPlace {
  readonly bytes: Uint8Array;
}

export const sales = defineTable<SalesRow, "productId" | "month">({
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

/** In the order of `places`; null for a month without reports. */
export async function findSalesRows(
  workspace: WorkspaceStore,
  places: readonly SalesPlace[],
): Promise<(Uint8Array | null)[]> {
  return (await sales.getMany(workspace, places)).map((found) => found?.row.bytes ?? null);
}

export async function hasSales(workspace: WorkspaceStore): Promise<boolean> {
  return (await sales.list(workspace, { limit: 1 })).length > 0;
}

const FORMAT = 1;
const WITH_REVENUE = 1;
const CODE_CHARACTERS = 3;

/** Days of one month in any order. If a day occurs twice, the last one counts. */
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

/** Sorted by day. Throws for bytes that `packMonth` did not write. */
export function unpackMonth(month: number, bytes: Uint8Array): SoldDay[] {
  const days: SoldDay[] = [];
  let at = 0;
  const next = () => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("A month of sales breaks off");
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
  if (!(Date.parse(date) >= 0)) throw new Error(`A month of sales has a day "${date}"`);
  return date;
}

/** Seven bits per byte, lowest first. Divides, because numbers may exceed 32 bits. */
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
