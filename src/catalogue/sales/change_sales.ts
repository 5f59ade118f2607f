/** Applies reported days to stored sales. Pushes, imports and undos use it. */
import { monthOf } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { addCosts, type CommitCost, type Write } from "../../platform/store/kv.ts";
import type { SoldDay } from "./sale.ts";
import { findSalesRows, packMonth, sales, type SalesPlace, unpackMonth } from "./sales_store.ts";

/** A day before and after a change; null without a report. */
interface SoldDayChange {
  readonly date: string;
  readonly from: SoldDay | null;
  readonly to: SoldDay | null;
}

export interface SalesChange extends SalesPlace {
  /** The new row; null if the month has no days left. */
  readonly bytes: Uint8Array | null;
  readonly days: readonly SoldDayChange[];
}

/** Of several reports for a day the last counts. Read the version counters before. */
export async function findSalesChanges(
  workspace: WorkspaceStore,
  sold: readonly { readonly productId: string; readonly day: SoldDay }[],
): Promise<SalesChange[]> {
  const months = [
    ...Map.groupBy(sold, ({ productId, day }) => `${productId} ${monthOf(day.date)}`).values(),
  ].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const place = { productId: first.productId, month: monthOf(first.day.date) };
    return [{ place, days: group.map(({ day }) => day) }];
  });
  const stored = await findSalesRows(workspace, months.map(({ place }) => place));
  return months.flatMap(({ place, days }, at) => {
    const change = changeOf(place, stored[at] ?? null, days.map((day) => [day.date, day]));
    return change ? [change] : [];
  });
}

export function firstSales(productId: string, days: readonly SoldDay[]): SalesChange[] {
  return [...Map.groupBy(days, ({ date }) => monthOf(date))].flatMap(([month, group]) => {
    const change = changeOf({ productId, month }, null, group.map((day) => [day.date, day]));
    return change ? [change] : [];
  });
}

/** Null if nothing changes. A null day is removed. */
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

/** The commit must also check and set the version counter of the product's shard. */
export function putSalesChange(
  write: Write,
  workspaceId: string,
  { productId, month, bytes }: SalesChange,
): void {
  const place = { productId, month };
  if (bytes === null) sales.drop(write, { workspaceId }, place);
  else sales.put(write, { workspaceId }, { ...place, bytes });
}

/** Upper bound, including undo data. */
export function costOfSales(changes: readonly SalesChange[]): CommitCost {
  return addCosts(...changes.map(({ bytes, days }) => ({
    mutations: 1,
    keyBytes: 60,
    bytes: 60 + (bytes?.length ?? 0) + 120 * days.length,
  })));
}
